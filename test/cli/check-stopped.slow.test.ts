import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { RunReport } from '../../src/contract/plans.ts';
import { builtCli } from '../support/process/build.ts';
import { idleDriver } from '../support/process/idle-driver.ts';
import { program } from '../support/process/program.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const sandbox = await forFile(program());
await sandbox.start();

test.each([
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('%s stops the run of the sandbox, the files say so, and the code is %i', async (signal, code) => {
  const file = join(sandbox.folder, signal);
  const argv = ['check', '--wait', '60s', '--module', 'W1,D1.a', '--report', file];
  const child = spawn(process.execPath, [builtCli(), ...argv, '--driver', await idleDriver()], {
    env: { PATH: process.env.PATH, ROBOT_VASP_URL: sandbox.url },
    stdio: 'ignore',
  });
  const api = client(sandbox.url);
  await until(async () => (await api.runs()).runs.some(({ endedAt }) => endedAt === null));
  const exited = once(child, 'exit');
  child.kill(signal);
  // As from `timeout` and npm: to the process, and to its group.
  await delay(5);
  child.kill(signal);
  expect(await exited).toEqual([code, null]);
  expect((await api.runs()).runs.filter(({ endedAt }) => endedAt === null)).toEqual([]);
  const report = RunReport.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(report).toMatchObject({ stopped: true, result: 'INTERRUPTED' });
});

test('a check whose reader is gone goes on to its end, and writes its files', async () => {
  const file = join(sandbox.folder, 'without-reader');
  const argv = ['check', 'security', '--module', 'S4', '--unattended', '--report', file];
  const child = spawn(process.execPath, [builtCli(), ...argv], {
    env: { PATH: process.env.PATH, ROBOT_VASP_URL: sandbox.url },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.destroy();
  child.stderr.destroy();
  // Nothing was judged: the VASP has no address.
  expect(await once(child, 'exit')).toEqual([1, null]);
  const report = RunReport.parse(JSON.parse(await readFile(file, 'utf8')));
  expect(report).toMatchObject({ stopped: false, result: 'NOT-JUDGED' });
});
