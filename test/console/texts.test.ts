import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { english } from '../../src/console/texts/english.ts';
import { readSources } from '../support/architecture/source.ts';

/** Code, codes and sample data: they stay as they are in every language. */
const NAMES = new Set([
  'robot-vasp',
  'VASP',
  'vaspId',
  'verificationUuid',
  'requestId',
  'openapi.json',
  'UTC',
  '(UTC)',
  'KYC',
  'CI',
  'Ctrl-K',
  'Python',
  'Go',
  'Java',
  'Strict',
  'Help',
  'Bearer',
  'hosted VASP',
  'NOT READY',
  'INTERNAL-ERROR',
  'Bright Exchange',
  'Clarke, Jason',
  'slow-payer',
  'User canceled',
  '<your token>',
  '<your key>',
  '<!doctype html>',
  'rv_…',
  'http://127.0.0.1:3000/…',
  'POST',
]);
/** A component may name a text by its key. */
const { groups, pages, controls } = english;
const KEYS = new Set([groups, pages, controls].flatMap(section => Object.keys(section)));

const FOR_READERS = /^(?:label|head|caption|title|text|summary|description|warning|help|placeholder|alt|aria-label)$/;
const FOR_BROWSERS = /^(?:class|style|content|d|viewBox|hx-.+)$/;
const LETTERS = /\p{L}{2}/u;
const PROSE = /\p{L}{2,} \p{L}{2,}|^\p{Lu}\p{Ll}+$/u;

interface Node {
  type: string;
  [member: string]: unknown;
}
const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string';

/** `console/a.tsx: No user` for each text that stands in the code. */
function findTexts(path: string, code: string): string[] {
  const found: string[] = [];
  const check = (text: string, pattern: RegExp) => {
    const words = text.trim();
    if (pattern.test(words) && !NAMES.has(words)) found.push(`${path}: ${words.replace(/\s+/g, ' ')}`);
  };
  /** `place`: the name of the attribute or property around. */
  const visit = (node: unknown, place: string): void => {
    if (Array.isArray(node)) for (const each of node) visit(each, place);
    if (!isNode(node) || isWithoutText(node)) return;
    const pattern = FOR_READERS.test(place) ? LETTERS : PROSE;
    if (node.type === 'JSXText') check(String(node.value), LETTERS);
    else if (typeof node.value === 'string') {
      if (!FOR_BROWSERS.test(place) && !KEYS.has(node.value)) check(node.value, pattern);
    } else if (node.type === 'TemplateElement') {
      if (!FOR_BROWSERS.test(place)) check((node.value as { cooked: string }).cooked, pattern);
    } else for (const [name, member] of Object.entries(node)) if (name !== 'key') visit(member, placeOf(node, place));
  };
  visit(parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path).body, '');
  return found;
}

/** Types, imports and comparisons. */
const isWithoutText = ({ type }: Node): boolean => /^(?:Import|BinaryExpression|TS(?!As|Satisfies|NonNull))/.test(type);

function placeOf(node: Node, around: string): string {
  const named = node.type === 'JSXAttribute' ? node.name : node.type === 'Property' ? node.key : undefined;
  return isNode(named) ? String(named.name ?? named.value) : around;
}

const sources = readSources().filter(({ path }) => path.startsWith('console/') && !path.startsWith('console/texts/'));

test('every text of the console stands in the catalogues', () => {
  expect(sources.length).toBeGreaterThan(50);
  expect(sources.flatMap(({ path, code }) => findTexts(path, code))).toEqual([]);
});

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: code to look at
test.each([
  'const a = <p>No user</p>;',
  'const a = <p>none</p>;',
  'const a = <Field label="Key" />;',
  'const a = <Field label={isNew ? texts.key : `key ${id}`} />;',
  "const a = [{ head: 'Since', cell }];",
  "const a = { kind: 'failed', text: `${name} is gone.` };",
  "const a = <DefinitionList of={[['Because', cause]]} />;",
  "const WORDS = { bad: 'does not work' };",
  // biome-ignore-end lint/suspicious/noTemplateCurlyInString: until here
])('%s has a text', code => {
  expect(findTexts('a.tsx', code)).toHaveLength(1);
});

test.each([
  'const a = <p>{texts.noUser} VASP</p>;',
  'const a = <p class="row muted">{count} × {symbol}</p>;',
  "const a = { path: '/money', title: 'Money', isLive: true };",
  "const a = <Badge of={status === 'GIVEN UP' ? texts.givenUp : status} />;",
])('%s has none', code => {
  expect(findTexts('a.tsx', code)).toEqual([]);
});
