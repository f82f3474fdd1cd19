const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** From the largest unit on, each at most once. Only the last part has a fraction. */
const UNITS = ['d', 'h', 'm', 's', 'ms'] as const;
const PARTS = UNITS.map(unit => `(?:(\\d{1,12}(?:\\.\\d{1,3}(?=${unit}$))?)${unit})?`);
const DURATION = new RegExp(`^(?=\\d)${PARTS.join('')}$`);

/**
 * `"1s"`, `"10m"`, `"1h30m"`, `"1.5h"`, `"250ms"` or `"0"` -> milliseconds; undefined for other text. Whoever writes another
 * number without a unit may mean seconds or minutes.
 */
export function parseDuration(text: string): number | undefined {
  const trimmed = text.trim();
  if (trimmed === '0') return 0;
  const [, ...parts] = DURATION.exec(trimmed) ?? [];
  if (parts.length === 0) return undefined;
  return Math.round(parts.reduce((sum, part = '0', i) => sum + Number(part) * UNIT_MS[UNITS[i]!], 0));
}

/** Milliseconds -> the shortest exact text, e.g. 600000 -> `"10m"`. */
export function formatDuration(ms: number): string {
  for (const unit of UNITS) if (ms >= UNIT_MS[unit] && ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`;
  return `${ms}ms`;
}

/** A part below the first one is less than the unit above it, as in `1h30m`. */
const BELOW = [
  ['h', '(?:1?\\d|2[0-3])'],
  ['m', '[1-5]?\\d'],
  // Only the last part has a fraction.
  ['s', '[1-5]?\\d(?:\\.\\d{1,3}(?=s$))?'],
  ['ms', '(?:0|[1-9]\\d{0,2})'],
] as const;

/** What may follow the largest part: `30m`, `30m15s`, `15.5s`. */
const smallerParts = (unit: keyof typeof UNIT_MS): string => {
  const parts = BELOW.filter(([name]) => UNIT_MS[name] < UNIT_MS[unit]).map(([name, max]) => `(?:${max}${name})?`);
  return parts.length === 0 ? '' : `(?=\\d)${parts.join('')}`;
};

/** For the texts of `parseDuration` up to `maxMs`. `leastMs`: 0 or 1. */
export const durationPattern = (maxMs: number, leastMs = 0): string => {
  const forms = Object.entries(UNIT_MS).map(([name, ms]) => {
    const unit = name as keyof typeof UNIT_MS;
    const max = Math.floor(maxMs / ms);
    const whole = upTo(BigInt(max));
    if (ms === 1) return `${whole}${unit}`;
    if (max === 0) return `0${unit}`;
    const below = upTo(BigInt(max - 1));
    return `(?:${whole}|${below}\\.\\d{1,3})${unit}|${below}${unit}${smallerParts(unit)}`;
  });
  const notZero = leastMs > 0 ? '(?!(?:0+(?:\\.0+)?[a-z]*)+$)' : '';
  return `^${notZero}(?:0|${forms.join('|')})$`;
};

/** Source of a regular expression: the whole numbers from 0 to `most`, without leading zeros. */
export function upTo(max: bigint): string {
  const digits = String(max);
  const shorter = digits.length > 1 ? [`[1-9]${repeated(digits.length - 2)}`, '0'] : [];
  const asLong = [...digits].flatMap((digit, at) => {
    const least = at === 0 && digits.length > 1 ? 1 : 0;
    const smaller = Number(digit) - 1;
    if (smaller < least) return [];
    return [digits.slice(0, at) + oneOf(least, smaller) + exactly(digits.length - at - 1)];
  });
  return `(?:${[...shorter, ...asLong, digits].join('|')})`;
}

const oneOf = (from: number, to: number): string => (from === to ? String(from) : `[${from}-${to}]`);
const repeated = (max: number): string => (max > 0 ? `\\d{0,${max}}` : '');
const exactly = (count: number): string => (count > 0 ? `\\d{${count}}` : '');
