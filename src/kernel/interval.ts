/** Calls `wake` every `ms` milliseconds. The returned function ends that. Does not keep the process alive. */
export function interval(ms: number, wake: () => void): () => void {
  const timer = setInterval(wake, ms);
  timer.unref();
  return () => clearInterval(timer);
}

/** Calls `wake` again and again, each time after `delayMs()`, until the returned function is called. Keeps no process alive. */
export function repeat(delayMs: () => number, wake: () => void): () => void {
  let timer: NodeJS.Timeout;
  const arm = () => {
    timer = setTimeout(() => {
      wake();
      arm();
    }, delayMs()).unref();
  };
  arm();
  return () => clearTimeout(timer);
}

/** Calls `wake` once, after `ms` milliseconds, unless the returned function is called before. Keeps no process alive. */
export function later(ms: number, wake: () => void): () => void {
  const timer = setTimeout(wake, ms).unref();
  return () => clearTimeout(timer);
}

/** Resolves after `ms` milliseconds. Keeps the process alive until then. */
export const sleep = (ms: number): Promise<void> => new Promise(resolve => setTimeout(resolve, ms));

/** Resolves in the next turn of the event loop: requests come first. */
export const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

/** Settles as the first of `promises`, or resolves with undefined after `ms`. What comes later is nobody's. */
export function firstWithin<T>(ms: number, promises: readonly Promise<T>[]): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timeout = Number.isFinite(ms) ? setTimeout(() => resolve(undefined), ms) : undefined;
    const end =
      <V>(settle: (value: V) => void) =>
      (value: V) => {
        clearTimeout(timeout);
        settle(value);
      };
    for (const promise of promises) promise.then(end(resolve), end(reject));
  });
}
