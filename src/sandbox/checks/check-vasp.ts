import type * as z from 'zod';
import type { VaspOperation } from '../../contract/vasp-api.ts';
import type { OutgoingExchange } from '../../enclave/control.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { SandboxDeps } from '../deps.ts';
import { ownVasp } from '../vasps/register.ts';
import { type Diagnosis, diagnose } from './diagnose.ts';
import { probesFor } from './probes.ts';
import type { CheckEntry, CheckRequest } from './schema.ts';

type Check = z.output<typeof CheckEntry>;

/** Calls the endpoints of the caller now, side by side, exactly as the enclave calls them. */
export async function checkVasp(
  deps: SandboxDeps,
  vaspId: string,
  { endpoints }: z.output<typeof CheckRequest>,
  caller: string,
): Promise<{ checks: Check[] }> {
  const { endpoints: urls, authorization } = ownVasp(deps, vaspId, caller);
  const exchanges = new Map<string, OutgoingExchange>();
  const vasp = deps.enclave.connectVasp(vaspId, each => exchanges.set(each.operation, each))!;
  const probes = probesFor(deps, vaspId);

  async function check(endpoint: VaspOperation): Promise<Check> {
    const { request, ifUnknown, ask } = probes[endpoint];
    const limitMs = deps.enclave.timeoutMs[endpoint];
    const asked = await ask(vasp).catch((error: Error) => error);
    const exchange = exchanges.get(endpoint);
    const finding =
      asked instanceof Error
        ? diagnose({ error: asked, exchange, limitMs, authorization, ifUnknown })
        : (asked ?? nearlyLate(exchange, limitMs));
    return {
      endpoint,
      url: urls[endpoint] ?? null,
      ok: finding.problem === null,
      status: exchange?.status ?? null,
      durationMs: exchange?.durationMs ?? 0,
      ...finding,
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

/** An answer that was right, but took more than half of the time it has. */
function nearlyLate({ durationMs = 0 }: Partial<OutgoingExchange> = {}, limitMs: number): Diagnosis {
  const hint = `It took ${durationMs} ms of ${formatDuration(limitMs)}: under load it may come too late.`;
  return { problem: null, hint: durationMs * 2 > limitMs ? hint : null };
}
