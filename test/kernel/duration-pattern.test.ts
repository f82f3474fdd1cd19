import { expect, test } from 'vitest';
import { durationPattern, parseDuration } from '../../src/kernel/duration.ts';

const DAY_MS = 86_400_000;
const matches = (text: string, maxMs: number, leastMs = 0) => new RegExp(durationPattern(maxMs, leastMs)).test(text);

test.each(['9m50s', '1h30m', '1d', '90s', '90m30s', '1d12h', '1.5h', '23h59m59.999s', '0s', '0', '1s500ms'])(
  '%s is a duration of at most two days',
  text => expect(matches(text, 1.5 * DAY_MS)).toBe(text !== '1d12h'),
);

test('what the pattern takes is a duration within the limit', () => {
  const numbers = ['0', '1', '9', '23', '59', '60', '1.5'];
  const texts = numbers.flatMap(a =>
    numbers.flatMap(b =>
      ['d', 'h', 'm', 's', 'ms'].flatMap(one => ['h', 'm', 's', 'ms'].map(two => `${a}${one}${b}${two}`)),
    ),
  );
  for (const maxMs of [0, 999, 60_000, 3_600_000, DAY_MS]) {
    for (const text of texts.filter(each => matches(each, maxMs))) {
      expect(parseDuration(text), text).toBeDefined();
      expect(parseDuration(text), text).toBeLessThanOrEqual(maxMs);
    }
    expect(matches('0s', maxMs, 1)).toBe(false);
    expect(matches('0m0s', maxMs, 1)).toBe(false);
  }
  expect(texts.filter(each => matches(each, DAY_MS)).length).toBeGreaterThan(100);
});

test.each([
  ['1m30.5s', true],
  ['40m51.960s25ms', false],
  ['51.960s25ms', false],
])('only the last part has a fraction: %s', (text, isDuration) => {
  expect(matches(text, DAY_MS)).toBe(isDuration);
  expect(parseDuration(text) !== undefined).toBe(isDuration);
});
