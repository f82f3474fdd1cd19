import { tally } from './tally.ts';

/** Runs the work of each owner, at most so much at the same time. The rest waits in its order. */
export function atMostOfEach(most: number) {
  const running = tally();
  const waiting = new Map<string, (() => void)[]>();

  function begin(owner: string): Promise<void> | undefined {
    if (running.of(owner) < most) return void running.add(owner, 1);
    const queue = waiting.get(owner) ?? [];
    waiting.set(owner, queue);
    return new Promise(resolve => queue.push(resolve));
  }

  /** The next one takes the place. */
  function end(owner: string): void {
    const queue = waiting.get(owner);
    const next = queue?.shift();
    if (queue?.length === 0) waiting.delete(owner);
    if (next) return next();
    running.add(owner, -1);
  }

  return async <T>(owner: string, work: () => Promise<T>): Promise<T> => {
    await begin(owner);
    try {
      return await work();
    } finally {
      end(owner);
    }
  };
}

/** Runs one work after another. A failure of one stops no other. */
export function oneAtATime(): <T>(work: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  return work => {
    const next = last.then(work);
    last = next.catch(() => {});
    return next;
  };
}
