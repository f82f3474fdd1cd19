import { jsonRpc, RpcRefusal } from '../json-rpc.ts';
import { ChainRefused, ChainUnreachable } from '../port.ts';

/** What the adapter asks of an Ethereum node, and nothing else. Numbers on this wire are 0x-hex. */
export interface EthereumNode {
  /** The `result` of one call. Throws `ChainUnreachable`, also when the node refuses. */
  call<T>(method: string, ...params: unknown[]): Promise<T>;
  /** The same where a refusal means something: throws `RpcRefusal` for it. */
  ask<T>(method: string, ...params: unknown[]): Promise<T>;
  /** Asks for the chain id and throws `ChainRefused` unless it is the configured one. */
  check(): Promise<void>;
  /** Null: the node has no such block. */
  block(which: number | BlockTag): Promise<Block | null>;
  fullBlock(height: number): Promise<FullBlock | null>;
  receipt(txHash: string): Promise<Receipt | null>;
  close(): Promise<void>;
}

export type BlockTag = 'latest' | 'safe' | 'finalized';

export interface Block {
  number: string;
  hash: string;
  parentHash: string;
  timestamp: string;
  baseFeePerGas?: string;
}
export interface FullBlock extends Block {
  transactions: { hash: string; from: string; to: string | null; value: string; nonce: string }[];
}
export interface Receipt {
  blockNumber: string;
  blockHash: string;
  status: string;
}

/** Chain ids of main networks; money with a value is never touched. */
const MAIN_NETWORKS: readonly number[] = [1];

export const hex = (value: number | bigint): string => `0x${value.toString(16)}`;

const unreachable = (method: string) => (error: unknown) => {
  if (!(error instanceof RpcRefusal)) throw error;
  throw new ChainUnreachable(`${method}: ${error.message} (${error.code})`, { cause: error });
};

/** After every new connection, and whenever the node could not be reached, who it is gets checked again. */
export function ethereumNode(url: string, chainId: number, timeoutMs: number): EthereumNode {
  let known = false;
  const rpc = jsonRpc(url, timeoutMs, () => {
    known = false;
  });
  let checking: Promise<void> | undefined;

  const raw = <T>(method: string, ...params: unknown[]): Promise<T> =>
    rpc.call<T>(method, ...params).catch(error => {
      if (error instanceof ChainUnreachable) known = false;
      throw error;
    });
  const check = async () => {
    known = false;
    const found = Number(await raw<string>('eth_chainId').catch(unreachable('eth_chainId')));
    if (MAIN_NETWORKS.includes(found)) throw new ChainRefused(`chain id ${found} is a main network`);
    if (found !== chainId) throw new ChainRefused(`the node's chain id is ${found}, not ${chainId}`);
    known = true;
  };
  const identified = async () => {
    if (known) return;
    checking ??= check().finally(() => {
      checking = undefined;
    });
    await checking;
  };
  // Checked before, and after as well when the call itself opened a connection: yes or no may be a stranger's.
  const ask = async <T>(method: string, ...params: unknown[]): Promise<T> => {
    await identified();
    const answer = await raw<T>(method, ...params).catch(async error => {
      if (error instanceof RpcRefusal) await identified();
      throw error;
    });
    await identified();
    return answer;
  };
  const call = <T>(method: string, ...params: unknown[]): Promise<T> =>
    ask<T>(method, ...params).catch(unreachable(method));
  const place = (which: number | BlockTag) => (typeof which === 'number' ? hex(which) : which);
  return {
    call,
    ask,
    check,
    block: which => call('eth_getBlockByNumber', place(which), false),
    fullBlock: height => call('eth_getBlockByNumber', hex(height), true),
    receipt: txHash => call('eth_getTransactionReceipt', txHash),
    close: rpc.close,
  };
}
