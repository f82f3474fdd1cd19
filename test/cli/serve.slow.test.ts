import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { builtCli } from '../support/process/build.ts';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { selfSignedServer } from '../support/vasp/self-signed-server.ts';
import { HOSTED } from '../support/world/hosted-world.ts';

const IN_MEMORY = { PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' };

function started(argv: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [builtCli(), ...argv], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return { child, line: async () => String((await lines.next()).value) };
}

test('serve --json says in lines of JSON where it listens and when it is ready', async () => {
  const { child, line } = started(['serve', '--json'], IN_MEMORY);
  const listening = JSON.parse(await line()) as { url: string; console: string; docs: string };
  expect(listening).toMatchObject({ event: 'listening', url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/) });
  for (const page of [listening.console, listening.docs]) expect((await fetch(page)).status).toBe(200);
  expect(JSON.parse(await line())).toEqual({ event: 'ready', url: listening.url });
  const { code } = await robotVasp(['wait', '--ready', '--timeout', '30s', '--url', listening.url]);
  expect(code).toBe(0);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('serve says where the console and the API are; without a command it is serve', async () => {
  const { line } = started([], IN_MEMORY);
  const url = /http:\S+/.exec(await line())?.[0];
  expect(await line()).toMatch(new RegExp(`console +${url}/console$`));
  expect(await line()).toMatch(new RegExp(`API +${url}/docs$`));
  const lines = [await line(), await line(), await line(), await line(), await line(), await line()];
  expect(lines.slice(1)).toEqual([
    'both chains are ready',
    'What to do first:',
    expect.stringContaining(`${url}/console/tests`),
    expect.stringContaining('robot-vasp init'),
    expect.stringContaining(`robot-vasp check --url ${url}`),
  ]);
});

test('Node.js leaves `--env-file` to the command', () => {
  const { status, stderr } = spawnSync(builtCli(), ['serve', '--env-file', 'nowhere.env'], { encoding: 'utf8' });
  expect([status, stderr]).toEqual([2, expect.stringContaining('nowhere.env cannot be read (ENOENT)')]);
});

test('the built program calls a VASP over TLS, and takes the settings of a file from an editor of Windows', async () => {
  const tls = await selfSignedServer();
  onTestFinished(() => tls.close());
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-serve-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'settings');
  const callback = `https://127.0.0.1:${tls.port}/callback`;
  await writeFile(file, `\uFEFFVEGA_VERIFICATION_CALLBACK_API_PATH="${callback}"\r\nVASP_ID=7\r\n`);
  const { line } = started(['serve', '--json', '--env-file', file], IN_MEMORY);
  const { url } = JSON.parse(await line()) as { url: string };
  const { checks } = await client(url).checkVasp('7', { endpoints: ['callback'] });
  expect(checks).toMatchObject([{ endpoint: 'callback', problem: expect.stringContaining('certificate') }]);
});

// A terminal that closes does so, and `timeout` and npm: to the process, and to its group.
test.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
  'the program stops in order, although %s comes more than once',
  async signal => {
    const { child, line } = started(['serve', '--json'], IN_MEMORY);
    await line();
    await line();
    const exited = once(child, 'exit');
    for (let sent = 0; sent < 5; sent++) {
      child.kill(signal);
      await delay(2);
    }
    expect(await exited).toEqual([0, null]);
  },
);

test.each([
  ['0.0.0.0', 'http://127.0.0.1:'],
  ['::', 'http://[::1]:'],
])('a program that listens at %s names an address that every browser opens', async (host, prefix) => {
  const { line } = started(['serve', '--json', '--host', host], IN_MEMORY);
  const { url, info } = JSON.parse(await line()) as { url: string; info: string };
  expect([url.startsWith(prefix), (await fetch(info)).status]).toEqual([true, 200]);
});

test('a hosted sandbox says how to invite, with the address of its proxy', async () => {
  const { line } = started(['serve'], { ...IN_MEMORY, ...HOSTED });
  for (let heading = ''; heading !== 'What to do first:'; ) heading = await line();
  expect(await line()).toContain('robot-vasp invite --url https://sandbox.example --name');
  expect(await line()).toContain('https://sandbox.example/console');
});

test('an option goes before its variable, also without a command', async () => {
  const argv = ['--port', '0', '--host', '127.0.0.2', '--database', ':memory:', '--json'];
  const { line } = started(argv, { PORT: '1', HOST: 'nowhere', DATABASE_PATH: '/dev/null/x' });
  expect(JSON.parse(await line())).toMatchObject({ url: expect.stringMatching(/^http:\/\/127\.0\.0\.2:\d+$/) });
});

test('wait --ready may be started before the program', async () => {
  const port = await started(['serve', '--json'], IN_MEMORY).line();
  const { url } = JSON.parse(port) as { url: string };
  const waited = await robotVasp(['wait', '--ready', '--url', url, '--json']);
  expect(JSON.parse(waited.stdout)).toEqual({ url, status: 'READY' });
});

test('a port in use is reported in one line: exit code 1', async () => {
  const { line } = started(['serve', '--json'], IN_MEMORY);
  const { url } = JSON.parse(await line()) as { url: string };
  const { port } = new URL(url);
  const { code, stdout, stderr } = await robotVasp(['serve'], { ...IN_MEMORY, PORT: port });
  expect([code, stdout]).toEqual([1, '']);
  expect(linesOf(stderr)).toEqual([expect.stringContaining(port)]);
});

test('ledger --json says where it listens', async () => {
  const { line } = started(['ledger', '--port', '0', '--json'], {});
  expect(JSON.parse(await line())).toEqual({
    event: 'ready',
    url: expect.stringMatching(/^ws:\/\/127\.0\.0\.1:\d+/),
    networkId: 21_117,
  });
});
