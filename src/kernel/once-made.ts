/** What is made at the first call, for all calls. After a failure the next call makes it again. */
export function onceMade<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make().catch(error => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
