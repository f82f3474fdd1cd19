import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';

/**
 * Moves this VASP's time and answers when everything that fell due has run. What is on chain by now is read first, so
 * that the outcome depends on what was sent, not on when the reader happened to look.
 */
export async function advanceClock(deps: SandboxDeps, durationMs: number, vaspId: string) {
  await Promise.all(Object.values(deps.networks).map(network => network.sync()));
  const fired = await deps.timers.advance(vaspId, durationMs);
  return {
    now: toIso(deps.clock.now(vaspId)),
    fired: fired.map(({ kind, key, dueAt }) => ({ kind, key, dueAt: toIso(dueAt) })),
  };
}
