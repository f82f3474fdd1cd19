import type { BlockPayouts, ContractPayouts, IncomingTransfer, ValueTransfer } from '../port.ts';
import { readBalances } from './balances.ts';
import { type Confirmations, finalHeight, headOf } from './finality.ts';
import type { BlockTransaction, EthereumNode, FullBlock } from './node.ts';
import { requireBlock, requireReceipt } from './required.ts';
import { ranCode, traceBlock, transfersOf } from './trace.ts';
import { loggedTransfers, transferLogsOf } from './transfer-logs.ts';

/** Up to this number of candidates the node is asked which of them ran code. */
const MOST_ASKED = 16;

/** D-26, by one node. */
export const contractPayouts = (node: EthereumNode, confirmations: Confirmations): ContractPayouts => ({
  balances: (at, accounts) => readBalances(node, at, accounts),
  async inBlock(height, account) {
    const block = await requireBlock(node.fullBlock(height), height);
    const { height: head } = await headOf(node);
    const found = {
      blockHash: block.hash,
      at: Number(block.timestamp) * 1000,
      final: height <= (await finalHeight(node, confirmations, head)),
    };
    const all = (await loggedIn(node, block)) ?? (await tracedIn(node, block));
    const transfers = all?.flatMap((ofOne, i) => payoutsTo(account, ofOne, { ...found, block, i }));
    return { ...found, transfers, candidates: transfers ? [] : await candidatesIn(node, block) };
  },
});

/** For each transaction its transfers. */
async function loggedIn(node: EthereumNode, block: FullBlock): Promise<ValueTransfer[][] | undefined> {
  const logs = await transferLogsOf(node, block);
  return (
    logs &&
    block.transactions.map(transaction => {
      const own = logs.filter(({ transactionHash }) => transactionHash === transaction.hash);
      return loggedTransfers(block, transaction, own) ?? [];
    })
  );
}

async function tracedIn(node: EthereumNode, block: FullBlock): Promise<ValueTransfer[][] | undefined> {
  const roots = await traceBlock(node, block.hash);
  return roots?.length === block.transactions.length ? roots.map(transfersOf) : undefined;
}

function payoutsTo(
  account: string,
  transfers: readonly ValueTransfer[],
  { block, i, ...found }: Pick<BlockPayouts, 'blockHash' | 'at' | 'final'> & { block: FullBlock; i: number },
): IncomingTransfer[] {
  const txHash = block.transactions[i]!.hash;
  return transfers
    .filter(({ to, via }) => to.account === account && via !== undefined)
    .map(transfer => ({ ...transfer, ...found, txHash, height: Number(block.number) }));
}

async function candidatesIn(node: EthereumNode, block: FullBlock): Promise<BlockPayouts['candidates']> {
  let candidates = block.transactions;
  if (candidates.length <= MOST_ASKED) {
    const paying: BlockTransaction[] = [];
    for (const transaction of candidates) {
      const { status } = await requireReceipt(node, transaction, block.hash);
      if (status === '0x1' && (await ranCode(node, transaction, block))) paying.push(transaction);
    }
    candidates = paying;
  }
  return candidates.map(({ hash, from, to }) => ({ txHash: hash, contract: (to ?? from).toLowerCase() }));
}
