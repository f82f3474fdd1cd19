import type {
  Chain,
  InnerTransaction,
  Sender,
  TransactionLookup,
  TransactionState,
} from '../../chains/port.ts';
import type { Expectation } from '../expectation/store.ts';

/** The transaction that has taken the place of the named one. */
export interface Replacing extends InnerTransaction {
  state: Extract<TransactionState, { blockHash: string }>;
}

/**
 * D-36: a node forgets a transaction whose number another one has used, so its sender is remembered from the time when a
 * node knew it. Undefined: the number is free, or nothing is known of the sender. Throws `ChainUnreachable`.
 */
export async function replacementOf(
  chain: Chain,
  expectation: Expectation,
  { state, sender = senderOf(expectation) }: TransactionLookup,
): Promise<Replacing | undefined> {
  if (!sender || 'blockHash' in state) return undefined;
  const txHash = await chain.findTransactionByNonce(sender, 'head');
  if (txHash === undefined || txHash.toLowerCase() === expectation.txHash?.toLowerCase()) return undefined;
  const other = await chain.lookup(txHash, expectation.account);
  return 'blockHash' in other.state ? { txHash, state: other.state, transfers: other.transfers } : undefined;
}

const senderOf = ({ senderAccount, senderSequence }: Expectation): Sender | undefined =>
  senderAccount === null || senderSequence === null
    ? undefined
    : { account: senderAccount, sequence: senderSequence };
