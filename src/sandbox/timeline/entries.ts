import { MAX_DEPTH } from '../../contract/parse.ts';
import { type KeptOutcomes, outcomesOf } from '../../contract/plan-list.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import type { HistoryRow } from '../../db/history.ts';
import type { ExchangeRow } from '../../db/whole-exchanges.ts';
import type { Parties } from '../../enclave/control.ts';
import { jsonOrText } from '../../kernel/json.ts';
import { pick } from '../../kernel/members.ts';
import type { Participant } from './schema.ts';

/** The VASPs of one verification, as one of them sees it. */
interface Roles extends Partial<Parties> {
  caller: CallerId;
  /** The robot runs in this process: its calls to the enclave are no HTTP exchanges. */
  robotVaspId: string;
}

/** The column of an entry in the sequence diagram, or the two columns of a message. */
interface Placement {
  lane: Participant;
  between: { from: Participant; to: Participant } | null;
}

const at = (participant: Participant): Placement => ({ lane: participant, between: null });
/** A message stands in the column of its sender. */
const message = (from: Participant, to: Participant): Placement => ({ lane: from, between: { from, to } });

type PlacementRule = (row: HistoryRow, roles: Roles) => Placement;
const atEnclave: PlacementRule = () => at('enclave');
const atRobot: PlacementRule = () => at('robot');

/** A call of the originating VASP. Calls of a tested VASP are entries of their own: HTTP exchanges. */
const calledByOriginator: PlacementRule = (_, { originatingVaspId, robotVaspId }) =>
  originatingVaspId === robotVaspId ? message('robot', 'enclave') : at('enclave');
const seenOnChain: PlacementRule = () => message('chain', 'robot');

/** A machine of the history does not compile until the place of its events is known. */
const PLACEMENTS: Record<HistoryRow['machine'], PlacementRule> = {
  verification: atEnclave,
  judge: () => message('robot', 'enclave'),
  callback: atEnclave,
  assessment: atEnclave,
  expectation: atRobot,
  deposit: atRobot,
  transfer: atRobot,
  report: atRobot,
  finding: atEnclave,
  timer: ({ rowKey }) => at(participantOfTimer(rowKey)),
  fault: ({ detail }) => at(participantOfFault(detail as { target?: string })),
  reset: atEnclave,
  run: atEnclave,
  trial: atEnclave,
};

/** Events that have another place than the others of their machine. */
const MESSAGES: { readonly [event: string]: PlacementRule } = {
  'verification begin': calledByOriginator,
  'verification transaction-reported': calledByOriginator,
  'verification error-reported': calledByOriginator,
  'verification transaction-inquired': (row, roles) =>
    roles.beneficiaryVaspId === roles.robotVaspId ? message('enclave', 'robot') : calledByOriginator(row, roles),
  'callback delivered': ({ vaspId }, { robotVaspId }) =>
    vaspId === robotVaspId ? message('enclave', 'robot') : at('enclave'),
  'deposit begin': seenOnChain,
  'deposit seen': seenOnChain,
  'deposit final': seenOnChain,
  'deposit reorganised': seenOnChain,
  'transfer broadcast': () => message('robot', 'chain'),
  'transfer mined': seenOnChain,
  'transfer final': seenOnChain,
  'transfer reorged': seenOnChain,
};

export const participantOfTimer = (kind: string): Participant => (kind.startsWith('robot.') ? 'robot' : 'enclave');
const participantOfFault = ({ target = '' }: { target?: string }): Participant =>
  /^(answer\.)?robot[.-]/.test(target) ? 'robot' : 'enclave';

const placementOf = (row: HistoryRow, roles: Roles): Placement =>
  (MESSAGES[`${row.machine} ${row.event}`] ?? PLACEMENTS[row.machine])(row, roles);

/**
 * An exchange runs between the tested VASP and the participant that it called, or that called it. A robot whose enclave is
 * another process calls it, and is called by it.
 */
function exchangePlacement({ direction, operation }: { direction: 'IN' | 'OUT'; operation: string }): Placement {
  const isOfVasp = Object.hasOwn(VASP_API, operation);
  if (direction === 'OUT') return isOfVasp ? message('enclave', 'tested-vasp') : message('robot', 'enclave');
  if (isOfVasp) return message('enclave', 'robot');
  return message('tested-vasp', operation.startsWith('robot-') ? 'robot' : 'enclave');
}

/** One entry of a timeline: an event of the history, or an HTTP exchange. */
export interface Entry extends Placement {
  at: number;
  what: string;
  event: string;
  from: string | null;
  to: string | null;
  cause: string;
  detail?: Record<string, unknown>;
}

export function historyEntry(row: HistoryRow, roles: Roles): Entry {
  const detail = detailOf(row);
  return {
    at: row.at,
    what: row.machine,
    ...pick(row, 'event', 'from', 'to', 'cause'),
    ...placementOf(row, roles),
    ...(Object.keys(detail).length === 0 ? {} : { detail }),
  };
}

/** Adds the parts that the history leaves out. */
function detailOf({ machine, rowKey, detail }: HistoryRow): Record<string, unknown> {
  const { began: _, ...kept } = (detail ?? {}) as Record<string, unknown>;
  if (machine === 'timer') return { kind: rowKey, ...kept };
  if (machine === 'judge' && 'steps' in kept) return { ...kept, steps: outcomesOf(kept.steps as KeptOutcomes) };
  return kept;
}

/** An exchange without its bodies and its query, which may hold an account. */
export const exchangeEntry = (row: ExchangeRow): Entry => ({
  at: row.at,
  what: 'http',
  event: row.direction === 'IN' ? 'was-called' : 'called',
  from: null,
  to: null,
  cause: `${row.operation}: ${row.status ?? row.error}`,
  ...exchangePlacement(row),
  detail: {
    ...pick(row, 'operation', 'method'),
    url: row.url.replace(/\?.*/s, ''),
    ...pick(row, 'status', 'error', 'durationMs', 'connectMs'),
    exchangeId: String(row.id),
  },
});

export const exchangeEntryWithBodies = (row: ExchangeRow): Entry => {
  const entry = exchangeEntry(row);
  const bodies = {
    ...pick(row, 'url', 'headers'),
    request: parsedBody(row.request),
    ...pick(row, 'responseHeaders'),
    response: parsedBody(row.response),
  };
  return { ...entry, detail: { ...entry.detail, ...bodies } };
};

/** A value that is too deep is not written again. */
const parsedBody = (body: string | null): unknown => (body === null ? null : jsonOrText(body, { maxDepth: MAX_DEPTH }));

/** The place of an entry: the event of the history that it follows, then its time, then its rank. */
interface Place {
  after: number;
  at: number;
  rank: number;
}

/** An event with `began` follows the one that was the newest when it began, and stands before its own effects. */
export function placeInHistory({ id, at, detail }: HistoryRow): Place {
  const { began } = (detail ?? {}) as { began?: number };
  return began === undefined ? { after: id, at, rank: 0 } : { after: began, at, rank: 1 };
}
export const placeOfExchange = ({ afterHistory, at, direction }: ExchangeRow): Place => ({
  after: afterHistory,
  at,
  rank: direction === 'IN' ? 2 : 3,
});

/** A call that came before a timer fired stands before it, and the calls of the timer behind it. */
export const byPlace = (a: Place, b: Place): number =>
  a.after - b.after || Math.sign(a.rank) - Math.sign(b.rank) || a.at - b.at || a.rank - b.rank;
