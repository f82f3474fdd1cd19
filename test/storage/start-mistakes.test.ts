import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { robotVasp } from '../support/process/command-line.ts';

/** Mistakes of the person who starts the program: one sentence and exit code 1. */

const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-mistakes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const noDatabase = join(folder, 'notes', 'text.sqlite');
mkdirSync(join(folder, 'notes'));
writeFileSync(noDatabase, 'no database at all, but long enough to be read as one. '.repeat(40));
const oldNode = join(folder, 'old-node.mjs');
writeFileSync(oldNode, `Object.defineProperty(process.versions, 'node', { value: '18.20.4' });`);

test.each([
  ['a folder that cannot be created', { DATABASE_PATH: '/proc/x/y' }, '/proc/x'],
  ['a folder that cannot be written', { DATABASE_PATH: '/proc/robot.sqlite' }, '/proc cannot be written'],
  ['a file that is no database', { DATABASE_PATH: noDatabase }, 'is no SQLite database'],
  ['a folder instead of a file', { DATABASE_PATH: folder }, 'is a folder'],
  ['a mistyped variable', { DATABASE_PATHH: ':memory:' }, 'DATABASE_PATH is'],
  ['a number without a unit', { INQUIRY_WAIT: '10' }, 'INQUIRY_WAIT is not a duration'],
  ['an old Node', { NODE_OPTIONS: `--import=${oldNode}` }, 'needs Node.js 20.19'],
])('%s', async (_, env, message) => {
  const { code, stdout, stderr } = await robotVasp(['serve'], {
    PORT: '0',
    LOG_LEVEL: 'error',
    ...('DATABASE_PATH' in env ? {} : { DATABASE_PATH: ':memory:' }),
    ...env,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});
