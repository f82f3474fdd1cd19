import type { Log } from '../kernel/log.ts';
import type { Pulse } from './pulse.ts';

/** True: the task is done. `attempt` counts from 0. */
export type Step = (attempt: number) => Promise<boolean>;

/** Work that goes on until it is done. After a restart the database says which tasks there are. */
export interface Tasks {
  /** Repeats `step` at every change, and after `retryMs`. A step that throws is repeated. One task for each key. */
  run(key: string, step: Step): void;
  /** Resolves when every task has stopped. */
  stopped(): Promise<void>;
}

export function createTasks(pulse: Pulse, retryMs: number, log: Log): Tasks {
  const running = new Map<string, Promise<void>>();
  const askedAgain = new Set<string>();

  async function repeat(key: string, step: Step): Promise<void> {
    for (let attempt = 0; !pulse.isStopped; attempt++) {
      askedAgain.delete(key);
      const isDone = await step(attempt).catch(err => {
        log.warn({ err, key }, 'a task is repeated');
        return false;
      });
      if (isDone && !askedAgain.has(key)) break;
      if (!isDone) await pulse.next(retryMs);
    }
    running.delete(key);
  }
  return {
    run(key, step) {
      if (running.has(key)) askedAgain.add(key);
      else
        running.set(
          key,
          Promise.resolve().then(() => repeat(key, step)),
        );
    },
    stopped: async () => void (await Promise.all(running.values())),
  };
}

/** Runs one work after another. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const next = last.then(work, work);
    last = next.catch(() => {});
    return next;
  };
}
