import type { RunWorld } from './world.ts';

/** Real time within which a VASP notices that its clock was moved, and acts. */
const NOTICED_MS = 2_000;

/**
 * Passes time of the VASP's timers. Returns the real time that it needs: the same, unless the VASP follows the clock of the
 * sandbox. Calls that go on end before that clock moves, so modules of the other symbol may go on, too.
 */
export async function moveTimers(world: RunWorld, ms: number): Promise<number> {
  if (!world.followsSandboxClock || ms <= 0) return ms;
  await world.api.advance(`${Math.ceil(ms)}ms`);
  world.watch.moves?.push(world.sandboxNow());
  return NOTICED_MS;
}

/** Shortly after a move nobody knows by which time the VASP has acted. */
export const isNearMove = (moves: readonly number[], at: number): boolean =>
  moves.some(move => at >= move && at <= move + NOTICED_MS);
