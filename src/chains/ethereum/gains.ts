import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, hex, type Receipt } from './node.ts';
import { requireReceipt } from './reading.ts';

const WEI_PER_GWEI = 1_000_000_000n;

/**
 * D-26: what a block brought to the account beyond plain transfers: its balance after the block less that before it,
 * less what came by plain transfers and withdrawals, plus what the account itself spent. Wei. Undefined: the node no
 * longer has the balances.
 */
export async function gainOf(node: EthereumNode, account: string, block: FullBlock): Promise<bigint | undefined> {
  const height = Number(block.number);
  const before = await balanceAt(node, account, height - 1);
  const after = await balanceAt(node, account, height);
  if (before === undefined || after === undefined) return undefined;
  let gain = after - before - withdrawn(account, block);
  for (const transaction of block.transactions) gain -= await changeBy(node, account, transaction, block.hash);
  return gain;
}

async function changeBy(
  node: EthereumNode,
  account: string,
  transaction: BlockTransaction,
  blockHash: string,
): Promise<bigint> {
  if (!isParty(account, transaction)) return 0n;
  return changeOf(account, transaction, await requireReceipt(node, transaction, blockHash));
}

const isParty = (account: string, { from, to }: BlockTransaction): boolean =>
  from.toLowerCase() === account || to?.toLowerCase() === account;

/** The change of the account's balance by the transaction itself, without the calls inside it. */
export function changeOf(
  account: string,
  { from, to, value, gasPrice = '0x0' }: BlockTransaction,
  receipt: Receipt,
): bigint {
  const moved = receipt.status === '0x1' ? BigInt(value) : 0n;
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice ?? gasPrice);
  const income = to?.toLowerCase() === account ? moved : 0n;
  return from.toLowerCase() === account ? income - moved - fee : income;
}

const withdrawn = (account: string, { withdrawals = [] }: FullBlock): bigint =>
  withdrawals
    .filter(({ address }) => address.toLowerCase() === account)
    .reduce((sum, { amount }) => sum + BigInt(amount) * WEI_PER_GWEI, 0n);

async function balanceAt(node: EthereumNode, account: string, height: number): Promise<bigint | undefined> {
  try {
    return BigInt(await node.ask<string>('eth_getBalance', account, hex(height)));
  } catch (error) {
    if (error instanceof RpcRefusal) return undefined;
    throw error;
  }
}
