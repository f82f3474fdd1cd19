/** Calls `wake` every `ms` milliseconds until the answered function is called. Keeps no process alive. */
export function interval(ms: number, wake: () => void): () => void {
  const timer = setInterval(wake, ms);
  timer.unref();
  return () => clearInterval(timer);
}
