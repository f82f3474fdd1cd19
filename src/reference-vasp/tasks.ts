import type { Log } from '../kernel/log.ts';
import { createLoop, type Loop } from '../timers/loop.ts';

/** Undefined: the task is done. Otherwise the milliseconds after which it looks again. `attempt` counts from 0. */
export type Step = (attempt: number) => Promise<number | undefined>;

export type Tasks = ReturnType<typeof createTasks>;

interface Task {
  loop: Loop;
  turn: Promise<void> | undefined;
}

/** The pause grows to this many times its first length. */
const MOST_TIMES = 10;

/**
 * Work that goes on until it is done. After a restart the database says which tasks there are. A failure is logged once,
 * until another one follows.
 */
export function createTasks(retryMs: number, log: Log) {
  const tasks = new Map<string, Task>();
  let isStopped = false;

  function begin(key: string, step: Step): Task {
    let attempt = 0;
    let isAskedAgain = false;
    let failures = 0;
    let last = '';
    const failed = (err: unknown): number => {
      if (last !== String(err)) log.warn({ err, key }, 'a task is repeated');
      last = String(err);
      failures += 1;
      return retryMs * Math.min(failures, MOST_TIMES);
    };
    const turn = async (): Promise<void> => {
      isAskedAgain = false;
      const againMs = await step(attempt++).catch(failed);
      task.turn = undefined;
      if (isStopped) return;
      if (isAskedAgain) task.loop.soon();
      else if (againMs !== undefined) task.loop.within(againMs);
      else {
        task.loop.stop();
        tasks.delete(key);
      }
    };
    const look = () => {
      isAskedAgain = true;
      task.turn ??= turn();
    };
    const task: Task = { loop: createLoop(look), turn: undefined };
    return task;
  }

  return {
    /** Begins a task. A task of this key that waits looks at once. A step that throws is repeated. */
    run(key: string, step: Step): void {
      const task = tasks.get(key) ?? begin(key, step);
      tasks.set(key, task);
      task.loop.soon();
    },
    /** Resolves when every task has stopped. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { loop } of tasks.values()) loop.stop();
      await Promise.all([...tasks.values()].map(({ turn }) => turn));
    },
  };
}
