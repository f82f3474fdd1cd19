export const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

type Unit = keyof typeof UNIT_MS;
const PART = /(\d{1,12})(\.\d{1,3})?(ms|s|m|h|d)/gy;

/**
 * `"1s"`, `"10m"`, `"1h30m"`, `"1.5h"`, `"250ms"` or `"0"` -> milliseconds; undefined for other text. Whoever writes another
 * number without a unit may mean seconds or minutes.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  const parts = [...trimmed.matchAll(PART)];
  if (parts.length === 0 || parts.map(([part]) => part).join('') !== trimmed) return undefined;
  const units = parts.map(([, , , unit]) => UNIT_MS[unit as Unit]);
  // From the largest unit on, each at most once, with a fraction only in the last.
  const isOrdered = units.every((unit, i) => i === 0 || unit < units[i - 1]!);
  if (!isOrdered || parts.slice(0, -1).some(([, , fraction]) => fraction)) return undefined;
  return Math.round(parts.reduce((sum, [, whole, fraction = ''], i) => sum + Number(whole + fraction) * units[i]!, 0));
}

/** Milliseconds -> the shortest exact text, e.g. 600000 -> `"10m"`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const)
    if (ms >= UNIT_MS[unit] && ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`;
  return `${ms}ms`;
}
