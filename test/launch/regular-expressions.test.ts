import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseAst } from 'vitest/node';
import { readSources } from '../support/architecture/source.ts';
import { ROOT } from '../support/paths.ts';

function* patternsIn(node: unknown): Generator<string> {
  if (typeof node !== 'object' || node === null) return;
  const { regex } = node as { regex?: { pattern: string } };
  if (regex) yield regex.pattern;
  for (const each of Object.values(node)) yield* patternsIn(each);
}

test('regular expressions are written in ASCII: the bundle is read byte by byte, and only its texts are escaped', () => {
  const found = readSources().flatMap(({ path }) => {
    const code = readFileSync(join(ROOT, 'src', path), 'utf8');
    const { body } = parseAst(code, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path);
    return [...patternsIn(body)].map(pattern => ({ path, pattern }));
  });
  expect(found.length).toBeGreaterThan(300);
  expect(found.filter(({ pattern }) => /\P{ASCII}/u.test(pattern))).toEqual([]);
});
