import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { embeddedLedger } from '../support/chains/on-chain.ts';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { type RobotVerification, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

/** `backup` beside the running program with its embedded chains, and `restore`. */

const world = await forFile(createProgramWorld());
for (const symbol of ASSET_SYMBOLS) await received(world, { symbol, amount: '100' });

const env = (folder = world.folder) => ({ DATABASE_PATH: join(folder, 'robot.sqlite') });

test('a backup under load is restored with its chains: every transfer is paid once', async () => {
  const all: RobotVerification[] = [];
  for (let i = 0; i < 4; i++) all.push(await verifiedForRobot(world, { symbol: i % 2 === 0 ? 'ETH' : 'XRP' }));
  const copying = robotVasp(['backup', join(world.folder, 'copy')], env());
  for (const { uuid } of all) await world.api.robotWithdraw(uuid);
  const { code, stdout, stderr } = await copying;
  expect({ code, said: linesOf(stderr) }).toEqual({ code: 0, said: [] });
  expect(stdout).toMatch(/\.xrpl\.sqlite, .*\.ethereum\.json$/m);
  expect(statSync(join(world.folder, 'copy')).mode & 0o777).toBe(0o600);
  const running = await robotVasp(['restore', join(world.folder, 'copy')], env());
  expect(running).toMatchObject({ code: 1 });
  expect(running.stderr).toContain('Another robot-vasp');

  await world.kill();
  expect(await robotVasp(['restore', join(world.folder, 'copy')], env())).toMatchObject({ code: 0 });
  expect(readdirSync(world.folder).some(name => name.startsWith('robot.sqlite.before-restore-'))).toBe(true);
  await world.start();
  for (const { uuid, symbol, to, amount } of all) {
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await embeddedLedger(symbol, world.url).balanceOf(to)).toBe(amount);
  }
});

test('mistakes are told in one sentence', async () => {
  const exists = await robotVasp(['backup', join(world.folder, 'copy')], env());
  expect(exists).toMatchObject({ code: 1, stderr: expect.stringContaining('exists') });
  const absent = await robotVasp(['backup', join(world.folder, 'other')], env('/nowhere'));
  expect(absent).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no database') });
  for (const argv of [['backup', join(world.folder, 'other')], ['compact']])
    expect(await robotVasp(argv, { DATABASE_PATH: ':memory:' })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('A database in memory has no file: set DATABASE_PATH to one.'),
    });
  const noFolder = await robotVasp(['backup', join(world.folder, 'nowhere', 'copy')], env());
  expect(noFolder).toMatchObject({ code: 1, stderr: expect.stringContaining('nowhere cannot be written (ENOENT)') });
  const inMemory = await robotVasp(['restore', join(world.folder, 'copy')], { DATABASE_PATH: ':memory:' });
  expect(inMemory).toMatchObject({ code: 1, stderr: expect.stringContaining('set DATABASE_PATH to a file') });
  const bad = join(world.folder, 'bad');
  writeFileSync(bad, 'no database');
  const damaged = await robotVasp(['restore', bad], env());
  expect(damaged).toMatchObject({ code: 1, stderr: expect.stringContaining('is no backup') });
});
