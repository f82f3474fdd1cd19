import * as z from 'zod';
import type { VaspOperation } from '../../contract/vasp-api.ts';

/** `/vasps/{vaspId}/check` */

const ENDPOINTS = [
  'verifyUser',
  'verifyAccount',
  'transactionStatus',
  'callback',
] as const satisfies VaspOperation[];
const Endpoint = z.enum(ENDPOINTS);

export const CheckRequest = z
  .object({
    endpoints: z
      .array(Endpoint)
      .min(1)
      .default([...ENDPOINTS]),
  })
  .meta({ id: 'CheckRequest', description: 'Which endpoints to call. Default: all four.' });

export const CheckEntry = z
  .object({
    endpoint: Endpoint,
    url: z.string().nullable().describe('Null: no address is configured.'),
    ok: z.boolean(),
    status: z.number().int().nullable().describe('Null: no answer came.'),
    durationMs: z.number().int(),
    problem: z.string().nullable().describe('What is wrong; null when `ok`.'),
    hint: z.string().nullable().describe('What to do next, or what is still worth knowing.'),
    request: z.looseObject({}).describe('The body that was sent, or would be.'),
    response: z.string().nullable().describe('The body that came back, as it came.'),
  })
  .meta({ id: 'CheckEntry', description: 'One call of one endpoint.' });
export const CheckResponse = z.object({ checks: z.array(CheckEntry) }).meta({
  id: 'CheckResponse',
  description:
    'What came of the calls. They are real ones, with the same header and the same time limits, and stand among the exchanges. The sample is recognisable: verificationUuid 00000000-0000-4000-8000-000000000000, persons named `Endpoint Check`, the ETH address 0x000000000000000000000000000000000000dead, an amount of 0.000001. Nothing moves: verifyUser and verifyAccount may answer any result, such as DENIED; the callback is a VERIFICATION_RESULT of DENIED; transactionStatus asks about your newest VERIFIED withdrawal, where there is one.',
});
