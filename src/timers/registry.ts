import type { AssetSymbol } from '../contract/assets.ts';
import type { VaspVerifyUserAnswer } from '../contract/vasp-api.ts';
import type { TIMER_KINDS } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';

/** Every kind of timer with its payload. `app/compose.ts` does not compile until each has its handler. */
export interface TimerPayloads {
  /** `answer`: has come already, and is held back. */
  'enclave.verification.ask': { uuid: string; answer?: VaspVerifyUserAnswer };
  'enclave.verification.time-out': { uuid: string };
  'enclave.risk.collect': { requestId: string; verificationUuid: string };
  'enclave.callback.deliver': { verificationUuid: string; receiverVaspId: string };
  'robot.deposit.inquire': { verificationUuid: string };
  'robot.wallet.pay': { symbol: AssetSymbol; account: string };
}

export type TimerKind = (typeof TIMER_KINDS)[number];

interface TimerHistoryRule<P> {
  /** The verification in whose story it is told; null: in none. */
  verificationOf(payload: P): string | null;
  /** It runs as soon as it is scheduled: told only where it has to run again. */
  isImmediate: boolean;
  /** The owner's affair alone, not that of both VASPs. */
  isOwnersAlone?: true;
}

/** What of a timer stands in the history. */
export const TIMER_HISTORY: { readonly [K in TimerKind]: TimerHistoryRule<TimerPayloads[K]> } = {
  'enclave.verification.ask': { verificationOf: ({ uuid }) => uuid, isImmediate: true },
  'enclave.verification.time-out': { verificationOf: ({ uuid }) => uuid, isImmediate: false },
  'enclave.risk.collect': {
    verificationOf: ({ verificationUuid }) => verificationUuid,
    isImmediate: false,
    isOwnersAlone: true,
  },
  'enclave.callback.deliver': {
    verificationOf: ({ verificationUuid }) => verificationUuid,
    isImmediate: true,
    isOwnersAlone: true,
  },
  'robot.deposit.inquire': { verificationOf: ({ verificationUuid }) => verificationUuid, isImmediate: false },
  'robot.wallet.pay': { verificationOf: () => null, isImmediate: true },
};

/**
 * What a handler has decided. `apply` commits in the same transaction that finishes or moves the timer, so an effect
 * and its timer never part. Without `againAt` (epoch ms on the owner's clock) the timer is done.
 */
export interface Outcome<Payload = never> {
  apply?: (tx: Tx) => void;
  againAt?: number;
  why?: string;
  /** What the next run is given; default: the same again. */
  payload?: Payload;
}

export type TimerHandler<K extends TimerKind> = (
  payload: TimerPayloads[K],
  owner: string,
) => Promise<Outcome<TimerPayloads[K]>> | Outcome<TimerPayloads[K]>;
export type TimerHandlers = { readonly [K in TimerKind]: TimerHandler<K> };
