import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { robotVasp } from '../support/process/command-line.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'compiled-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

async function runsVersion(env: Record<string, string> = {}): Promise<void> {
  const ran = await robotVasp(['version'], { NODE_COMPILE_CACHE: folder, ...env });
  expect(ran).toEqual({ code: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+\+[0-9a-f]{8}\n$/), stderr: '' });
}
/** Node.js 22 and newer keep what they compile themselves in a folder of it. */
const files = () =>
  readdirSync(folder, { withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(({ name }) => join(folder, name));

test('the first start keeps what it compiled, and the next one leaves it alone', async () => {
  await runsVersion();
  const [file = '', ...others] = files();
  expect(others).toEqual([]);
  const kept = readFileSync(file);
  await runsVersion();
  expect(files()).toEqual([file]);
  expect(readFileSync(file).equals(kept)).toBe(true);
});

test.each([
  ['of other code', 0],
  ['with a changed byte', 1_000],
])('a file %s is replaced', async (_, position) => {
  await runsVersion();
  const [file = ''] = files();
  const other = Buffer.from(readFileSync(file));
  other[position]! ^= 1;
  writeFileSync(file, other);
  await runsVersion();
  expect(readFileSync(file).equals(other)).toBe(false);
});

test('a folder that cannot be written changes nothing', async () => {
  await runsVersion({ NODE_COMPILE_CACHE: '/dev/null/compiled' });
});

test('NODE_DISABLE_COMPILE_CACHE keeps nothing', async () => {
  await runsVersion({ NODE_DISABLE_COMPILE_CACHE: '1' });
  expect(files()).toEqual([]);
});
