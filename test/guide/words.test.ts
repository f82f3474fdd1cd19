import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/paths.ts';

/** One thing has one word in the API, the console, the command line, the guide and the tools. */

const TEXTS = ['README.md', ...['.github', 'src'].flatMap(filesIn)].filter(path => /\.(md|tsx?|json)$/.test(path));

function filesIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map(path => join(folder, path));
}

const OTHER_WORDS: Readonly<Record<string, RegExp>> = {
  'test run':
    /\bofficial tests?\b|\bconformance (runs?|plans?|tests?)\b|\bguided tests?\b|공식 테스트(?! 목록)|적합성 (검사|테스트)|가이드 테스트/gi,
  endpoint:
    /\b(callback|driver) address(es)?\b|\bfour endpoints\b|\b(verifyUser|verifyAccount|transactionStatus) address\b|\bVASP has no address\b|(콜백|드라이버) 주소|네 주소/gi,
};

test.each(Object.entries(OTHER_WORDS))('%s is the only word for it', (_, others) => {
  expect(TEXTS.length).toBeGreaterThan(500);
  const found = TEXTS.flatMap(path => {
    const text = readFileSync(join(ROOT, path), 'utf8');
    return [...text.matchAll(others)].map(({ 0: word }) => `${path}: ${word}`);
  });
  expect(found).toEqual([]);
});
