import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { Client, Wallet } from 'xrpl';
import { builtCli } from '../support/process/build.ts';
import { until } from '../support/until.ts';

interface Run {
  child: ChildProcess;
  stdout(): string;
  stderr(): string;
  exit: Promise<number | null>;
}

function ledger(...options: string[]): Run {
  const env = { PATH: process.env.PATH };
  const child = spawn(process.execPath, [builtCli(), 'ledger', ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      said[stream] += chunk;
    });
  const exit = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  return { child, stdout: () => said.stdout, stderr: () => said.stderr, exit };
}

async function urlOf(run: Run): Promise<string> {
  await until(() => run.stdout().includes('\n') || run.child.exitCode !== null);
  return /ws:\S+/.exec(run.stdout())?.[0] ?? `not started: ${run.stderr()}`;
}

test('robot-vasp ledger serves an unmodified client on the network that was asked for', async () => {
  const run = ledger('--port', '0', '--network-id', '5000', '--close-interval', '100', '--reserve-base', '2000000');
  const client = new Client(await urlOf(run));
  await client.connect();
  onTestFinished(() => client.disconnect());
  expect(client.networkID).toBe(5_000);
  const { host } = new URL(client.url);
  const faucet = { faucetHost: host, faucetPath: '/accounts', faucetProtocol: 'http' } as const;
  const { balance } = await client.fundWallet(Wallet.generate(), { ...faucet, amount: '20' });
  expect(balance).toBe(20);
  const { result } = await client.request({ command: 'server_state' });
  expect(result.state.validated_ledger).toMatchObject({ reserve_base: 2_000_000 });
});

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s stops it: exit code 0, and its ledger goes on where it was',
  async signal => {
    const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-ledger-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const options = ['--port', '0', '--close-interval', '0', '--database', join(folder, 'ledger.sqlite')];
    const validated = async (run: Run, closes: number) => {
      const client = new Client(await urlOf(run));
      await client.connect();
      for (let n = 0; n < closes; n++) await client.request({ command: 'ledger_accept' } as never);
      const { result } = await client.request({ command: 'ledger_closed' });
      run.child.kill(signal);
      expect(await run.exit).toBe(0);
      expect(run.stderr()).toBe('');
      await client.disconnect();
      return result;
    };
    const before = await validated(ledger(...options), 3);
    expect(before.ledger_index).toBe(5);
    expect(await validated(ledger(...options), 0)).toEqual(before);
  },
);

test('--help names every option, and starts nothing', async () => {
  const run = ledger('--port', '0', '--help');
  expect(await run.exit).toBe(0);
  for (const option of ['--port', '--host', '--network-id', '--close-interval', '--database', '--admin-from-anywhere'])
    expect(run.stdout()).toContain(option);
  expect(run.stdout()).not.toContain('ready');
});

test.each([
  [['--port', 'many'], '--port: must be a whole number from 0 to 65535'],
  [['--port', '65536'], '--port'],
  [['--network-id', '4294967296'], '--network-id'],
  [['--close-interval', '-1'], '--close-interval'],
  [['--keep-ledgers', '0'], '--keep-ledgers'],
  [['--database', 'nowhere/ledger.sqlite'], '--database: nowhere/ledger.sqlite cannot be written (ENOENT)'],
  [['--database', 'package.json/ledger.sqlite'], '--database: package.json/ledger.sqlite cannot be written'],
  [['--database', 'src'], '--database: src is a folder, not a file'],
  [['--colour'], '--colour'],
  [['somewhere'], 'somewhere'],
])('%j is refused with a message that names it, and exit code 2', async (options, named) => {
  const run = ledger(...options);
  expect(await run.exit).toBe(2);
  expect(run.stderr()).toContain(named);
  expect(run.stderr()).toMatch(/^robot-vasp ledger: /);
  expect(run.stderr()).not.toContain('    at ');
  expect(run.stdout()).toBe('');
});

test('a port that is taken is said in one line: exit code 1', async () => {
  const first = ledger('--port', '0');
  const { port } = new URL(await urlOf(first));
  const second = ledger('--port', port);
  expect(await second.exit).toBe(1);
  expect(second.stderr().trim().split('\n')).toEqual([
    expect.stringMatching(new RegExp(`:${port}. Set --port to a free port`)),
  ]);
});
