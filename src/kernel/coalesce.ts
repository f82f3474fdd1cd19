/**
 * Calls without an `await` between them share one answer: `ask` runs once for all of them. A later call runs `ask`
 * again, so an answer is never older than its call.
 */
export function coalesce<T>(ask: () => Promise<T>): () => Promise<T> {
  let answer: Promise<T> | undefined;
  return () => {
    if (!answer) {
      queueMicrotask(() => {
        answer = undefined;
      });
      answer = ask();
    }
    return answer;
  };
}
