import * as z from 'zod';
import { named } from '../../contract/text.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';
import { calls } from '../../http/endpoint.ts';

/** `/vasps/{vaspId}/check` */

const ENDPOINTS = ['verifyUser', 'verifyAccount', 'transactionStatus', 'callback'] as const satisfies VaspOperation[];
const Endpoint = z.enum(ENDPOINTS);

export const CheckRequest = named('CheckRequest', 'The endpoints to call. Default: all four.', {
  endpoints: z
    .array(Endpoint)
    .min(1)
    .max(ENDPOINTS.length)
    .default([...ENDPOINTS]),
});

export const CheckEntry = named('CheckEntry', 'One call of one endpoint.', {
  endpoint: Endpoint,
  url: z.string().nullable().describe('Null: no address is configured.'),
  ok: z.boolean(),
  status: z.number().int().nullable().describe('Null: no answer came.'),
  durationMs: z.number().int(),
  problem: z.string().nullable().describe('The problem; null: there is none.'),
  hint: z.string().nullable().describe('The next step, or a note about a correct answer.'),
  request: z.looseObject({}).describe('The body of the request. Without an address nothing was sent.'),
  response: z.string().nullable().describe('The body of the answer, unchanged.'),
});
export const CheckResponse = named(
  'CheckResponse',
  'The results of the calls. The calls are real: they use the same header and time limits and appear in the exchanges. The sample data are easy to recognise: verificationUuid 00000000-0000-4000-8000-000000000000, persons named `Endpoint Check`, the ETH address 0x000000000000000000000000000000000000dead, an amount of 0.000001. No money moves: verifyUser and verifyAccount may answer any result, such as DENIED; the callback is a VERIFICATION_RESULT of DENIED; transactionStatus asks about your newest VERIFIED withdrawal, where there is one.',
  { checks: z.array(CheckEntry) },
);

export const checkCalls = calls({ checkVasp: { body: CheckRequest, bodyMayBeAbsent: true, response: CheckResponse } });
