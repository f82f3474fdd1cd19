import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { INSTALL } from '../../src/kernel/program.ts';
import { ROOT } from '../support/paths.ts';

/** One thing has one word in the API, the console, the command line, the guide and the tools. */

const TEXTS = ['README.md', ...['.github', 'src'].flatMap(filesIn)].filter(path => /\.(md|tsx?|json)$/.test(path));

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path));
}

const OTHER_WORDS: Readonly<Record<string, RegExp>> = {
  'test run':
    /\bofficial tests?\b|\bconformance (runs?|plans?|tests?)\b|\bguided tests?\b|공식 테스트(?! 목록)|적합성 (검사|테스트)|가이드 테스트/gi,
  'received payment': /\bsandbox\/v1\/deposits\b|`GET \/deposits`|\bwait\b.* --deposit\b/gi,
  endpoint:
    /\b(callback|driver) address(es)?\b|\bfour addresses\b|\b(verifyUser|verifyAccount|transactionStatus) address\b|\bVASP has no address\b|(콜백|드라이버) 주소|네 주소/gi,
};

test.each(Object.entries(OTHER_WORDS))('%s is the only word for it', (_, others) => {
  expect(TEXTS.length).toBeGreaterThan(500);
  const found = TEXTS.flatMap(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return [...text.matchAll(others)].map(({ 0: word }) => `${path}: ${word}`);
  });
  expect(found).toEqual([]);
});

test('every text installs the program in one way, and calls it robot-vasp', () => {
  const all = TEXTS.map(path => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
  const installs = all.flatMap(({ path, text }) =>
    [...text.matchAll(/npm install (?:--global|-g)[^\n`;&]*/g)].map(([line]) => ({ path, line: line.trim() })),
  );
  const documented = installs.filter(({ path }) => path.endsWith('.md'));
  expect(documented.length).toBeGreaterThan(4);
  expect(documented.filter(({ line }) => line !== INSTALL)).toEqual([]);
  const byNpx = all.filter(({ text }) => /\bnpx (?:--?\S+ )*robot-vasp\b|"npx", "args": \["robot-vasp"/.test(text));
  expect(byNpx.map(({ path }) => path)).toEqual([]);
});
