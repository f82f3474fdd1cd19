import * as z from 'zod';
import type { CallerId } from '../contract/tenancy.ts';
import { named } from '../contract/text.ts';
import type { VaspOperation } from '../contract/vasp-api.ts';
import type { OutgoingExchange } from '../enclave/control.ts';
import { calls, control, type Endpoint } from '../http/endpoint.ts';
import { formatDuration } from '../kernel/duration.ts';
import { maskedUrl } from '../kernel/secrets.ts';
import type { BadAnswer, NoAnswer } from '../vasps/port.ts';
import type { SandboxDeps } from './deps.ts';
import { type Diagnosis, diagnose, probesFor } from './probes.ts';
import { LOCAL_VASP, ownVasp } from './vasps.ts';

export const checkEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(checkCalls.checkVasp, {
    summary: 'Call the endpoints of this VASP with sample requests and report what is wrong',
    refusals: ['not-found'],
    examples: { default: { params: LOCAL_VASP, body: { endpoints: ['callback'] } } },
    run: ({ body, params }, caller) => checkVasp(deps, params.vaspId, body.endpoints, caller),
  }),
];

type Check = z.output<typeof CheckEntry>;

/** Calls the endpoints of the caller in parallel, exactly as the enclave calls them. Throws `Refusal`. */
async function checkVasp(
  deps: SandboxDeps,
  vaspId: string,
  endpoints: readonly VaspOperation[],
  caller: CallerId,
): Promise<{ checks: Check[] }> {
  const { endpoints: urls, authorization } = ownVasp(deps, vaspId, caller);
  const exchanges = new Map<string, OutgoingExchange>();
  const vasp = deps.enclave.connectVasp(vaspId, each => exchanges.set(each.operation, each))!;
  const probes = probesFor(deps, caller);

  async function check(endpoint: VaspOperation): Promise<Check> {
    const { request, ifRefused, probe } = probes[endpoint];
    const limitMs = deps.enclave.timeoutMs[endpoint];
    const outcome = await probe(vasp).catch((error: NoAnswer | BadAnswer) => error);
    const exchange = exchanges.get(endpoint);
    const diagnosis =
      outcome instanceof Error
        ? diagnose({ error: outcome, exchange, limitMs, authorization, ifRefused })
        : (outcome ?? checkDuration(exchange?.durationMs ?? 0, limitMs));
    return {
      endpoint,
      url: urls[endpoint] === undefined ? null : maskedUrl(urls[endpoint]),
      ok: diagnosis.problem === null,
      status: exchange?.status ?? null,
      durationMs: exchange?.durationMs ?? 0,
      ...diagnosis,
      request: request as Check['request'],
      response: exchange?.response ?? null,
    };
  }
  try {
    return { checks: await Promise.all([...new Set(endpoints)].map(check)) };
  } finally {
    await vasp.close();
  }
}

/** A correct answer gets a hint when it took more than half of the time limit. */
function checkDuration(durationMs: number, limitMs: number): Diagnosis {
  const hint = `The answer took ${durationMs} ms of ${formatDuration(limitMs)}. Under load it may come too late.`;
  return { problem: null, hint: durationMs * 2 > limitMs ? hint : null };
}

/** `/vasps/{vaspId}/check` */

const ENDPOINTS = ['verifyUser', 'verifyAccount', 'transactionStatus', 'callback'] as const satisfies VaspOperation[];
const CheckedEndpoint = z.enum(ENDPOINTS);

const CheckEntry = named('CheckEntry', 'One call of one endpoint.', {
  endpoint: CheckedEndpoint,
  url: z.string().nullable().describe('Null: it is not configured.'),
  ok: z.boolean(),
  status: z.number().int().nullable().describe('Null: no answer came.'),
  durationMs: z.number().int(),
  problem: z.string().nullable().describe('The problem; null: there is none.'),
  hint: z.string().nullable().describe('The next step, or a note about a correct answer.'),
  request: z.looseObject({}).describe('The body of the request. Of one that is not configured nothing was sent.'),
  response: z.string().nullable().describe('The body of the answer, unchanged.'),
});
export const CheckResponse = named(
  'CheckResponse',
  'The results of the calls. The calls are real: they use the same header and time limits and appear in the exchanges. The sample data are easy to recognise: verificationUuid 00000000-0000-4000-8000-000000000000, persons named `Endpoint Check`, the ETH address 0x000000000000000000000000000000000000dead, an amount of 0.000001. No money moves: verifyUser and verifyAccount may answer any result, such as DENIED; the callback is a VERIFICATION_RESULT of DENIED; transactionStatus asks about your newest VERIFIED withdrawal, where there is one.',
  { checks: z.array(CheckEntry) },
);

export const checkCalls = calls({
  checkVasp: {
    body: named('CheckRequest', 'The endpoints to call. Default: all four.', {
      endpoints: z
        .array(CheckedEndpoint)
        .min(1)
        .max(ENDPOINTS.length)
        .default([...ENDPOINTS]),
    }),
    bodyMayBeAbsent: true,
    response: CheckResponse,
  },
});
