import * as z from 'zod';
import { toIso } from '../kernel/clock.ts';

const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
/** `YYYY-MM-DDThh:mm:ss.sssZ`, `YYYYMMDDThhmmss.sssZ`, `YYYY-MM-DDThh:mm:ss±hh:mm`; the fraction may be left out. */
const INPUT_FORMS = [
  /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,3}))?(Z|[+-]\d{2}:\d{2})$/,
  /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(?:\.(\d{1,3}))?(Z)$/,
];

function utcMs(year: number, month: number, day: number, hour = 0, minute = 0, second = 0, ms = 0) {
  // `Date.UTC` reads a year below 100 as 19xx.
  if (year < 100 || month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 59) return undefined;
  const at = Date.UTC(year, month - 1, day, hour, minute, second, ms);
  // A day that the month does not have is one of the next month.
  return at < Date.UTC(year, month) ? at : undefined;
}

function offsetMs(zone: string): number | undefined {
  if (zone === 'Z') return 0;
  const [hours, minutes] = [Number(zone.slice(1, 3)), Number(zone.slice(4, 6))];
  if (hours > 23 || minutes > 59) return undefined;
  return (zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}

/** One of the accepted forms -> epoch milliseconds; undefined for other text or a time that does not exist. */
export function parseTimestamp(text: string): number | undefined {
  for (const form of INPUT_FORMS) {
    const match = form.exec(text);
    if (!match) continue;
    const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number);
    const local = utcMs(year!, month!, day!, hour, minute, second, Number((match[7] ?? '').padEnd(3, '0')));
    const offset = offsetMs(match[8]!);
    return local === undefined || offset === undefined ? undefined : local - offset;
  }
  return undefined;
}

/** `YYYY-MM-DD` -> epoch milliseconds of its first moment in UTC; undefined for a day that does not exist. */
export function parseDay(text: string): number | undefined {
  const match = DAY.exec(text);
  return match ? utcMs(Number(match[1]), Number(match[2]), Number(match[3])) : undefined;
}

/** The days that `utcMs` knows, as the source of a regular expression for the API document. */
function realDay(separator: string): string {
  const [ofAll, of30, of31] = ['0[1-9]|1\\d|2[0-8]', '29|30', '31'];
  const days = [
    `(?:0[1-9]|1[0-2])${separator}(?:${ofAll})`,
    `(?:0[13-9]|1[0-2])${separator}(?:${of30})`,
    `(?:0[13578]|1[02])${separator}${of31}`,
  ].join('|');
  const leapYear = '(?:\\d\\d(?:0[48]|[2468][048]|[13579][26])|(?:[02468][048]|[13579][26])00)';
  return `(?!00)(?:\\d{4}${separator}(?:${days})|${leapYear}${separator}02${separator}29)`;
}
const HOUR = '(?:[01]\\d|2[0-3])';
const time = (separator: string): string => `${HOUR}${separator}[0-5]\\d${separator}[0-5]\\d(?:\\.\\d{1,3})?`;

const isTimestamp = (text: string) => TIMESTAMP.test(text) && parseTimestamp(text) !== undefined;

/** A time in an answer: ISO 8601, UTC, milliseconds. */
export const Timestamp = z
  .string()
  .refine(isTimestamp, { error: 'should be an ISO 8601 UTC time with milliseconds' })
  .meta({ format: 'date-time', description: 'ISO 8601, UTC, milliseconds.', examples: ['2022-03-03T12:45:34.085Z'] });

/** A time in a request, in one of three forms. It is converted into the form of `Timestamp`. */
export const InputTimestamp = z
  .string()
  .refine(text => parseTimestamp(text) !== undefined, {
    error:
      'should be a real time written as YYYY-MM-DDThh:mm:ss.sssZ, YYYYMMDDThhmmss.sssZ or YYYY-MM-DDThh:mm:ss±hh:mm',
    abort: true,
  })
  .overwrite(text => toIso(parseTimestamp(text)!))
  .meta({
    pattern: `^(?:${realDay('-')}T${time(':')}(?:Z|[+-]${HOUR}:[0-5]\\d)|${realDay('')}T${time('')}Z)$`,
    description: '`YYYY-MM-DDThh:mm:ss.sssZ` (recommended), `YYYYMMDDThhmmss.sssZ` or `YYYY-MM-DDThh:mm:ss±hh:mm`.',
    examples: ['2022-03-03T12:45:34.085Z'],
  });

export const Day = z
  .string()
  .refine(text => parseDay(text) !== undefined, { error: 'should be a real day written as YYYY-MM-DD' })
  .meta({
    pattern: `^${realDay('-')}$`,
    format: 'date',
    description: 'A day in UTC, YYYY-MM-DD.',
    examples: ['2022-03-03'],
  });
