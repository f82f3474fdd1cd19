import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { type EthereumNode, startEthereumNode } from '../../../src/devnet/ethereum.ts';
import { jsonRpc } from '../../../src/kernel/json-rpc.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { processesWith } from '../process/processes.ts';
import { until } from '../until.ts';

export const CHAIN_ID = 20_260_730;
export const SOMEBODY = `0x${'5b'.repeat(20)}`;

/** Embedded nodes that work in a folder of the test and end with it. */
export interface EthereumNodes {
  readonly folder: string;
  readonly statePath: string;
  start(changes?: { statePath?: string | undefined; blockTimeSeconds?: number }): Promise<EthereumNode>;
  close(node: EthereumNode): Promise<void>;
  /** Is closed after the test, as the nodes are. */
  closeLater(each: { close(): Promise<unknown> }): void;
  /** Resolves when no process of the folder is left. */
  allGone(): Promise<void>;
}

export function useEthereumNodes(): EthereumNodes {
  let folder = '';
  const open = new Set<{ close(): Promise<unknown> }>();
  const statePath = () => join(folder, 'ethereum.json');
  const allGone = () => until(() => processesWith(folder).length === 0);
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'robot-vasp-test-'));
  });
  afterEach(async () => {
    await Promise.all([...open].map(each => each.close()));
    open.clear();
    await allGone();
    rmSync(folder, { recursive: true });
  });
  return {
    get folder() {
      return folder;
    },
    get statePath() {
      return statePath();
    },
    async start(changes = {}) {
      const options = { statePath: statePath(), chainId: CHAIN_ID, blockTimeSeconds: 0, log: silentLog, ...changes };
      const node = await startEthereumNode(options);
      open.add(node);
      return node;
    },
    async close(node) {
      open.delete(node);
      await node.close();
    },
    closeLater: each => void open.add(each),
    allGone,
  };
}

export function ask<T>(url: string, method: string, ...params: unknown[]): Promise<T> {
  const rpc = jsonRpc(url, 30_000);
  return rpc.call<T>(method, ...params).finally(rpc.close);
}
export const height = async (url: string) => Number(await ask<string>(url, 'eth_blockNumber'));
export const balance = async (url: string, account = SOMEBODY) =>
  BigInt(await ask<string>(url, 'eth_getBalance', account, 'latest'));
export const block = (url: string, which: string) =>
  ask<{ hash: string; timestamp: string; transactions: string[]; baseFeePerGas: string }>(
    url,
    'eth_getBlockByNumber',
    which,
    false,
  );
export const receipt = (url: string, hash: string) =>
  ask<{ status: string; gasUsed: string; blockNumber: string; blockHash: string } | null>(
    url,
    'eth_getTransactionReceipt',
    hash,
  );
