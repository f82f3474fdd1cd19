import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';

/**
 * Moves the time of this VASP forward. Resolves when every due timer has run. The chains are read first, so the result
 * does not depend on when the robot last read them.
 */
export async function advanceClock(deps: SandboxDeps, durationMs: number, vaspId: CallerId) {
  await Promise.all(Object.values(deps.networks).map(network => network.sync()));
  const { fired, counts } = await deps.timers.advance(vaspId, durationMs);
  return {
    now: toIso(deps.clock.now(vaspId)),
    fired: fired.map(({ kind, key, dueAt }) => ({ kind, key, dueAt: toIso(dueAt) })),
    counts,
  };
}
