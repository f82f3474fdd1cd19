import * as z from 'zod';
import { refusals } from '../contract/refusals.ts';
import { MAX_COUNTED, optional } from '../contract/text.ts';
import { durationPattern, formatDuration, parseDuration } from '../kernel/duration.ts';
import { firstAborted } from '../kernel/turns.ts';
import { expiresIn } from '../timers/loop.ts';

/** Query parameters that several operations of `/sandbox/v1` share. */

export const duration = (maxMs: number) =>
  z
    .string()
    .regex(new RegExp(durationPattern(maxMs)), {
      error: `should be a duration such as ${maxMs < 600_000 ? '`30s`' : '`10m`, `90s` or `1h30m`'}, at most ${formatDuration(maxMs)}`,
    })
    .meta({
      description: 'Numbers with their units: `90s`, `10m`, `1h30m`.',
      examples: [maxMs < 600_000 ? formatDuration(maxMs) : '10m'],
    })
    .transform(value => parseDuration(value)!);

export const POSITION = /^\d{1,15}$/;
export const position = z
  .string()
  .regex(POSITION, { error: 'should be a position from a previous answer' })
  .transform(Number);
/** The position at which a page begins. */
export const readOnFrom = optional(position).describe('Position to read on from: `next` of the previous answer.');
/** The position of the next page. `parameter`: the name of the parameter that takes it. */
export const nextPage = (parameter: 'before' | 'after') =>
  z.string().nullable().describe(`Send it as \`${parameter}\` to read the next page; null: this is the last page.`);
export const total = z
  .number()
  .int()
  .nullable()
  .describe(
    `Number of entries on all pages. null: this filter does not count them. Verifications, exchanges, callbacks and timers are counted up to ${MAX_COUNTED}; ${MAX_COUNTED + 1} means that there are more.`,
  );
export const limit = z
  .string()
  .regex(/^[1-9]\d{0,2}$/, { error: 'should be a whole number from 1 to 999' })
  .transform(Number)
  .default(100)
  .describe('Largest number of entries, 1 to 999.');

/** A limited number of open connections of one kind, so that nobody fills the memory with them. */
export type Places = ReturnType<typeof places>;

const MAX_PLACES = 1_000;

/** Of a read that waits. */
export const MAX_WAIT_MS = 60_000;

/** `what` in the plural, for the refusal. */
export function places(what: string) {
  let used = 0;
  /** Throws `Refusal` too-many. */
  function requireFree(): void {
    if (used >= MAX_PLACES) throw refusals.tooMany(what, MAX_PLACES);
  }
  /** Returns a function that gives the place back. */
  function take(): () => void {
    used += 1;
    return () => {
      used -= 1;
    };
  }
  return {
    requireFree,
    take,
    /** Waits in a place for at most `ms`, or until a signal aborts. Throws `Refusal` too-many. */
    async wait<T>(ms: number, ends: readonly AbortSignal[], wait: (until: AbortSignal) => Promise<T>): Promise<T> {
      if (ms > 0) requireFree();
      const until = firstAborted(...ends, expiresIn(ms));
      const leave = ms > 0 ? take() : () => {};
      return wait(until.signal).finally(() => {
        until.release();
        leave();
      });
    },
  };
}
