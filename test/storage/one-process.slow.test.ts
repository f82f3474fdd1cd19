import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { builtCli } from '../support/process/build.ts';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { nodesOf } from '../support/process/program.ts';
import { until } from '../support/until.ts';

/** One folder has one process. */

const QUIET = { PORT: '0', LOG_LEVEL: 'error' };
/** Nothing waits for the other process. */
const AT_ONCE_MS = 10_000;
let folder: string;
beforeEach(context => {
  folder = mkdtempSync(join(tmpdir(), 'robot-vasp-folder-'));
  context.onTestFinished(async () => {
    // A killed program leaves its Ethereum node for a moment, and the node writes its state when it ends.
    await until(() => nodesOf(folder).length === 0);
    rmSync(folder, { recursive: true });
  });
});
const outside = mkdtempSync(join(tmpdir(), 'robot-vasp-link-'));
afterAll(() => rmSync(outside, { recursive: true }));

/** Resolves when it listens. */
async function started(databasePath: string) {
  const child = spawn(process.execPath, [builtCli(), 'serve', '--json'], {
    env: { PATH: process.env.PATH, ...QUIET, DATABASE_PATH: databasePath },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    errors += text;
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill('SIGKILL');
    await once(child, 'exit');
  });
  const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
  const { url } = JSON.parse(line.split('\n')[0]!) as { url: string };
  return { child, url, errors: () => errors };
}

const second = async (databasePath: string) => {
  const since = performance.now();
  const ran = await robotVasp(['serve'], { ...QUIET, DATABASE_PATH: databasePath });
  return { ...ran, tookMs: performance.now() - since };
};

test('a second process exits 1 and names the first: by a symlink, by another database name, and while the first is stopped', async () => {
  const { child } = await started(join(folder, 'robot.sqlite'));
  const link = join(outside, 'link');
  symlinkSync(folder, link);
  child.kill('SIGSTOP');
  for (const path of [join(folder, 'robot.sqlite'), join(folder, 'other.sqlite'), join(link, 'robot.sqlite')]) {
    const { code, stderr, tookMs } = await second(path);
    expect([path, code]).toEqual([path, 1]);
    expect(linesOf(stderr)).toEqual([expect.stringContaining(`pid ${child.pid}`)]);
    expect(tookMs).toBeLessThan(AT_ONCE_MS);
  }
  child.kill('SIGCONT');
});

test('after a SIGKILL the next process starts at once; only the owner may read the files', async () => {
  const path = join(folder, 'robot.sqlite');
  const first = await started(path);
  first.child.kill('SIGKILL');
  await once(first.child, 'exit');
  const since = performance.now();
  await started(path);
  expect(performance.now() - since).toBeLessThan(AT_ONCE_MS);
  for (const file of readdirSync(folder)) expect([file, statSync(join(folder, file)).mode & 0o077]).toEqual([file, 0]);
});

const lockFile = () => join(folder, 'robot-vasp.lock');

test('a lock file that was deleted is made anew: a second process is still refused', async () => {
  const path = join(folder, 'robot.sqlite');
  const { child, url } = await started(path);
  rmSync(lockFile());
  await until(() => existsSync(lockFile()));
  const { code, stderr } = await second(path);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`pid ${child.pid}`)]);
  expect((await fetch(`${url}/healthcheck`)).status).toBe(200);
});

test('the lock file is deleted while the process cannot notice it, and another one starts: the first ends and names it', async () => {
  const path = join(folder, 'robot.sqlite');
  const first = await started(path);
  first.child.kill('SIGSTOP');
  rmSync(lockFile());
  const other = await started(path);
  const ended = once(first.child, 'exit');
  first.child.kill('SIGCONT');
  expect(await ended).toEqual([70, null]);
  expect(first.errors()).toContain(`Another robot-vasp (pid ${other.child.pid})`);
  expect((await fetch(`${other.url}/healthcheck`)).status).toBe(200);
});
