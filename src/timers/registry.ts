import type { AssetSymbol } from '../contract/assets.ts';
import type { VaspVerifyUserAnswer } from '../contract/vasp-api.ts';
import type { TimerKind } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';

/** The payload of every kind of timer. `app/compose.ts` does not compile until each kind has a handler. */
export interface TimerPayloads {
  /** `answer`: a postponed answer of the VASP. */
  'enclave.verification.ask': { uuid: string; answer?: VaspVerifyUserAnswer };
  'enclave.verification.time-out': { uuid: string };
  'enclave.risk.collect': { requestId: string; verificationUuid: string };
  'enclave.callback.deliver': { verificationUuid: string; receiverVaspId: string };
  /** `isSuspended`: the VASP was, so it was not asked. `isUnpaid`: no payment had come when it was scheduled. */
  'robot.deposit.inquire': { verificationUuid: string; isSuspended?: true; isUnpaid?: true };
  'robot.report.look-up': { verificationUuid: string };
  'robot.wallet.pay': { symbol: AssetSymbol; account: string };
}

/** The members of the payload that are the key, in order. Only the last one may hold a space. */
const KEY_MEMBERS: { readonly [K in TimerKind]: readonly (keyof TimerPayloads[K] & string)[] } = {
  'enclave.verification.ask': ['uuid'],
  'enclave.verification.time-out': ['uuid'],
  'enclave.risk.collect': ['requestId'],
  'enclave.callback.deliver': ['verificationUuid', 'receiverVaspId'],
  'robot.deposit.inquire': ['verificationUuid'],
  'robot.report.look-up': ['verificationUuid'],
  'robot.wallet.pay': ['symbol', 'account'],
};

export const keyOf = <K extends TimerKind>(kind: K, payload: TimerPayloads[K]): string =>
  KEY_MEMBERS[kind].map(member => payload[member]).join(' ');

/** The members that are not in the key. */
export const besidesKey = (kind: TimerKind, payload: object): object =>
  Object.fromEntries(Object.entries(payload).filter(([member]) => !(KEY_MEMBERS[kind] as string[]).includes(member)));

export function wholePayload<K extends TimerKind>(kind: K, key: string, besides: unknown): TimerPayloads[K] {
  const members = KEY_MEMBERS[kind];
  const values = key.split(' ');
  const valueAt = (place: number) => (place < members.length - 1 ? values[place] : values.slice(place).join(' '));
  const ofKey = Object.fromEntries(members.map((member, place) => [member, valueAt(place)]));
  return { ...ofKey, ...(besides as object) } as TimerPayloads[K];
}

interface TimerHistoryRule<P> {
  /** The verification with the timer in its history; null: none. */
  verificationOf(payload: P): string | null;
  /** The timer is due when it is scheduled. Its first run is not recorded, further runs are. */
  isImmediate: boolean;
  /** Only the owner sees the events. Without it both VASPs of the verification see them. */
  isOnlyForOwner?: true;
}

export const TIMER_HISTORY: { readonly [K in TimerKind]: TimerHistoryRule<TimerPayloads[K]> } = {
  'enclave.verification.ask': { verificationOf: ({ uuid }) => uuid, isImmediate: true },
  'enclave.verification.time-out': { verificationOf: ({ uuid }) => uuid, isImmediate: false },
  'enclave.risk.collect': {
    verificationOf: ({ verificationUuid }) => verificationUuid,
    isImmediate: false,
    isOnlyForOwner: true,
  },
  'enclave.callback.deliver': {
    verificationOf: ({ verificationUuid }) => verificationUuid,
    isImmediate: true,
    isOnlyForOwner: true,
  },
  'robot.deposit.inquire': { verificationOf: ({ verificationUuid }) => verificationUuid, isImmediate: false },
  'robot.report.look-up': { verificationOf: () => null, isImmediate: true },
  'robot.wallet.pay': { verificationOf: () => null, isImmediate: true },
};

/**
 * The decision of a handler. `apply` commits in the transaction that finishes or moves the timer. With `againAt` (epoch
 * milliseconds on the owner's clock) the timer runs again, without it the timer is finished.
 */
export interface Outcome<Payload = never> {
  apply?: (tx: Tx) => void;
  againAt?: number;
  /** Of the next run. Default: the usual reason of its kind. */
  why?: string | undefined;
  /** Payload of the next run. Default: the same payload. */
  payload?: Payload;
}

export type TimerHandler<K extends TimerKind> = (
  payload: TimerPayloads[K],
  owner: string,
) => Promise<Outcome<TimerPayloads[K]>> | Outcome<TimerPayloads[K]>;
export type TimerHandlers = { readonly [K in TimerKind]: TimerHandler<K> };
