import type { Sending } from '../access.ts';

export interface TransactionJson {
  readonly TransactionType: string;
  readonly Account: string;
  readonly SigningPubKey: string;
  readonly Sequence: number;
  readonly [field: string]: unknown;
}

/** A transaction whose form and signature are known to be good. `Type`: the fields of its type. */
export interface Transaction<Type = unknown> {
  readonly hash: string;
  readonly blob: string;
  readonly json: TransactionJson & Type;
  readonly type: string;
  readonly account: string;
  /** Drops; undefined where the Fee is not XRP. */
  readonly fee: bigint | undefined;
  readonly flags: number;
  readonly sequence: number;
  /** The ticket that it uses instead of a Sequence. */
  readonly ticket: number | undefined;
  readonly lastLedger: number | undefined;
}

export const sendingOf = ({ hash, blob }: Transaction): Sending => ({
  symbol: 'XRP',
  hash,
  gas: 0,
  bytes: blob.length / 2,
});
