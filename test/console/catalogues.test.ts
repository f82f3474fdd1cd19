import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { english } from '../../src/console/texts/english.ts';
import { counted, fill, LANGUAGES, textsOf } from '../../src/console/texts/languages.ts';
import { readSources } from '../support/architecture/source.ts';

/** Each text with its path: `frame.skip`. */
function* textsIn(value: unknown, path = ''): Generator<[path: string, text: string]> {
  if (typeof value === 'string') yield [path, value];
  else for (const [key, each] of Object.entries(value as object)) yield* textsIn(each, `${path}.${key}`);
}
/** Without the codes in backticks. */
const placesOf = (text: string): string[] =>
  [...text.replace(/`[^`]*`/g, '').matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).sort();

/** The contract has more of a code than its texts. */
const { reasons, findings, verdicts, ...catalogue } = english;
const own = new Map(textsIn(catalogue));

test.each(LANGUAGES)('a text in %s has the places of the English one', language => {
  const others = new Map(textsIn(textsOf(language)));
  expect([...own.keys()].filter(path => !others.has(path))).toEqual([]);
  const differ = [...own].filter(
    ([path, text]) => !isFormOfOne(path) && `${placesOf(text)}` !== `${placesOf(others.get(path)!)}`,
  );
  expect(differ).toEqual([]);
});

/** It may leave out the number. */
const isFormOfOne = (path: string): boolean => /\.(?:zero|one)$/.test(path);

interface Node {
  type: string;
  [member: string]: unknown;
}

/** The name of the text and those of the values, for each call of `fill` and `counted`. */
function* filled(node: unknown): Generator<{ text: string; names: string[] }> {
  if (typeof node !== 'object' || node === null) return;
  const { type, callee, arguments: args } = node as Node;
  const name = type === 'CallExpression' ? (callee as Node).name : undefined;
  if (name === 'fill' || name === 'counted') {
    const [of, ...rest] = args as Node[];
    const values = rest.at(-1)?.properties as { key?: Node }[] | undefined;
    const text = (of?.property as Node | undefined)?.name;
    if (typeof text === 'string' && (values || name === 'counted'))
      yield {
        text,
        names: [...(name === 'counted' ? ['count'] : []), ...(values ?? []).map(({ key }) => `${key?.name}`)],
      };
  }
  for (const each of Object.values(node)) yield* filled(each);
}

test('every place of a text is filled, and every value has its place', () => {
  const places = new Map<string, Set<string>>();
  for (const [path, text] of own) {
    const name = path
      .replace(/\.other$/, '')
      .split('.')
      .at(-1)!;
    places.set(name, (places.get(name) ?? new Set()).add(`${placesOf(text)}`));
  }
  const sources = readSources().filter(({ path }) => /^(?:console|guide)\//.test(path));
  const calls = sources.flatMap(({ path, code }) => [
    ...filled(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path).body),
  ]);
  expect(calls.length).toBeGreaterThan(100);
  expect(calls.filter(({ text, names }) => !places.get(text)?.has(`${names.sort()}`))).toEqual([]);
});

test('a place is filled with any text, once', () => {
  expect(fill('{a} of {b}, {c}', { a: '{b}', b: '$&' })).toBe('{b} of $&, {c}');
});

test.each([
  [0, 'No timer fired', '실행된 타이머 없음'],
  [1, '1 timer fired', '타이머 1건 실행됨'],
  [2, '2 timers fired', '타이머 2건 실행됨'],
])('%i timers fired', (count, inEnglish, inKorean) => {
  expect(counted(textsOf('en').timers.fired, count)).toBe(inEnglish);
  expect(counted(textsOf('ko').timers.fired, count)).toBe(inKorean);
});

/** The guide has a page for each refusal, finding and reason: it is for those who write a VASP. */
const OF_GUIDE = /^\.(?:refusals|findings|reasons|verdicts|guide|events)\./;

test.each(LANGUAGES)('no text in %s names an HTTP path', language => {
  const texts = [...textsIn(textsOf(language))].filter(([path]) => !OF_GUIDE.test(path));
  expect(texts.filter(([, text]) => /\b(?:GET|POST|PUT|PATCH|DELETE) \//.test(text))).toEqual([]);
});
