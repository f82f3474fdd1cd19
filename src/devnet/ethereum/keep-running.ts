import { setTimeout as delay } from 'node:timers/promises';
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

export interface KeptRunning {
  readonly node: GuardedProcess;
  /** Listens to ends that nobody asked for. Returns a function that stops listening. */
  onExit(listener: (exit: Exit) => void): () => void;
  /** Listens to restarts. Returns a function that stops listening. */
  onRestart(listener: () => void): () => void;
  /** Ends the restarts; `end` ends the node. */
  stop(end: (node: GuardedProcess) => Promise<void>): Promise<void>;
}

/** Restarts the node whenever it ends by itself. Throws when the first start fails. */
export async function keepRunning(start: () => Promise<Running>, log: Log): Promise<KeptRunning> {
  const stopping = new AbortController();
  const exits = new Set<(exit: Exit) => void>();
  const restarts = new Set<() => void>();
  const pause = () => delay(PAUSE_MS, undefined, { signal: stopping.signal }).catch(() => {});
  let current = await start();

  const restarted = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        current = await start();
        for (const listener of restarts) listener();
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
      for (const listener of exits) listener(exit);
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
    onExit: listener => listen(exits, listener),
    onRestart: listener => listen(restarts, listener),
    async stop(end) {
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

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
