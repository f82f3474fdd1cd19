import { historyOf } from '../../db/history.ts';
import { get } from '../../enclave/verification/get.ts';
import type { Verification } from '../../enclave/verification/store.ts';
import { toIso } from '../../kernel/clock.ts';
import type { SandboxDeps } from '../deps.ts';
import { type Entry, entryOf, exchangeInHistory, placeInHistory, withBodies } from './entries.ts';
import { type Cast, laneOfTimer } from './lanes.ts';
import { pendingTimersOf } from './pending.ts';

/** Everything about one verification, in order. Only its two VASPs may see it, each its own affairs. */
export function timeline(deps: SandboxDeps, verificationUuid: string, caller: string) {
  get(deps.enclave, verificationUuid, caller);
  const verification = deps.enclave.verifications.find(verificationUuid)!;
  const cast = castOf(deps, verification, caller);
  const told = historyOf(deps.db, verificationUuid)
    .filter(row => row.vaspId === null || row.vaspId === caller || row.vaspId === cast.robotVaspId)
    .map(row => ({ place: placeInHistory(row), entry: entryOf(row, cast) }));
  const exchanges = deps.exchanges
    .ofVerification(verificationUuid)
    .filter(row => row.vaspId === caller)
    .map(row => ({ place: exchangeInHistory(row), entry: withBodies(row) }));
  return {
    verificationUuid,
    timeline: [...told, ...exchanges].sort(inOrder).map(({ entry }) => ({ ...entry, at: toIso(entry.at) })),
    pending: pendingTimersOf(deps, verification, caller).map(({ kind, dueAt, why }) => ({
      kind,
      dueAt: toIso(dueAt),
      why,
      lane: laneOfTimer(kind),
    })),
  };
}

export const castOf = (deps: SandboxDeps, verification: Verification | undefined, caller: string): Cast => ({
  caller,
  robotVaspId: deps.robot.vaspId,
  originatingVaspId: verification?.originatingVaspId,
  beneficiaryVaspId: verification?.beneficiaryVaspId,
});

/** By the clock, then by what was written first. */
const inOrder = (a: { place: number; entry: Entry }, b: { place: number; entry: Entry }): number =>
  a.entry.at - b.entry.at || a.place - b.place;
