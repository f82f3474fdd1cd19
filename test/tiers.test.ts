import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from './support/paths.ts';
import { APART, LONG, SLOW, TIERS, UNIT } from './tiers.ts';

const files = readdirSync(join(ROOT, 'test'), { recursive: true, encoding: 'utf8' })
  .map(path => `test/${path.replaceAll('\\', '/')}`)
  .filter(path => path.endsWith('.test.ts'));

/** An entry is a file, or a folder with all that is in it. */
const matches = (entry: string) => (path: string) =>
  entry.endsWith('/**') ? path.startsWith(entry.slice(0, -2)) : path === entry;

test('every test file is in exactly one tier', () => {
  const lists = { unit: UNIT, slow: SLOW, apart: APART };
  for (const path of files) {
    const tiers = Object.entries(lists).filter(([, list]) => list.some(entry => matches(entry)(path)));
    expect(tiers.length, `${path} is in ${tiers.map(([name]) => name)}`).toBeLessThanOrEqual(1);
  }
  expect(TIERS.fast).toEqual({ include: ['test/**/*.test.ts'], exclude: [...UNIT, ...SLOW, ...APART] });
});

test('every entry of the tiers is there', () => {
  expect([...UNIT, ...SLOW, ...APART, ...LONG].filter(entry => !files.some(matches(entry)))).toEqual([]);
});
