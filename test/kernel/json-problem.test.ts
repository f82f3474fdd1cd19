import { expect, test } from 'vitest';
import { jsonProblem } from '../../src/kernel/json.ts';

test.each(['{"a": 1,\n "b" 2}', '[1, 2', '', '{} x', '\ufeff{}'])('%j is not JSON', text => {
  expect(jsonProblem(text)).toMatch(/\p{L}/u);
});

test('JSON has no problem', () => {
  expect(jsonProblem(' {"a": [1, null]}\n')).toBeUndefined();
});

test('the problem is one line, and shows what nobody sees', () => {
  expect(jsonProblem('[1,\u200b\n2]')).toContain('⟨U+200B⟩');
  expect(jsonProblem('{\n "a": ,}')).not.toMatch(/\n|U\+000A/);
});

test.each([
  ['{"a": 1,\n "b" 2}', 'line 2, column 6'],
  ['{\n  "a": 1,\n}', 'line 3, column 1'],
  ['[1 2]', 'line 1, column 4'],
])('%j names the place', (text, place) => {
  expect(jsonProblem(text)).toContain(`(${place})`);
});
