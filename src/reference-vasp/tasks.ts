import type { Log } from '../kernel/log.ts';
import { createLoop, type Loop } from '../timers/loop.ts';

/**
 * Undefined: the task is done. Otherwise the milliseconds after which it looks again; `later`: ever more. `attempt` counts
 * from 0 since the task was last asked for.
 */
export type Step = (attempt: number) => Promise<number | 'later' | undefined>;

export type Tasks = ReturnType<typeof createTasks>;

interface Task {
  loop: Loop;
  attempts: number;
  turn: Promise<void> | undefined;
  /** Since the present turn has begun. */
  isAskedAgain: boolean;
}

/** A pause grows to this many times its first length: after a failure, and between two looks. */
const MAX_TIMES = { failure: 10, later: 40 };

/**
 * Work that goes on until it is done. After a restart the database says which tasks there are. A failure is logged once,
 * until another one follows.
 */
export function createTasks(retryMs: number, log: Log) {
  const tasks = new Map<string, Task>();
  let isStopped = false;

  function begin(key: string, step: Step): Task {
    let failures = 0;
    let last = '';
    const failed = (err: unknown): number => {
      if (last !== String(err)) log.warn({ err, key }, 'a task is repeated');
      last = String(err);
      failures += 1;
      return retryMs * Math.min(failures, MAX_TIMES.failure);
    };
    const turn = async (): Promise<void> => {
      task.isAskedAgain = false;
      const again = await step(task.attempts++).catch(failed);
      task.turn = undefined;
      if (isStopped) return;
      if (task.isAskedAgain) task.loop.soon();
      else if (again === 'later') task.loop.within(retryMs * Math.min(task.attempts, MAX_TIMES.later));
      else if (again !== undefined) task.loop.within(again);
      else {
        task.loop.stop();
        tasks.delete(key);
      }
    };
    const look = () => {
      task.isAskedAgain = true;
      task.turn ??= turn();
    };
    const task: Task = { loop: createLoop(look), attempts: 0, turn: undefined, isAskedAgain: false };
    return task;
  }

  return {
    /** Begins a task. A task of this key that waits looks at once. A step that throws is repeated. */
    run(key: string, step: Step): void {
      const task = tasks.get(key) ?? begin(key, step);
      tasks.set(key, task);
      task.attempts = 0;
      // The turn may be about to end, and would stop the loop.
      task.isAskedAgain = true;
      task.loop.soon();
    },
    /** The time has been moved: every task that waits looks at once. */
    lookAgain(): void {
      for (const { loop } of tasks.values()) loop.soon();
    },
    /** Resolves when every task has stopped. */
    async stop(): Promise<void> {
      isStopped = true;
      for (const { loop } of tasks.values()) loop.stop();
      await Promise.all([...tasks.values()].map(({ turn }) => turn));
    },
  };
}
