import { expect, test } from 'vitest';
import { InputTimestamp, parseDay, parseTimestamp, Timestamp } from '../../src/contract/time.ts';

test.each([
  ['2022-03-03T12:45:34.085Z', '2022-03-03T12:45:34.085Z'],
  ['20220303T124534.085Z', '2022-03-03T12:45:34.085Z'],
  ['2022-03-03T12:45:34+09:00', '2022-03-03T03:45:34.000Z'],
  ['2022-03-03T12:45:34-03:30', '2022-03-03T16:15:34.000Z'],
  ['2022-01-01T00:00:00+09:00', '2021-12-31T15:00:00.000Z'],
  ['2022-03-03T12:45:34Z', '2022-03-03T12:45:34.000Z'],
  ['2022-03-03T12:45:34.5Z', '2022-03-03T12:45:34.500Z'],
  ['2024-02-29T23:59:59.999Z', '2024-02-29T23:59:59.999Z'],
  ['2000-02-29T00:00:00.000Z', '2000-02-29T00:00:00.000Z'],
])('the input %s is %s', (input, output) => {
  expect(InputTimestamp.parse(input)).toBe(output);
  expect(parseTimestamp(input)).toBe(Date.parse(output));
});

test.each([
  '2023-02-29T00:00:00.000Z',
  '1900-02-29T00:00:00.000Z',
  '2022-04-31T00:00:00.000Z',
  '2022-13-01T00:00:00.000Z',
  '2022-00-10T00:00:00.000Z',
  '2022-01-00T00:00:00.000Z',
  '2022-01-01T24:00:00.000Z',
  '2022-01-01T00:60:00.000Z',
  '2022-01-01T00:00:60.000Z',
  '2022-01-01T00:00:00+24:00',
  '2022-01-01T00:00:00+0900',
  '2022-01-01T00:00:00.0000Z',
  '2022-01-01T00:00:00.000',
  '2022-01-01 00:00:00.000Z',
  '2022-01-01',
  '1646311534085',
  '0022-01-01T00:00:00.000Z',
  // Not with four digits in UTC.
  '9999-12-31T23:59:59-12:00',
  '0100-01-01T00:00:00+14:00',
  ' 2022-01-01T00:00:00.000Z',
  '2022-01-01T00:00:00.000Z\n',
  'yesterday',
  '',
])('the input %j is no time', input => {
  expect(InputTimestamp.safeParse(input).success).toBe(false);
});

test('REF-2: an output has milliseconds and is in UTC', () => {
  expect(Timestamp.safeParse('2022-03-03T12:45:34.085Z').success).toBe(true);
  for (const other of ['2022-03-03T12:45:34Z', '2022-03-03T12:45:34+09:00', '2022-02-30T12:45:34.085Z'])
    expect(Timestamp.safeParse(other).success).toBe(false);
});

test('D-04: a day is a real day in UTC', () => {
  expect(parseDay('2024-02-29')).toBe(Date.UTC(2024, 1, 29));
  expect(parseDay('1970-01-01')).toBe(0);
  for (const none of ['2023-02-29', '2022-06-31', '2022-1-1', '20220101', '2022-01-01T00:00:00.000Z'])
    expect(parseDay(none)).toBeUndefined();
});
