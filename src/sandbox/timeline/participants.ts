import type { CallerId } from '../../contract/tenancy.ts';
import { VASP_API } from '../../contract/vasp-api.ts';
import type { HistoryRow } from '../../db/history.ts';
import type { Parties } from '../../enclave/control.ts';
import type { Participant } from './schema.ts';

/** The VASPs of one verification, as one of them sees it. */
export interface Roles extends Partial<Parties> {
  caller: CallerId;
  /** The robot runs in this process: its calls to the enclave are no HTTP exchanges. */
  robotVaspId: string;
}

/** The column of an entry in the sequence diagram, or the two columns of a message. */
export interface Placement {
  lane: Participant;
  between: { from: Participant; to: Participant } | null;
}

const at = (participant: Participant): Placement => ({ lane: participant, between: null });
/** A message stands in the column of its sender. */
const message = (from: Participant, to: Participant): Placement => ({ lane: from, between: { from, to } });

type PlacementRule = (row: HistoryRow, roles: Roles) => Placement;

/** A call of the originating VASP. Calls of a tested VASP are entries of their own: HTTP exchanges. */
const calledByOriginator: PlacementRule = (_, { originatingVaspId, robotVaspId }) =>
  originatingVaspId === robotVaspId ? message('robot', 'enclave') : at('enclave');
const seenOnChain: PlacementRule = () => message('chain', 'robot');

interface MachinePlacements {
  /** The participant that owns the machine: the place of every event without a rule. */
  owner: Participant;
  events?: Record<string, PlacementRule>;
  /** For all events without a rule of their own. */
  every?: PlacementRule;
}

/** A machine of the history does not compile until its place is known. */
const PLACEMENTS: Record<HistoryRow['machine'], MachinePlacements> = {
  verification: {
    owner: 'enclave',
    events: {
      begin: calledByOriginator,
      'transaction-reported': calledByOriginator,
      'error-reported': calledByOriginator,
      'transaction-inquired': (_, { originatingVaspId, beneficiaryVaspId, robotVaspId }) => {
        if (originatingVaspId === robotVaspId) return message('robot', 'enclave');
        return beneficiaryVaspId === robotVaspId ? message('enclave', 'robot') : at('enclave');
      },
    },
  },
  judge: { owner: 'robot', every: () => message('robot', 'enclave') },
  callback: {
    owner: 'enclave',
    events: {
      delivered: ({ vaspId }, { robotVaspId }) =>
        vaspId === robotVaspId ? message('enclave', 'robot') : at('enclave'),
    },
  },
  assessment: { owner: 'enclave' },
  expectation: { owner: 'robot' },
  deposit: {
    owner: 'robot',
    events: { begin: seenOnChain, seen: seenOnChain, final: seenOnChain, reorganised: seenOnChain },
  },
  transfer: {
    owner: 'robot',
    events: {
      broadcast: () => message('robot', 'chain'),
      mined: seenOnChain,
      final: seenOnChain,
      reorged: seenOnChain,
    },
  },
  report: { owner: 'robot' },
  finding: { owner: 'enclave' },
  timer: { owner: 'enclave', every: ({ rowKey }) => at(participantOfTimer(rowKey)) },
  fault: { owner: 'enclave', every: ({ detail }) => at(participantOfFault(detail as { target?: string })) },
  reset: { owner: 'enclave' },
  run: { owner: 'enclave' },
  trial: { owner: 'enclave' },
};

export const participantOfTimer = (kind: string): Participant => (kind.startsWith('robot.') ? 'robot' : 'enclave');
const participantOfFault = ({ target = '' }: { target?: string }): Participant =>
  /^(answer\.)?robot[.-]/.test(target) ? 'robot' : 'enclave';

export function placementOf(row: HistoryRow, roles: Roles): Placement {
  const { owner, events = {}, every } = PLACEMENTS[row.machine];
  const rule = Object.hasOwn(events, row.event) ? events[row.event] : every;
  return rule ? rule(row, roles) : at(owner);
}

/**
 * An exchange runs between the tested VASP and the participant that it called, or that called it. A robot whose enclave is
 * another process calls it, and is called by it.
 */
export function exchangePlacement({ direction, operation }: { direction: 'IN' | 'OUT'; operation: string }): Placement {
  const isOfVasp = Object.hasOwn(VASP_API, operation);
  if (direction === 'OUT') return isOfVasp ? message('enclave', 'tested-vasp') : message('robot', 'enclave');
  if (isOfVasp) return message('enclave', 'robot');
  return message('tested-vasp', operation.startsWith('robot-') ? 'robot' : 'enclave');
}
