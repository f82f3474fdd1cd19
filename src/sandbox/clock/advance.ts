import type * as z from 'zod';
import type { CallerId } from '../../contract/tenancy.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { type DeleteDeps, deleteData } from '../reset/delete-data.ts';
import { withJoinedRobots } from './joined-robots.ts';
import type { FollowRequest } from './schema.ts';

export type AdvanceDeps = Pick<SandboxDeps, 'clock' | 'enclave' | 'isHosted' | 'networks' | 'timers'>;

/**
 * Moves the time of this VASP forward, here and at the robots that have joined. Resolves when every due timer has run. The
 * chains are read first, so the result does not depend on when the robot last read them.
 */
export async function advanceClock(deps: AdvanceDeps, durationMs: number, vaspId: CallerId) {
  await readChains(deps);
  const [advanced, behind] = await withJoinedRobots(deps, vaspId, robots =>
    deps.timers.advance(vaspId, durationMs, robots?.follow),
  );
  return {
    now: toIso(deps.clock.now(vaspId)),
    fired: advanced.fired.map(timer => ({ ...timer, dueAt: toIso(timer.dueAt) })),
    counts: advanced.counts,
    behind,
  };
}

/** At a robot that has joined: the enclave has moved the time of a VASP, or has deleted its data. */
export async function followEnclave(
  deps: AdvanceDeps & DeleteDeps,
  { aheadMs, isReset }: Pick<z.output<typeof FollowRequest>, 'aheadMs' | 'isReset'>,
  vaspId: CallerId,
) {
  if (isReset) await deleteData(deps, vaspId);
  await readChains(deps);
  const { advance } = deps.timers;
  return { ...(await advance.until(vaspId, aheadMs)), nextAheadMs: advance.nextAheadMs(vaspId) };
}

const readChains = ({ networks }: AdvanceDeps) =>
  Promise.all(Object.values(networks).map(network => network.sync()));
