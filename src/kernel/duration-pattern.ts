import { UNIT_MS } from './duration.ts';
import { upTo } from './number-pattern.ts';

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
  const parts = BELOW.filter(([name]) => UNIT_MS[name] < UNIT_MS[unit]).map(([name, most]) => `(?:${most}${name})?`);
  return parts.length === 0 ? '' : `(?=\\d)${parts.join('')}`;
};

/** For the texts of `parseDuration` up to `maxMs`. `leastMs`: 0 or 1. */
export const durationPattern = (maxMs: number, leastMs = 0): string => {
  const forms = Object.entries(UNIT_MS).map(([name, ms]) => {
    const unit = name as keyof typeof UNIT_MS;
    const most = Math.floor(maxMs / ms);
    const whole = upTo(BigInt(most));
    if (ms === 1) return `${whole}${unit}`;
    if (most === 0) return `0${unit}`;
    const below = upTo(BigInt(most - 1));
    return `(?:${whole}|${below}\\.\\d{1,3})${unit}|${below}${unit}${smallerParts(unit)}`;
  });
  const notZero = leastMs > 0 ? '(?!(?:0+(?:\\.0+)?[a-z]*)+$)' : '';
  return `^${notZero}(?:0|${forms.join('|')})$`;
};
