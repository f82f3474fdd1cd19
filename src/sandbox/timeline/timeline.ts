import { historyOf } from '../../db/history.ts';
import type { Parties } from '../../enclave/control.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { type Entry, entryOf, exchangeInHistory, placeInHistory, withBodies } from './entries.ts';
import { type Cast, laneOfTimer } from './lanes.ts';
import { pendingTimersOf } from './pending.ts';

/** Everything about one verification, in order. Only its two VASPs may see it, each its own affairs. */
export function timeline(deps: SandboxDeps, verificationUuid: string, caller: string) {
  const cast = castOf(deps, deps.enclave.requireParties(verificationUuid, caller), caller);
  const lines = historyOf(deps.db, verificationUuid)
    .filter(row => row.vaspId === null || row.vaspId === caller || row.vaspId === cast.robotVaspId)
    .map(row => ({ place: placeInHistory(row), entry: entryOf(row, cast) }));
  const exchanges = deps.exchanges
    .ofVerification(verificationUuid)
    .filter(row => row.vaspId === caller)
    .map(row => ({ place: exchangeInHistory(row), entry: withBodies(row) }));
  return {
    verificationUuid,
    timeline: inOrder([...lines, ...exchanges]),
    pending: pendingTimersOf(deps, verificationUuid, caller).map(({ kind, dueAt, why }) => ({
      kind,
      dueAt: toIso(dueAt),
      why,
      lane: laneOfTimer(kind),
    })),
  };
}

export const castOf = (deps: SandboxDeps, parties: Parties | undefined, caller: string): Cast => ({
  caller,
  robotVaspId: deps.robot.vaspId,
  originatingVaspId: parties?.originatingVaspId,
  beneficiaryVaspId: parties?.beneficiaryVaspId,
});

/**
 * As it was written. What a chain tells bears the time of the machine, the rest that of the VASP, which may be ahead:
 * nothing is shown as earlier than what came before it.
 */
function inOrder(lines: { place: number; entry: Entry }[]) {
  let latest = 0;
  return lines
    .sort((a, b) => a.place - b.place)
    .map(({ entry }) => {
      latest = Math.max(latest, entry.at);
      return { ...entry, at: toIso(latest) };
    });
}
