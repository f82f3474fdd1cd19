import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWellFormed } from '../../src/kernel/json.ts';

const PARTS = ['\ud83d', '\ude00', '\\', '"', 'ud83d', 'a', '\ue000'];
const escaped = (text: string): string =>
  `"${[...Array(text.length).keys()].map(at => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`).join('')}"`;

test('any text, escaped or not: it is well-formed where each half of a surrogate pair has the other one', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...PARTS)), parts => {
      const text = parts.join('');
      expect(isWellFormed(JSON.stringify({ [text]: [text] })), 'as JSON.stringify writes it').toBe(text.isWellFormed());
      expect(isWellFormed(escaped(text)), 'escaped').toBe(text.isWellFormed());
      expect(isWellFormed(escaped(text).toUpperCase().replaceAll('\\U', '\\u'))).toBe(text.isWellFormed());
    }),
  );
});

test('text that looks like an escape is none, before half of a pair, too', () => {
  for (const text of ['\\ud83d\ude00', '\\\ud83d', '\ud83d\\ude00'])
    expect(isWellFormed(JSON.stringify(text)), JSON.stringify(text)).toBe(false);
  expect(isWellFormed(JSON.stringify('\\ud83d \\ude00 \ud83d\ude00'))).toBe(true);
});
