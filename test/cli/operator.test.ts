import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { commandHere, linesOf } from '../support/process/command-line.ts';
import { createHostedWorld, OPERATOR_KEY } from '../support/world/hosted-world.ts';

const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-operator-'));
const world = await createHostedWorld();
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const invite = (env: Record<string, string>) =>
  commandHere(['invite', '--name', 'Bright Exchange', '--url', world.url], env);

test('the key of the operator may stand in a file, as in the container of the Compose file', async () => {
  const file = join(folder, 'operator-key');
  writeFileSync(file, `${OPERATOR_KEY}\n`);
  const { code, stdout, stderr } = await invite({ OPERATOR_KEY_FILE: file });
  expect([code, stdout, linesOf(stderr)]).toEqual([0, expect.stringMatching(/^rvi_[\w-]+\n$/), []]);
});

test('a key that is typed goes before its file', async () => {
  const file = join(folder, 'missing');
  expect((await invite({ OPERATOR_KEY, OPERATOR_KEY_FILE: file })).code).toBe(0);
  const { code, stderr } = await invite({ OPERATOR_KEY_FILE: file });
  expect([code, stderr]).toEqual([2, expect.stringContaining(`${file} cannot be read (ENOENT)`)]);
});

test('without a key the message names both variables', async () => {
  const { code, stderr } = await invite({});
  expect([code, stderr]).toEqual([2, expect.stringContaining('set OPERATOR_KEY or OPERATOR_KEY_FILE')]);
});
