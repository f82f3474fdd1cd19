import type { JsonRpc } from '../../../src/kernel/json-rpc.ts';
import { until } from '../until.ts';

/** Contracts that pay, as byte code. They read their arguments from 32-byte words of the call data. */
export const CONTRACTS = {
  /** CALL(gas, word 0, callvalue): pays what it gets to the address in word 0. */
  forwarder: '5f5f5f5f345f355af1',
  multisend: [
    // i = 0; loop: if (i >= calldatasize) goto end
    '5f5b36811015601d57',
    // CALL(gas, word at i, word at i + 32): pays an address an amount
    '5f5f5f5f846020013585355af150',
    // i += 64; goto loop; end:
    '6040016001565b',
  ].join(''),
  /** Pays as the forwarder and reverts: nothing of it has happened. */
  reverter: '5f5f5f5f345f355af15f5ffd',
  /** CALL(gas, word 0, callvalue, the words after word 0). Goes on when that call reverts. */
  relay: '6020360360205f375f5f602036035f345f355af1',
  /** SELFDESTRUCT(word 0): leaves what it has to the address in word 0. */
  selfDestructor: '5f35ff',
} as const;

export interface Receipt {
  transactionHash: string;
  contractAddress: string;
  status: string;
  blockNumber: string;
}

/** 32 bytes in hex: an address, or an amount. */
export const word = (value: string | bigint): string =>
  (typeof value === 'bigint' ? value.toString(16) : value.slice(2)).padStart(64, '0');

/** Sends from the node's first unlocked account. */
export async function sendTransaction(
  rpc: JsonRpc,
  transaction: { to?: string; value?: bigint; data?: string },
): Promise<Receipt> {
  const [from] = await rpc.call<string[]>('eth_accounts');
  const { value = 0n, ...rest } = transaction;
  const hash = await rpc.call<string>('eth_sendTransaction', {
    from,
    gas: '0x100000',
    value: `0x${value.toString(16)}`,
    ...rest,
  });
  let receipt: Receipt | null = null;
  await until(async () => {
    receipt = await rpc.call<Receipt | null>('eth_getTransactionReceipt', hash);
    return receipt !== null;
  });
  return receipt!;
}

/** The code of a contract's creation: copies `code` behind it into memory and returns it. */
const creationOf = (code: string): string =>
  `0x60${(code.length / 2).toString(16).padStart(2, '0')}80600a3d393df300${code}`;

/** Creates a contract; answers its address. */
export const deploy = async (rpc: JsonRpc, code: string): Promise<string> =>
  (await sendTransaction(rpc, { data: creationOf(code) })).contractAddress;
