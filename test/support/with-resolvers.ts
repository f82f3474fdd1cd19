/** A promise, and what resolves it: Node 20 has no Promise.withResolvers. */
export function withResolvers<T>() {
  let resolve: (value: T) => void = () => {};
  const promise = new Promise<T>(settle => {
    resolve = settle;
  });
  return { promise, resolve };
}
