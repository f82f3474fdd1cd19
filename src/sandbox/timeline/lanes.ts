import type { HistoryRow } from '../../db/history.ts';
import type { Lane } from './schema.ts';

/** Who is who in one verification, seen by one of its VASPs. */
export interface Cast {
  caller: string;
  /** The VASP inside of this process: what it says to the enclave leaves no HTTP exchange. */
  robotVaspId: string;
  /** Undefined: of no verification. */
  originatingVaspId: string | undefined;
  beneficiaryVaspId: string | undefined;
}

export interface Place {
  lane: Lane;
  between: { from: Lane; to: Lane } | null;
}

const at = (lane: Lane): Place => ({ lane, between: null });
/** A message belongs to the lane of its sender. */
export const message = (from: Lane, to: Lane): Place => ({ lane: from, between: { from, to } });

type Placing = (row: HistoryRow, cast: Cast) => Place;

/** Said by the robot as the originating VASP; what the tested VASP says stands there as an HTTP exchange. */
const saidByOriginator: Placing = (_, { originatingVaspId, robotVaspId }) =>
  originatingVaspId === robotVaspId ? message('robot', 'enclave') : at('enclave');

const VERIFICATION: Record<string, Placing> = {
  begin: saidByOriginator,
  'transaction-reported': saidByOriginator,
  'error-reported': saidByOriginator,
  // The answer: from the robot, or to it.
  'transaction-inquired': (_, { originatingVaspId, beneficiaryVaspId, robotVaspId }) => {
    if (originatingVaspId === robotVaspId) return message('robot', 'enclave');
    return beneficiaryVaspId === robotVaspId ? message('enclave', 'robot') : at('enclave');
  },
};
const onChain: Placing = () => message('chain', 'robot');
const DEPOSIT: Record<string, Placing> = {
  begin: onChain,
  seen: onChain,
  final: onChain,
  reorganised: onChain,
};
const TRANSFER: Record<string, Placing> = {
  broadcast: () => message('robot', 'chain'),
  mined: onChain,
  final: onChain,
  reorged: onChain,
};

/** By machine. What a machine does not name happens where it lives. */
const PLACES: Record<string, { lives: Lane; events?: Record<string, Placing>; all?: Placing }> = {
  verification: { lives: 'enclave', events: VERIFICATION },
  judge: { lives: 'robot', all: () => message('robot', 'enclave') },
  callback: {
    lives: 'enclave',
    events: {
      delivered: ({ vaspId }, { robotVaspId }) =>
        vaspId === robotVaspId ? message('enclave', 'robot') : at('enclave'),
    },
  },
  expectation: { lives: 'robot' },
  deposit: { lives: 'robot', events: DEPOSIT },
  transfer: { lives: 'robot', events: TRANSFER },
  timer: { lives: 'enclave', all: ({ rowKey }) => at(laneOfTimer(rowKey)) },
  fault: {
    lives: 'enclave',
    all: ({ detail }) => at(laneOfFault((detail as { target?: string }).target ?? '')),
  },
};

export const laneOfTimer = (kind: string): Lane => (kind.startsWith('robot.') ? 'robot' : 'enclave');
const laneOfFault = (target: string): Lane => (/^(answer\.)?robot[.-]/.test(target) ? 'robot' : 'enclave');

export function placeOf(row: HistoryRow, cast: Cast): Place {
  const { lives = 'enclave', events = {}, all } = PLACES[row.machine] ?? {};
  const placing = Object.hasOwn(events, row.event) ? events[row.event] : all;
  return placing ? placing(row, cast) : at(lives as Lane);
}

/** The tested VASP and whom it called, or who called it. */
export const placeOfExchange = ({
  direction,
  operation,
}: {
  direction: 'IN' | 'OUT';
  operation: string;
}): Place =>
  direction === 'OUT'
    ? message('enclave', 'tested-vasp')
    : message('tested-vasp', operation.startsWith('robot-') ? 'robot' : 'enclave');
