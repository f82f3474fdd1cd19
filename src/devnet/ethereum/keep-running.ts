import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '../../kernel/log.ts';
import type { Exit, GuardedProcess } from './guarded-process.ts';

/** A node that dies twice sooner than this after its start is started again with a pause. */
const SHORT_LIFE_MS = 5_000;
const PAUSE_MS = 500;

export interface Running {
  readonly node: GuardedProcess;
  /** Undoes what came with the start; the node may be gone already. */
  afterwards(): Promise<void>;
}

export interface KeptRunning {
  readonly node: GuardedProcess;
  onExit(listener: (exit: Exit) => void): () => void;
  onRestart(listener: () => void): () => void;
  /** No more restarts; `end` ends the node. */
  stop(end: (node: GuardedProcess) => Promise<void>): Promise<void>;
}

/** Starts the node again whenever it ends by itself. The first start's failure is thrown. */
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
        log.error({ error: String(error) }, 'the Ethereum node does not start again');
        await pause();
      }
    }
  };
  const watch = async () => {
    let shortLives = 0;
    while (!stopping.signal.aborted) {
      const since = performance.now();
      const exit = await current.node.exited;
      await current.afterwards();
      if (stopping.signal.aborted) return;
      log.warn({ ...exit, complaint: current.node.complaint() }, 'the Ethereum node died: starting it again');
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
      await current.afterwards();
      await end(current.node);
      await watching;
      // It may have been started once more just before `stopping` was seen.
      await current.afterwards();
      await end(current.node);
    },
  };
}

function listen<T>(listeners: Set<T>, listener: T): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
