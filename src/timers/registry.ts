import type { AssetSymbol } from '../contract/assets.ts';
import type { Tx } from '../db/write.ts';

/** Every kind of timer with its payload. `app.ts` does not compile until each has its handler. */
export interface TimerPayloads {
  'enclave.verification.ask': { uuid: string };
  'enclave.verification.time-out': { uuid: string };
  'enclave.risk.collect': { requestId: string };
  'enclave.callback.deliver': { verificationUuid: string; receiverVaspId: string };
  'robot.deposit.inquire': { verificationUuid: string };
  'robot.wallet.pay': { symbol: AssetSymbol; account: string };
}

export type TimerKind = keyof TimerPayloads;

/**
 * What a handler has decided. `apply` commits in the same transaction that finishes or moves the timer, so an effect
 * and its timer never part. Without `againAt` (epoch ms on the owner's clock) the timer is done.
 */
export interface Outcome {
  apply?: (tx: Tx) => void;
  againAt?: number;
  why?: string;
}

export type TimerHandler<K extends TimerKind> = (
  payload: TimerPayloads[K],
  owner: string,
) => Promise<Outcome> | Outcome;
export type TimerHandlers = { readonly [K in TimerKind]: TimerHandler<K> };
