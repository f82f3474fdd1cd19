/** Token buckets, in memory. Times are monotonic milliseconds. */
export interface Bucket {
  /** 0: there is no token. */
  remaining: number;
  /** Seconds until there is a token, or until the bucket is full. */
  resetS: number;
  ok: boolean;
}

interface Level {
  tokens: number;
  at: number;
}

/** Most keys are strangers. Beyond this number the one that has asked least recently is forgotten. */
const MAX_KEPT = 20_000;

/** One bucket for each key. */
export function rateLimit(now: () => number) {
  /** The key that has asked least recently is the first. */
  const levels = new Map<string, Level>();

  function keep(key: string, level: Level): void {
    levels.delete(key);
    levels.set(key, level);
    if (levels.size > MAX_KEPT) levels.delete(levels.keys().next().value!);
  }

  function bucketOf(key: string, perSecond: number, burst: number, taken: 0 | 1): Bucket {
    const level = levels.get(key) ?? { tokens: burst, at: now() };
    const tokens = Math.min(burst, level.tokens + ((now() - level.at) / 1_000) * perSecond);
    const ok = tokens >= 1;
    const rest = ok ? tokens - taken : tokens;
    if (taken === 1) keep(key, { tokens: rest, at: now() });
    const missing = ok ? burst - rest : 1 - tokens;
    const resetS = perSecond === 0 ? 3_600 : Math.max(1, Math.ceil(missing / perSecond));
    return { ok, remaining: Math.floor(ok ? rest : 0), resetS };
  }

  return {
    /** Takes a token. `perSecond` tokens come back each second, up to `burst`. */
    take: (key: string, perSecond: number, burst: number): Bucket => bucketOf(key, perSecond, burst, 1),
    /** Takes nothing. */
    look: (key: string, perSecond: number, burst: number): Bucket => bucketOf(key, perSecond, burst, 0),
  };
}

/** Counts by key. A key whose count is 0 again is forgotten. */
export function tally() {
  const counts = new Map<string, number>();
  const of = (key: string): number => counts.get(key) ?? 0;
  return {
    of,
    add(key: string, change: 1 | -1): void {
      const count = of(key) + change;
      if (count === 0) counts.delete(key);
      else counts.set(key, count);
    },
  };
}

/** Longer texts seldom come again. */
const LONGEST = 2_000;

/** A pure function that keeps up to `maxKept` results, by their text. Then it begins anew. */
export function remember<T>(maxKept: number, make: (text: string) => T): (text: string) => T {
  const kept = new Map<string, T>();
  return text => {
    if (kept.has(text)) return kept.get(text)!;
    const made = make(text);
    if (text.length > LONGEST) return made;
    if (kept.size >= maxKept) kept.clear();
    kept.set(text, made);
    return made;
  };
}
