import { existsSync, readdirSync, readFileSync } from 'node:fs';
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

const CHAPTERS = files.filter(file => file.startsWith('guide/chapters/') && file.endsWith('.md'));
test('the chapters of the guide name files that exist', () => {
  const named = CHAPTERS.flatMap(chapter => {
    const text = readFileSync(join(SRC, chapter), 'utf8');
    return [...text.matchAll(/`((?:src|test|fixtures|drizzle)\/[\w./-]+)`/g)].map(([, path]) => path!);
  });
  expect(named).toContain('src/reference-vasp/routes.ts');
  expect(named.filter(path => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('the README tells how long the reference VASP is', () => {
  const [, told] = /a correct VASP of ([\d,]+) lines/.exec(readFileSync(join(ROOT, 'README.md'), 'utf8'))!;
  const sources = files.filter(file => /^reference-vasp\/.*\.ts$/.test(file));
  const lines = sources.map(file => readFileSync(join(SRC, file), 'utf8').split('\n').length - 1);
  const all = lines.reduce((sum, each) => sum + each);
  expect(Math.round(all / 100) * 100).toBe(Number(told!.replace(',', '')));
});
