import type { BlockPayouts, ContractPayouts, IncomingTransfer } from '../port.ts';
import { readBalances } from './balances.ts';
import { type Confirmations, finalHeight, headBlock } from './finality.ts';
import { GAS_WITHOUT_CODE, ranNoCode } from './lookup.ts';
import type { BlockTransaction, EthereumNode, FullBlock } from './node.ts';
import { requireBlock, requireReceipt } from './required.ts';
import { traceBlock, transfersOf } from './trace.ts';

/** Up to this number of candidates their receipts are asked for: plain transfers drop out. */
const MOST_RECEIPTS = 16;

/** D-26, by one node. */
export const contractPayouts = (node: EthereumNode, confirmations: Confirmations): ContractPayouts => ({
  balances: (at, accounts) => readBalances(node, at, accounts),
  async inBlock(height, account) {
    const block = await requireBlock(node.fullBlock(height), height);
    const head = Number((await headBlock(node)).number);
    const found = {
      blockHash: block.hash,
      at: Number(block.timestamp) * 1000,
      final: height <= (await finalHeight(node, confirmations, head)),
    };
    const transfers = await tracedTransfers(node, block, account, found);
    return { ...found, transfers, candidates: transfers ? [] : await candidatesIn(node, block) };
  },
});

async function tracedTransfers(
  node: EthereumNode,
  block: FullBlock,
  account: string,
  found: Pick<BlockPayouts, 'blockHash' | 'at' | 'final'>,
): Promise<IncomingTransfer[] | undefined> {
  const roots = await traceBlock(node, block.hash);
  if (roots?.length !== block.transactions.length) return undefined;
  return roots.flatMap((root, i) =>
    transfersOf(root)
      .filter(({ to, via }) => to.account === account && via !== undefined)
      .map(transfer => ({
        ...transfer,
        ...found,
        txHash: block.transactions[i]!.hash,
        height: Number(block.number),
      })),
  );
}

async function candidatesIn(node: EthereumNode, block: FullBlock): Promise<BlockPayouts['candidates']> {
  let candidates = block.transactions.filter(({ gas }) => Number(gas) > GAS_WITHOUT_CODE);
  if (candidates.length <= MOST_RECEIPTS) {
    const ranCode: BlockTransaction[] = [];
    for (const transaction of candidates) {
      const receipt = await requireReceipt(node, transaction, block.hash);
      if (receipt.status === '0x1' && !ranNoCode(receipt)) ranCode.push(transaction);
    }
    candidates = ranCode;
  }
  return candidates.map(({ hash, from, to }) => ({ txHash: hash, contract: (to ?? from).toLowerCase() }));
}
