/** A pure function that remembers its results for up to `limit` texts. It asks again where the result was undefined. */
export function remembering<T>(limit: number, compute: (text: string) => T): (text: string) => T {
  const results = new Map<string, T>();
  return text => {
    const remembered = results.get(text);
    if (remembered !== undefined) return remembered;
    const result = compute(text);
    if (result === undefined) return result;
    if (results.size >= limit) results.clear();
    results.set(text, result);
    return result;
  };
}
