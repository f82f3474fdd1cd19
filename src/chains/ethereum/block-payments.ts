import { OWN_FUNDING } from '../own-funding.ts';
import type { Movement } from '../payments.ts';
import type { IncomingTransfer } from '../port.ts';
import { blockRefOf, requireReceipt } from './blocks.ts';
import { changeOf } from './gains.ts';
import type { EthereumNode, FullBlock } from './node.ts';

export type BlockPayments = Awaited<ReturnType<typeof paymentsIn>>;

/** The plain payments of a block. A payment counts only with a successful receipt. Blocks up to `final` are final. */
export async function paymentsIn(node: EthereumNode, block: FullBlock, accounts: ReadonlySet<string>, final: number) {
  const { height, hash: blockHash } = blockRefOf(block);
  const transfers: IncomingTransfer[] = [];
  const movements: Movement[] = [];
  for (const transaction of block.transactions) {
    const from = transaction.from.toLowerCase();
    const to = transaction.to?.toLowerCase() ?? '';
    const amount = BigInt(transaction.value);
    const parties = [...new Set([from, ...(amount > 0n ? [to] : [])])].filter(each => accounts.has(each));
    if (parties.length === 0) continue;
    const { hash: txHash } = transaction;
    const receipt = await requireReceipt(node, transaction, blockHash);
    for (const account of parties)
      movements.push({ txHash, account, height, amount: changeOf(account, transaction, receipt) });
    if (receipt.status !== '0x1' || !parties.includes(to) || amount === 0n) continue;
    if (transaction.input === OWN_FUNDING) continue;
    const paid = { txHash, index: 0, from, to: { account: to }, amount };
    const at = Number(block.timestamp) * 1000;
    transfers.push({ ...paid, height, blockHash, at, final: height <= final });
  }
  return { transfers, movements };
}
