import * as z from 'zod';
import { toIso } from '../kernel/clock.ts';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** A day that exists, from the year 100 on, as the source of a regular expression. */
const realDay = (separator: string): string =>
  `(?!00)${z.regexes.date.source.slice(1, -1).replaceAll(/-(?!\d\])/g, separator)}`;
const HOUR = '(?:[01]\\d|2[0-3])';
const time = (separator: string): string => `${HOUR}${separator}[0-5]\\d${separator}[0-5]\\d(?:\\.\\d{1,3})?`;

const DAY = new RegExp(`^${realDay('-')}$`);
/** `YYYY-MM-DDThh:mm:ss.sssZ`, `YYYYMMDDThhmmss.sssZ`, `YYYY-MM-DDThh:mm:ss±hh:mm`; the fraction may be left out. */
const INPUT = new RegExp(`^(?:${realDay('-')}T${time(':')}(?:Z|[+-]${HOUR}:[0-5]\\d)|${realDay('')}T${time('')}Z)$`);

/** One of the accepted forms -> epoch milliseconds; undefined for other text or a time that does not exist. */
export function parseTimestamp(text: string): number | undefined {
  if (!INPUT.test(text)) return undefined;
  return Date.parse(text.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)/, '$1-$2-$3T$4:$5:'));
}

/** `YYYY-MM-DD` -> epoch milliseconds of its first moment in UTC; undefined for a day that does not exist. */
export const parseDay = (text: string): number | undefined => (DAY.test(text) ? Date.parse(text) : undefined);

/** A time in an answer: ISO 8601, UTC, milliseconds. */
export const Timestamp = z
  .string()
  .refine(text => TIMESTAMP.test(text) && INPUT.test(text), {
    error: 'should be an ISO 8601 UTC time with milliseconds',
  })
  .meta({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.', examples: ['2022-03-03T12:45:34.085Z'] });

const NO_INPUT = {
  error: 'should be a real time written as YYYY-MM-DDThh:mm:ss.sssZ, YYYYMMDDThhmmss.sssZ or YYYY-MM-DDThh:mm:ss±hh:mm',
  abort: true,
};

/** A time in a request, in one of three forms. It is converted into the form of `Timestamp`. */
export const InputTimestamp = z
  .string()
  .regex(INPUT, NO_INPUT)
  .overwrite(text => toIso(parseTimestamp(text)!))
  // In UTC it may have another year.
  .refine(text => INPUT.test(text), NO_INPUT)
  .meta({
    description: '`YYYY-MM-DDThh:mm:ss.sssZ` (recommended), `YYYYMMDDThhmmss.sssZ` or `YYYY-MM-DDThh:mm:ss±hh:mm`.',
    examples: ['2022-03-03T12:45:34.085Z'],
  });

export const Day = z
  .string()
  .regex(DAY, { error: 'should be a real day written as YYYY-MM-DD' })
  .meta({ format: 'date', description: 'A day in UTC, YYYY-MM-DD.', examples: ['2022-03-03'] });
