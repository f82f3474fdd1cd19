import { expect, test } from 'vitest';
import { wholeIds } from '../../src/kernel/json.ts';

const LONG = '12345678901234567890';
const answerTo = (text: string, deepest: number): string => {
  const { text: marked, restored } = wholeIds(text, deepest);
  return restored(JSON.stringify(JSON.parse(marked)));
};

test.each([
  `{"id":${LONG}}`,
  `[{"id":${LONG},"method":"a"},{"id":-${LONG}},{"id":1}]`,
  `{"a":"\\"id\\":1","id":${LONG},"b":"{[\\\\"}`,
  `{"id":"${LONG}"}`,
  '{"id":1.0}',
  '{"id":-0}',
  '{"id":0}',
  '{"id":9007199254740991}',
])('%s: the ids come back as they came', text => {
  expect(answerTo(text, 2)).toBe(text);
});

test('a number that is deeper than an id stays a number', () => {
  const text = `[{"id":1.5e3,"params":[{"id":${LONG}}]}]`;
  expect(answerTo(text, 2)).toBe(`[{"id":1.5e3,"params":[{"id":${Number(LONG)}}]}]`);
});

test('a text that is no JSON stays none', () => {
  for (const text of [`{"id":${LONG}`, `"id":${LONG}`, `{"id":1e}`, `{"id":${LONG}`.padEnd(200, '"')])
    expect(() => JSON.parse(wholeIds(text, 2).text)).toThrow();
});

test('an answer that holds the mark of no id keeps it', () => {
  const { restored } = wholeIds(`{"id":${LONG}}`, 1);
  expect(restored('["\\u0001id 7","\\u0001id 0"]')).toBe(`["\\u0001id 7",${LONG}]`);
});
