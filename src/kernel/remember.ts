/** Longer texts seldom come again. */
const LONGEST = 2_000;

/** A pure function that keeps up to `most` results, by their text. Then it begins anew. */
export function remember<T>(most: number, make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return text => {
    if (kept.has(text)) return kept.get(text)!;
    const made = make(text);
    if (text.length > LONGEST) return made;
    if (kept.size >= most) kept.clear();
    kept.set(text, made);
    return made;
  };
}
