import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { shellWord } from '../../src/kernel/text.ts';

test('a text is one word of a shell, whatever stands in it', () => {
  const foreign = fc.string({ unit: 'binary', maxLength: 40 }).map(text => text.replaceAll('\0', ''));
  const texts = [
    '$(touch x)',
    '`id`',
    "it's",
    '"; id; "',
    '\\',
    '$HOME',
    "'",
    "'\\''",
    '\n! #',
    '',
    ...fc.sample(foreign, 200).map(text => text.toWellFormed()),
  ];
  const script = texts.map(text => `printf '%s\\0' ${shellWord(text)}`).join('\n');
  const printed = execFileSync('sh', ['-c', script]).toString().split('\0').slice(0, -1);
  expect(printed).toEqual(texts);
});
