import * as z from 'zod';
import { formatDuration, parseDuration } from '../kernel/duration.ts';

/** Query parameters that several operations of `/sandbox/v1` share. */

const DURATION = 'should be a duration such as `10m`, `90s` or `1h`';

export const duration = (maxMs: number) =>
  z
    .string()
    .refine(value => (parseDuration(value) ?? -1) >= 0, { error: DURATION, abort: true })
    .refine(value => parseDuration(value)! <= maxMs, { error: `should be at most ${formatDuration(maxMs)}` })
    .meta({ description: 'A number and its unit: `90s`, `10m`, `1h`.', examples: ['10m'] })
    .transform(value => parseDuration(value)!);

export const position = z
  .string()
  .regex(/^\d{1,15}$/, { error: 'should be a position from a previous answer' })
  .transform(Number);
/** A count over a list that grows stops here. */
export const MOST_COUNTED = 10_000;
export const total = z
  .number()
  .int()
  .nullable()
  .describe(
    `How many there are on all pages. null: they are not counted by this filter. Exchanges, callbacks and timers are counted up to ${MOST_COUNTED}; ${MOST_COUNTED + 1} says that there are more.`,
  );
export const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'should be a whole number from 1 to 999' })
  .transform(Number)
  .default(100);
