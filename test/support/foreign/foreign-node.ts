import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type JsonRpc, jsonRpc } from '../../../src/kernel/json-rpc.ts';
import { freePort } from '../process/program.ts';
import { until } from '../until.ts';

/** An Ethereum node of another maker, as a process of its own with its state in a folder of its own. */
export interface ForeignNode {
  readonly url: string;
  readonly rpc: JsonRpc;
  /** A payment out of the node's own account, in a block when it resolves. */
  fund(account: string, wei: bigint): Promise<void>;
  /** Removes what happened since the call; the chain goes on with other blocks. */
  reorganise(during: () => Promise<void>): Promise<void>;
  /** Ends the node. It starts again on the same address and state. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** The ways to start one kind of node and to roll back its chain. */
export interface NodeKind {
  /** Before the first start: makes the chain in the folder. */
  prepare?(folder: string): Promise<void>;
  command(port: number, folder: string): readonly [program: string, ...options: string[]];
  /** Returns the function that rolls back to the present block. */
  mark(rpc: JsonRpc): Promise<() => Promise<unknown>>;
}

export async function startForeignNode(kind: NodeKind): Promise<ForeignNode> {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-foreign-'));
  await kind.prepare?.(folder);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const rpc = jsonRpc(url, 30_000);
  let child: ChildProcess | undefined;
  const start = async () => {
    const [program, ...options] = kind.command(port, folder);
    const started = spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let said = '';
    started.stderr.setEncoding('utf8').on('data', text => {
      said = (said + text).slice(-2_000);
    });
    await until(async () => {
      if (started.exitCode !== null) throw new Error(`${program} ended with ${started.exitCode}: ${said}`);
      return rpc.call('eth_chainId').then(
        () => true,
        () => false,
      );
    });
  };
  const stop = async () => {
    if (!child || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  await start();
  return {
    url,
    rpc,
    async fund(account, wei) {
      const [from] = await rpc.call<string[]>('eth_accounts');
      const payment = { from, to: account, value: `0x${wei.toString(16)}` };
      const hash = await rpc.call<string>('eth_sendTransaction', payment);
      await until(async () => (await rpc.call('eth_getTransactionReceipt', hash)) !== null);
    },
    async reorganise(during) {
      const rollBack = await kind.mark(rpc);
      await during();
      await rollBack();
    },
    start,
    stop,
    async close() {
      await stop();
      await rpc.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
