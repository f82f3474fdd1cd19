import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonRpc } from '../../kernel/json-rpc.ts';
import type { Log } from '../../kernel/log.ts';
import type { Exit, GuardedProcess } from './guarded-process.ts';

/** A node that ends twice within this time is restarted after a pause. */
const SHORT_LIFE_MS = 5_000;
const PAUSE_MS = 500;

export interface Running {
  readonly node: GuardedProcess;
  /** Stops what was started with the node; the node may have ended already. */
  cleanUp(): Promise<void>;
}

export type KeptRunning = Awaited<ReturnType<typeof keepRunning>>;

/** Restarts the node whenever it ends by itself. Throws when the first start fails. */
export async function keepRunning(start: () => Promise<Running>, log: Log) {
  const stopping = new AbortController();
  const events = new EventEmitter<{ exit: [Exit]; restart: [] }>();
  const pause = () => sleep(PAUSE_MS, stopping.signal);
  let current = await start();

  const restarted = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        current = await start();
        events.emit('restart');
        return;
      } catch (error) {
        log.error({ error: String(error) }, 'the Ethereum node could not be restarted');
        await pause();
      }
    }
  };
  const watch = async () => {
    let shortLives = 0;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const exit = await current.node.exited;
      await current.cleanUp();
      if (stopping.signal.aborted) return;
      log.warn({ ...exit, stderr: current.node.stderrTail() }, 'the Ethereum node ended and is restarted');
      events.emit('exit', exit);
      shortLives = performance.now() - since < SHORT_LIFE_MS ? shortLives + 1 : 0;
      if (shortLives > 1) await pause();
      await restarted();
    }
  };
  const watching = watch();

  return {
    get node() {
      return current.node;
    },
    /** `exit`: an end that nobody asked for. */
    events,
    /** Ends the restarts; `end` ends the node. */
    async stop(end: (node: GuardedProcess) => Promise<void>): Promise<void> {
      stopping.abort();
      await current.cleanUp();
      await end(current.node);
      await watching;
      // A restart may have begun just before `stopping` was set.
      await current.cleanUp();
      await end(current.node);
    },
  };
}

/** False: the signal has ended the wait. */
export const sleep = (ms: number, signal: AbortSignal): Promise<boolean> =>
  delay(ms, true, { signal }).catch(() => false);

const EVERY_MS = 5_000;
const ANSWER_WITHIN_MS = 7_000;
const FAILURES = 2;
/** Longest time for the node to save its state. */
const SAVED_WITHIN_MS = 12_000;

/** Ends a node that has stopped answering; it saves its state first, if it still can. Returns a function that stops it. */
export function watchdog(url: string, node: GuardedProcess, log: Log): () => Promise<void> {
  const stop = new AbortController();
  const rpc = jsonRpc(url, ANSWER_WITHIN_MS);
  const run = async () => {
    let failures = 0;
    while (node.running && (await sleep(EVERY_MS, stop.signal))) {
      do failures = (await answers(rpc)) ? 0 : failures + 1;
      while (failures === 1 && !stop.signal.aborted);
      if (failures < FAILURES || stop.signal.aborted) continue;
      log.error({ pid: node.pid }, 'the Ethereum node does not answer and is replaced');
      node.kill('SIGTERM');
      // A stopped process gets the signal when it goes on.
      node.kill('SIGCONT');
      await Promise.race([node.exited, sleep(SAVED_WITHIN_MS, stop.signal)]);
      if (!stop.signal.aborted) node.kill('SIGKILL');
      return;
    }
  };
  const running = run();
  return async () => {
    stop.abort();
    await running;
    await rpc.close();
  };
}

/** Reads the head and the state, which another call may hold. */
const answers = (rpc: ReturnType<typeof jsonRpc>): Promise<boolean> =>
  Promise.all([
    rpc.call('eth_getBlockByNumber', 'latest', false),
    rpc.call('eth_getBalance', `0x${'00'.repeat(20)}`, 'latest'),
  ]).then(
    () => true,
    () => false,
  );
