import { toIso } from '../kernel/clock.ts';
import type { SandboxDeps } from './deps.ts';

/**
 * Moves this VASP's time and answers when everything that fell due has run. What is on chain by now is read first, so
 * that the outcome depends on what was sent, not on when the reader happened to look.
 */
export async function advanceClock(deps: SandboxDeps, durationMs: number, vaspId: string) {
  await syncChains(deps);
  const fired = await deps.timers.advance(vaspId, durationMs);
  return {
    now: toIso(deps.clock.now(vaspId)),
    fired: fired.map(({ kind, key, dueAt }) => ({ kind, key, dueAt: toIso(dueAt) })),
  };
}

export const syncChains = (deps: SandboxDeps) =>
  Promise.all(Object.values(deps.networks).map(network => network.sync()));

export const pendingTimers = (deps: SandboxDeps, vaspId: string) => ({
  timers: deps.timers.pending(vaspId).map(timer => ({ ...timer, dueAt: toIso(timer.dueAt) })),
});
