import { WebSocket } from 'ws';
import { later } from '../../kernel/clock.ts';
import type { JsonRpc } from '../../kernel/json-rpc.ts';
import type { Log } from '../../kernel/log.ts';
import { oneAtATime, shareNext } from '../../kernel/turns.ts';
import { sleep } from './launch.ts';
import type { StateStore } from './state-file.ts';

export type BlockFeed = ReturnType<typeof blockFeed>;

const RECONNECT_MS = 100;
const SUBSCRIBE = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_subscribe', params: ['newHeads'] });

/**
 * Tells of new blocks, so that nobody has to ask the node again and again. The first listener opens the connection, which
 * is made anew when the node was restarted.
 */
export function blockFeed(nodeUrl: string) {
  const listeners = new Set<() => void>();
  let isClosed = false;
  let socket: WebSocket | undefined;
  const wakeAll = () => {
    for (const wake of listeners) wake();
  };

  function connect(): WebSocket {
    const made = new WebSocket(nodeUrl.replace(/^http/, 'ws'), { perMessageDeflate: false });
    made.on('open', () => made.send(SUBSCRIBE));
    made.on('message', wakeAll);
    // `close` follows.
    made.on('error', () => {});
    made.on('close', () => {
      if (isClosed) return;
      later(RECONNECT_MS, () => {
        if (!isClosed) socket = connect();
      });
    });
    return made;
  }

  return {
    /** Calls `wake` after every new block, and when the node is reached again. The returned function ends that. */
    onBlock(wake: () => void): () => void {
      listeners.add(wake);
      socket ??= connect();
      return () => void listeners.delete(wake);
    },
    /** The head has moved without a new block. */
    wakeAll,
    close(): void {
      isClosed = true;
      socket?.terminate();
    },
  };
}

const INTERVAL_MS = 1_000;
/** `evm_revert` moves the head without a new block. */
const UNSEEN_MS = 15_000;
/** A large state takes long to dump: dumps use at most a tenth of the time. */
const REST_PER_WORK = 9;

export interface Snapshots {
  rpc: JsonRpc;
  store: StateStore;
  /** The hash of a block that the saved state contains. */
  saved: string;
  /** Calls `wake` after every new block. */
  onBlock: BlockFeed['onBlock'];
  /** `why`: the newest state could not be saved. Undefined: it is saved. */
  onSave(why: string | undefined): void;
  log: Log;
}

/**
 * Saves the state once a second when the head has moved. The node's own interval dump also writes at rest, and leaves
 * a torn file when it is killed.
 */
export function keepSnapshots({ rpc, store, saved, onBlock, onSave, log }: Snapshots) {
  const stop = new AbortController();
  const next = oneAtATime();
  let last = saved;
  let wake = () => {};
  let newBlock = Promise.resolve();
  const awaitBlock = () => {
    newBlock = new Promise(resolve => {
      wake = resolve;
      later(UNSEEN_MS, resolve);
    });
  };
  const save = (isAlways: boolean) =>
    next(async () => {
      try {
        if (isAlways || (await headHash(rpc)) !== last) last = await snapshot(rpc, store);
        // What is sent from now on could be lost by a kill, so it is refused before the first save that fails.
        onSave(store.isKept && (await store.isNearlyFull()) ? 'the disk is nearly full' : undefined);
      } catch (error) {
        wake();
        if (store.isKept && isOfDisk(error)) onSave(`the state cannot be saved (${error.code})`);
        if (!stop.signal.aborted) log.warn({ error: String(error) }, 'state of the Ethereum node not saved');
      }
    });
  const run = async () => {
    let rest = INTERVAL_MS;
    while (await sleep(rest, stop.signal)) {
      await newBlock;
      if (stop.signal.aborted) return;
      awaitBlock();
      const began = performance.now();
      await save(false);
      rest = Math.max(INTERVAL_MS, (performance.now() - began) * REST_PER_WORK);
    }
  };
  const stopListening = onBlock(() => wake());
  const running = run();
  return {
    /** Resolves when the present state is saved, or could not be. */
    save: shareNext(() => save(true)),
    /** Waits for a running dump. */
    stop(): Promise<void> {
      stop.abort();
      stopListening();
      wake();
      return running;
    },
  };
}

/** Not the failure of a call to the node. */
const isOfDisk = (error: unknown): error is { code: string } =>
  /^E[A-Z]+$/.test(String((error as { code?: unknown }).code)) &&
  (error as { syscall?: unknown }).syscall !== 'connect';

/** Returns the hash of a block that the saved state contains. */
export async function snapshot(rpc: JsonRpc, store: StateStore): Promise<string> {
  const saved = await store.journal.dumping(rpc);
  const head = await headHash(rpc);
  const dump = await rpc.call<string>('anvil_dumpState');
  await store.save(Buffer.from(dump.slice(2), 'hex'));
  await saved(head);
  return head;
}

export const headHash = async (rpc: JsonRpc): Promise<string> =>
  (await rpc.call<{ hash: string }>('eth_getBlockByNumber', 'latest', false)).hash;
