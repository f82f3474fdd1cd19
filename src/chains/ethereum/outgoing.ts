import type { OutgoingPayment } from '../outgoing-payment.ts';
import type { BlockTransaction, EthereumNode } from './node.ts';

/** Blocks that are read without a known beginning. */
const REACH = 120;

/** Transactions of `account` in the blocks after `after`, up to `final`. */
export async function outgoing(
  node: EthereumNode,
  { account, fromSequence, after }: { account: string; fromSequence: number; after: number | undefined },
  final: number,
): Promise<OutgoingPayment[]> {
  const found: OutgoingPayment[] = [];
  for (let height = Math.max(after ?? final - REACH, -1) + 1; height <= final; height++) {
    const block = await node.fullBlock(height);
    for (const transaction of block?.transactions ?? [])
      if (transaction.from.toLowerCase() === account && Number(transaction.nonce) >= fromSequence)
        found.push(paymentOf(transaction));
  }
  return found;
}

const paymentOf = (transaction: BlockTransaction): OutgoingPayment => ({
  sequence: Number(transaction.nonce),
  hash: transaction.hash,
  to: { account: transaction.to?.toLowerCase() ?? '' },
  amount: BigInt(transaction.value),
  fee: {
    gasLimit: String(BigInt(transaction.gas)),
    ...(transaction.maxFeePerGas === undefined
      ? { gasPrice: String(BigInt(transaction.gasPrice ?? 0)) }
      : {
          maxFeePerGas: String(BigInt(transaction.maxFeePerGas)),
          maxPriorityFeePerGas: String(BigInt(transaction.maxPriorityFeePerGas ?? 0)),
        }),
  },
});
