import fc from 'fast-check';
import { expect, test } from 'vitest';
import { jsonProblem } from '../../src/kernel/json.ts';

test.each([
  ['{"a": 1,\n "b" 2}', { line: 2, column: 6, message: 'a colon should stand here' }],
  ['{"a": 1,}', { line: 1, column: 9, message: 'a name in double quotes should stand here' }],
  ["{'a': 1}", { line: 1, column: 2, message: 'a name in double quotes or } should stand here' }],
  ['[1, 2', { line: 1, column: 6, message: 'the text ends, but a comma or ] should follow' }],
  ['{"a": 01}', { line: 1, column: 7, message: 'a value should stand here' }],
  ['', { line: 1, column: 1, message: 'the text ends, but a value should follow' }],
  ['{"a"\u00a0: 1}', { line: 1, column: 5, message: 'a colon should stand here, not ⟨U+00A0⟩' }],
  ['\ufeff{}', { line: 1, column: 1, message: 'a value should stand here, not ⟨U+FEFF⟩' }],
  ['[1,\u200b2]', { line: 1, column: 4, message: 'a value should stand here, not ⟨U+200B⟩' }],
  ['{} x', { line: 1, column: 4, message: 'nothing more should stand here' }],
  ['{\n  "a": [1,\n  2\n  "b"]\n}', { line: 4, column: 3, message: 'a comma or ] should stand here' }],
])('%j', (text, problem) => {
  expect(jsonProblem(text)).toEqual(problem);
});

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

test('finds a problem exactly where JSON.parse does', () => {
  const spoilt = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', '"', '}', ']', ':', '0', 'x', '\n'))
    .map(
      ([json, at, extra]) => json.slice(0, at % (json.length + 1)) + extra + json.slice((at % (json.length + 1)) + 1),
    );
  fc.assert(fc.property(fc.oneof(fc.json(), spoilt), text => (jsonProblem(text) === undefined) === isJson(text)));
});
