/**
 * Calls made in one go, with nothing awaited between them, share one answer: what all of them ask is asked once. A
 * later call asks anew, so an answer is never older than the question.
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
