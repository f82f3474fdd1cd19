import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';
import type { OutgoingExchange } from '../../enclave/control.ts';
import { control, type Endpoint } from '../../http/endpoint.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { maskedUrl } from '../../kernel/secrets.ts';
import type { BadAnswer, NoAnswer } from '../../vasps/port.ts';
import type { SandboxDeps } from '../deps.ts';
import { ownVasp } from '../vasps/register.ts';
import { LOCAL_VASP } from '../vasps/schema.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { probesFor } from './probes.ts';
import { type CheckEntry, type CheckRequest, checkCalls } from './schema.ts';

export const checkEndpoints = (deps: SandboxDeps): Endpoint[] => [
  control(checkCalls.checkVasp, {
    summary: 'Call the endpoints of this VASP with sample requests and report what is wrong',
    refusals: ['not-found'],
    examples: { default: { params: LOCAL_VASP, body: { endpoints: ['callback'] } } },
    run: ({ body, params }, caller) => checkVasp(deps, params.vaspId, body, caller),
  }),
];

type Check = z.output<typeof CheckEntry>;

/** Calls the endpoints of the caller in parallel, exactly as the enclave calls them. Throws `Refusal`. */
async function checkVasp(
  deps: SandboxDeps,
  vaspId: string,
  { endpoints }: z.output<typeof CheckRequest>,
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
        : (outcome ?? checkDuration(exchange, limitMs));
    return {
      endpoint,
      url: shownUrl(urls[endpoint]),
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

const shownUrl = (url: string | undefined): string | null => (url === undefined ? null : maskedUrl(url));

/** A correct answer gets a hint when it took more than half of the time limit. */
function checkDuration({ durationMs = 0 }: Partial<OutgoingExchange> = {}, limitMs: number): Diagnosis {
  const hint = `The answer took ${durationMs} ms of ${formatDuration(limitMs)}. Under load it may come too late.`;
  return { problem: null, hint: durationMs * 2 > limitMs ? hint : null };
}
