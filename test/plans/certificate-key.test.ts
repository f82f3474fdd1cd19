import { mkdirSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRobot } from '../../src/testing.ts';
import { scratchFolder } from '../support/db/scratch-folder.ts';

const folder = scratchFolder();

test('a key of certificates that could not be made is made at the next call', async () => {
  const database = join(folder, 'robot.sqlite');
  // Nothing can be written there.
  const inTheWay = join(folder, 'robot.report-key.json');
  mkdirSync(inTheWay);
  const robot = await createRobot({ env: { DATABASE_PATH: database } });
  const keys = async () => (await fetch(`${robot.url}/.well-known/jwks.json`)).status;
  expect(await keys()).toBe(500);
  rmdirSync(inTheWay);
  expect(await keys()).toBe(200);
  await robot.close();
});
