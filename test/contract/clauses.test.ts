import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { REASONS } from '../../src/contract/clauses.ts';
import { RULE_CLAUSES } from '../../src/contract/plan-list.ts';
import { BEHAVIOURS } from '../../src/robot/users/user.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PAGE = join('src', 'contract', 'clauses.md');
const TEXT_FILES = /\.(ts|tsx|js|mjs|css|html|md|json)$/;
const ID = /\b(?:(?:REF|WIRE|PROD|SEND|RECV|XRPL)-\d+(?:\.\d+)*|D-\d{2})\b/g;
const LINE = /^- (\S+) — (.+)$/gm;
/** A section sign, or a section of a document without its prefix. */
const BARE = /\u00a7|\bwire \d|\b\d\.\d\(\d+\)/g;

interface File {
  path: string;
  text: string;
}

const read = (path: string): File => ({ path, text: readFileSync(join(ROOT, path), 'utf8') });
const below = (folder: string): File[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter(path => TEXT_FILES.test(path))
    .map(path => read(join(folder, path)));

const page = read(PAGE).text;
const files = [...below('src'), ...below('test'), read('README.md')];

const linesOf = (text: string): string[] => [...text.matchAll(LINE)].map(([, id]) => id!);

function citedIn(from: readonly File[]): Map<string, string> {
  const cited = new Map<string, string>();
  for (const { path, text } of from) for (const [id] of text.matchAll(ID)) cited.set(id, path);
  return cited;
}

/** Ids that are cited and have no line, each with a file that cites it. */
function withoutLine(from: readonly File[], clauses: string): string[] {
  const ids = new Set(linesOf(clauses));
  return [...citedIn(from)].filter(([id]) => !ids.has(id)).map(([id, path]) => `${id} in ${path}`);
}

/** Ids that have a line and are cited nowhere else. */
function withoutCitation(from: readonly File[], clauses: string): string[] {
  const cited = citedIn(from.filter(({ path }) => path !== PAGE));
  return linesOf(clauses).filter(id => !cited.has(id));
}

const bareIn = (from: readonly File[]): string[] =>
  from.flatMap(({ path, text }) => [...text.matchAll(BARE)].map(([found]) => `${found} in ${path}`));

describe('clauses.md', () => {
  test('has a line for every cited id', () => {
    expect(withoutLine(files, page)).toEqual([]);
  });

  test('has no line for an id that nobody cites', () => {
    expect(withoutCitation(files, page)).toEqual([]);
  });

  test('has one line per id', () => {
    const ids = linesOf(page);
    expect(ids.length).toBeGreaterThan(90);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test('has lines of the one form alone, each below the heading of its document', () => {
    for (const section of page.split('\n## ').slice(1)) {
      const prefix = section.slice(0, section.indexOf(':'));
      const items = section.split('\n').filter(line => line.startsWith('- '));
      expect(items.length).toBeGreaterThan(0);
      for (const item of items) expect(item).toMatch(new RegExp(`^- ${prefix}-[\\d.]+ — [A-Z\`].+\\.$`));
    }
  });
});

test('what a timeline or the catalogue shows as clause is a list of ids', () => {
  const ids = new Set(linesOf(page));
  const rows = [...Object.values(REASONS), ...Object.values(BEHAVIOURS)].map(({ clause }) => clause);
  for (const clauses of [...Object.values(RULE_CLAUSES), ...rows])
    for (const id of clauses.split(', ')) expect(ids).toContain(id);
});

test('every citation has the prefix of its document', () => {
  expect(bareIn(files)).toEqual([]);
});

describe('the checks can fail', () => {
  // Put together here, because this file is read too.
  const id = (prefix: string, number: string) => `${prefix}-${number}`;
  const file = (text: string, path = 'src/a.ts'): File => ({ path, text });
  const known = `- ${id('REF', '4.6')} — A rule.\n- ${id('D', '18')} — A decision.\n`;

  test.each([
    [`/** ${id('REF', '99.1')}: a rule. */`, id('REF', '99.1')],
    [`/** ${id('REF', '4.6.12')}, more of it. */`, id('REF', '4.6.12')],
    [`clause: '${id('REF', '4.6')}, ${id('D', '77')}',`, id('D', '77')],
    [`test('${id('SEND', '9')}, Ethereum: paid once', …)`, id('SEND', '9')],
  ])('an id without a line: %s', (text, missing) => {
    expect(withoutLine([file(text)], known)).toEqual([`${missing} in src/a.ts`]);
  });

  test('a line without a citation', () => {
    const cited = file(`// ${id('REF', '4.6')}.`);
    expect(withoutCitation([cited], known)).toEqual([id('D', '18')]);
    expect(withoutCitation([cited, file(known, PAGE)], known)).toEqual([id('D', '18')]);
    expect(withoutCitation([cited, file(id('D', '18'))], known)).toEqual([]);
  });

  test.each(['\u00a74.6', `wire ${3.2}`, `4.6${'(8)'}`])('a citation without a prefix: %s', text => {
    expect(bareIn([file(`/** ${text}: a rule. */`)])).toHaveLength(1);
  });
});
