import * as z from 'zod';
import { MOST_COUNTED } from '../contract/most-counted.ts';
import { optional } from '../contract/text.ts';
import { formatDuration, parseDuration } from '../kernel/duration.ts';
import { upTo } from '../kernel/number-pattern.ts';

/** Query parameters that several operations of `/sandbox/v1` share. */

const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

/** A part below the first one is less than the unit above it, as in `1h30m`. */
const BELOW = [
  ['h', '(?:1?\\d|2[0-3])'],
  ['m', '[1-5]?\\d'],
  ['s', '[1-5]?\\d(?:\\.\\d{1,3})?'],
  ['ms', '(?:0|[1-9]\\d{0,2})'],
] as const;

/** What may follow the largest part: `30m`, `30m15s`, `15.5s`. */
const smallerParts = (unit: keyof typeof UNITS): string => {
  const parts = BELOW.filter(([name]) => UNITS[name] < UNITS[unit]).map(
    ([name, most]) => `(?:${most}${name})?`,
  );
  return parts.length === 0 ? '' : `(?=\\d)${parts.join('')}`;
};

/** A bare number counts as milliseconds. `leastMs`: 0 or 1. */
export const durationPattern = (maxMs: number, leastMs = 0): string => {
  const forms = Object.entries(UNITS).map(([name, ms]) => {
    const unit = name as keyof typeof UNITS;
    const most = Math.floor(maxMs / ms);
    const whole = upTo(BigInt(most));
    if (ms === 1) return `${whole}(?:${unit})?`;
    if (most === 0) return `0${unit}`;
    const below = upTo(BigInt(most - 1));
    return `(?:${whole}|${below}\\.\\d{1,3})${unit}|${below}${unit}${smallerParts(unit)}`;
  });
  const notZero = leastMs > 0 ? '(?!(?:0+(?:\\.0+)?[a-z]*)+$)' : '';
  return `^${notZero}(?:${forms.join('|')})$`;
};

export const duration = (maxMs: number) =>
  z
    .string()
    .regex(new RegExp(durationPattern(maxMs)), {
      error: `should be a duration such as \`10m\`, \`90s\` or \`1h30m\`, at most ${formatDuration(maxMs)}`,
    })
    .meta({ description: 'Numbers with their units: `90s`, `10m`, `1h30m`.', examples: ['10m'] })
    .transform(value => parseDuration(value)!);

export const position = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'should be a position from a previous answer' })
  .transform(Number);
/** The position at which a page begins. */
export const readOnFrom = optional(position).describe(
  'Position to read on from: `next` of the previous answer.',
);
/** The position of the next page. `parameter`: the name of the parameter that takes it. */
export const nextPage = (parameter: 'before' | 'after') =>
  z
    .string()
    .nullable()
    .describe(`Send it as \`${parameter}\` to read the next page; null: this is the last page.`);
export const total = z
  .number()
  .int()
  .nullable()
  .describe(
    `Number of entries on all pages. null: this filter does not count them. Exchanges, callbacks and timers are counted up to ${MOST_COUNTED}; ${MOST_COUNTED + 1} means that there are more.`,
  );
export const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'should be a whole number from 1 to 999' })
  .transform(Number)
  .default(100)
  .describe('Largest number of entries, 1 to 999.');
