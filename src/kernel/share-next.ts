/** One call of `ask` at a time. Callers meanwhile share the next one: no answer is older than its request. */
export function shareNext<T>(ask: () => Promise<T>): () => Promise<T> {
  let running: Promise<void> | undefined;
  let next: Promise<T> | undefined;

  function start(): Promise<T> {
    next = undefined;
    const call = ask();
    const end: Promise<void> = call.then(
      () => {},
      () => {},
    );
    running = end;
    void end.then(() => {
      if (running === end) running = undefined;
    });
    return call;
  }

  return () => {
    if (!running) return start();
    next ??= running.then(start);
    return next;
  };
}
