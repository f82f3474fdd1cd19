import type { CallerId, Own } from '../../contract/tenancy.ts';
import { historyOf } from '../../db/history.ts';
import { toIso } from '../../kernel/clock.ts';
import type { PendingTimer } from '../../timers/timers.ts';
import type { SandboxDeps } from '../deps.ts';
import {
  byPlace,
  type Entry,
  exchangeEntryWithBodies,
  historyEntry,
  placeInHistory,
  placeOfExchange,
} from './entries.ts';
import { participantOfTimer } from './participants.ts';

type Deps = Pick<SandboxDeps, 'db' | 'enclave' | 'exchanges' | 'robot' | 'timers'>;

/** Each of the two VASPs sees the verification and its own events. Throws `Refusal` verification-missing. */
export function readTimeline(deps: Deps, verificationUuid: string, caller: CallerId) {
  const robotVaspId = deps.robot.vaspId;
  const parties = deps.enclave.requireParties(verificationUuid, caller);
  const roles = { ...parties, caller, robotVaspId };
  const events = historyOf(deps.db, parties.verificationUuid)
    .filter(row => row.vaspId === null || row.vaspId === caller || row.vaspId === robotVaspId)
    .map(row => ({ place: placeInHistory(row), entry: historyEntry(row, roles) }));
  const exchanges = deps.exchanges
    .ofVerification(parties.verificationUuid)
    .filter(row => row.vaspId === caller)
    .map(row => ({ place: placeOfExchange(row), entry: exchangeEntryWithBodies(row) }));
  return {
    verificationUuid,
    timeline: inOrder([...events, ...exchanges]),
    pending: pendingTimers(deps, parties.verificationUuid, caller).map(({ kind, dueAt, why }) => ({
      kind,
      dueAt: toIso(dueAt),
      why,
      lane: participantOfTimer(kind),
    })),
  };
}

/** Next first. Timers that concern only the other VASP are left out. */
const pendingTimers = (
  { enclave, robot, timers }: Deps,
  verificationUuid: Own<string>,
  caller: CallerId,
): PendingTimer[] =>
  timers
    .pendingOf([...enclave.timersOf(verificationUuid, caller), ...robot.timersOf(verificationUuid)])
    .sort((a, b) => a.dueAt - b.dueAt);

/**
 * In the order of writing. Chain events have the time of the machine and the others the time of the VASP, which may be
 * ahead. So an entry never shows an earlier time than the entry before it.
 */
function inOrder(entries: { place: Parameters<typeof byPlace>[0]; entry: Entry }[]) {
  let latest = 0;
  return entries
    .sort((a, b) => byPlace(a.place, b.place))
    .map(({ entry }) => {
      latest = Math.max(latest, entry.at);
      return { ...entry, at: toIso(latest) };
    });
}
