import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './support/paths.ts';
import { VARIABLES, WORDS } from './support/words.ts';

const files = [
  'README.md',
  ...readdirSync(join(ROOT, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.(tsx?|md|css|js)$/.test(path))
    .map(path => join('src', path)),
];
const texts = files.map(path => [path, readFileSync(join(ROOT, path), 'utf8')] as const);

/** `src/a.ts:7 …` for every line of `text` that says one of the words. */
const findWords = (path: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, i) => [
      ...WORDS.filter(({ pattern }) => pattern.test(line)).map(
        ({ why }) => `${path}:${i + 1} ${line.trim()} (write: ${why})`,
      ),
      ...(VARIABLES.test(line) ? [`${path}:${i + 1} ${line.trim()} (name the thing)`] : []),
    ]);

test('the program and the README say none of the words that were replaced', () => {
  expect(files.length).toBeGreaterThan(300);
  expect(texts.flatMap(([path, text]) => findWords(path, text))).toEqual([]);
});

/** A comment begins with a subject. */
const RELATIVE_OPENING = /^\s*(?:\/\*\*|\/\/|\*) (?:What|Who|Whose|Whom|How|Where|Whether|Which)\b/;
const findOpenings = (path: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, i) => (RELATIVE_OPENING.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : []));

test('no comment opens with a relative clause', () => {
  const tests = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
    .filter(path => /\.tsx?$/.test(path))
    .map(path => [join('test', path), readFileSync(join(ROOT, 'test', path), 'utf8')] as const);
  const code = texts.filter(([path]) => /\.tsx?$/.test(path));
  expect([...code, ...tests].flatMap(([path, text]) => findOpenings(path, text))).toEqual([]);
  expect(findOpenings('a.ts', '  /** What the payment is for. */')).toHaveLength(1);
  expect(findOpenings('a.ts', '// Whatever comes, it stays.')).toEqual([]);
});

/** A description in the API document begins with a subject or a verb, or is a question. */
const RELATIVE_DESCRIPTION =
  /(?:\.describe\(|\b(?:description|summary): )['`](?:(?:To|By) )?(?:What|Who|Whose|Whom|How|Where|Whether|Which)\b[^?]*$/i;
const findDescriptions = (path: string, text: string): string[] =>
  text
    .split('\n')
    .flatMap((line, i) => (RELATIVE_DESCRIPTION.test(line) ? [`${path}:${i + 1} ${line.trim()}`] : []));

test('no description of the API opens with a relative clause', () => {
  expect(texts.flatMap(([path, text]) => findDescriptions(path, text))).toEqual([]);
  expect(findDescriptions('a.ts', "  .describe('How many there are.')")).toHaveLength(1);
  expect(findDescriptions('a.ts', "  summary: 'What is the status?',")).toEqual([]);
});

test('is a check that can fail', () => {
  for (const line of [
    '// \u00a74.6',
    "deps.clock.now('')",
    'const told = 1;',
    '`target` is one more than 100',
  ])
    expect(findWords('a.ts', `fine\n${line}`), line).toHaveLength(1);
  expect(findWords('a.ts', 'const clause = 7; // REF-4.6, told by the ledger')).toEqual([]);
});
