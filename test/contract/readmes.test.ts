import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';

const SRC = join(ROOT, 'src');
const files = readdirSync(SRC, { recursive: true, encoding: 'utf8' });

test.each(files.filter(file => file.endsWith('README.md')))('src/%s names files that exist', readme => {
  const text = readFileSync(join(SRC, readme), 'utf8');
  const named = [...text.matchAll(/`([\w/-]+\.tsx?)`/g)].map(([, name]) => name!);
  expect(named.length).toBeGreaterThan(10);
  expect(named.filter(name => !files.some(file => `/${file}`.endsWith(`/${name}`)))).toEqual([]);
});
