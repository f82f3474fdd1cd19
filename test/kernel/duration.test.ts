import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/kernel/duration.ts';

test.each([
  ['250ms', 250],
  ['1s', 1_000],
  ['1.5s', 1_500],
  ['10m', 600_000],
  ['1h', 3_600_000],
  ['2d', 172_800_000],
  ['0', 0],
  [' 5m ', 300_000],
  ['9m50s', 590_000],
  ['1h30m', 5_400_000],
  ['1d12h', 129_600_000],
  ['1h0m5.25s', 3_605_250],
  ['90m30s', 5_430_000],
  ['1m500ms', 60_500],
  ['0.5h', 1_800_000],
])('%s is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each([
  '',
  ' ',
  's',
  '10 m',
  '-1s',
  '+1s',
  '1e3',
  '1w',
  '10M',
  '1,5s',
  '.5s',
  '5.s',
  '30m1h',
  '1m1m',
  '1.5h30m',
  '1h30',
  '1h 30m',
  'NaN',
  '10',
  '5000',
  '1.5',
  '00',
  '1s\n2s',
])('%j is no duration', text => {
  expect(parseDuration(text)).toBeUndefined();
});

test.each([
  [0, '0ms'],
  [250, '250ms'],
  [1_000, '1s'],
  [90_000, '90s'],
  [600_000, '10m'],
  [86_400_000, '1d'],
])('%i ms is written %s', (ms, text) => {
  expect(formatDuration(ms)).toBe(text);
});

test('what is written is read back as the same time', () => {
  fc.assert(
    fc.property(fc.nat({ max: 10 ** 11 }), ms => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
});
