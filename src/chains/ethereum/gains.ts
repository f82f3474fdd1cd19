import { RpcRefusal } from '../../kernel/json-rpc.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, hex } from './node.ts';
import { requireReceipt } from './required.ts';

const WEI_PER_GWEI = 1_000_000_000n;

/**
 * D-26: what a block brought to the account beyond plain transfers: its balance after the block less that before it,
 * less what came by plain transfers and withdrawals, plus what the account itself spent. Wei. Undefined: the node no
 * longer has the balances.
 */
export async function gainOf(
  node: EthereumNode,
  account: string,
  block: FullBlock,
): Promise<bigint | undefined> {
  const height = Number(block.number);
  const before = await balanceAt(node, account, height - 1);
  const after = await balanceAt(node, account, height);
  if (before === undefined || after === undefined) return undefined;
  let gain = after - before - withdrawn(account, block);
  for (const transaction of block.transactions)
    gain -= await changeBy(node, account, transaction, block.hash);
  return gain;
}

/** The change of the account's balance by the transaction itself, without the calls inside it. */
export async function changeBy(
  node: EthereumNode,
  account: string,
  transaction: BlockTransaction,
  blockHash: string,
): Promise<bigint> {
  const { from, to, value } = transaction;
  const isIn = to?.toLowerCase() === account && BigInt(value) > 0n;
  const isOut = from.toLowerCase() === account;
  if (!isIn && !isOut) return 0n;
  const receipt = await requireReceipt(node, transaction, blockHash);
  const moved = receipt.status === '0x1' ? BigInt(value) : 0n;
  const fee = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice);
  return (isIn ? moved : 0n) - (isOut ? moved + fee : 0n);
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
