import type { ValueTransfer } from '../port.ts';
import { type BlockTransaction, type EthereumNode, type FullBlock, type Log, unlessRefused } from './node.ts';

/** EIP-7708: with Amsterdam rules each movement of ETH leaves a log of this address. No contract can write one. */
const SYSTEM_ADDRESS = '0xfffffffffffffffffffffffffffffffffffffffe';
/** Keccak of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';

const isTransfer = ({ address, topics }: Log): boolean =>
  address.toLowerCase() === SYSTEM_ADDRESS && topics[0] === TRANSFER;

/** D-25: the transfers of value in order of execution. Undefined: the rules of this block write no logs of them. */
export function loggedTransfers(
  block: FullBlock,
  transaction: BlockTransaction,
  logs: readonly Log[],
): ValueTransfer[] | undefined {
  const transfers = logs.filter(isTransfer);
  if (transfers.length === 0 && block.blockAccessListHash === undefined) return undefined;
  return transfers.map(({ topics, data }, index) => ({
    index,
    from: accountOf(topics[1]!),
    to: { account: accountOf(topics[2]!) },
    amount: BigInt(data),
    ...(index === 0 && hasOwnTransfer(transaction) ? {} : { via: 'contract' }),
  }));
}

/** The transaction's own value comes first. To itself an account moves nothing. */
const hasOwnTransfer = ({ from, to, value }: BlockTransaction): boolean =>
  BigInt(value) > 0n && from.toLowerCase() !== to?.toLowerCase();

const accountOf = (topic: string): string => `0x${topic.slice(-40).toLowerCase()}`;

/** The same logs of a whole block. Undefined: as for one transaction, or the node refuses. */
export async function transferLogsOf(node: EthereumNode, block: FullBlock): Promise<Log[] | undefined> {
  const filter = { blockHash: block.hash, address: SYSTEM_ADDRESS, topics: [TRANSFER] };
  const logs = await unlessRefused(node.ask<Log[]>('eth_getLogs', filter));
  return logs?.length === 0 && block.blockAccessListHash === undefined ? undefined : logs;
}
