/** A change of an account's balance by a transaction itself, not by the calls inside it. */
export interface Movement {
  txHash: string;
  account: string;
  height: number;
  /** Base units; negative: the account paid the amount and the fee. */
  amount: bigint;
}
