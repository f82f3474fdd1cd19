import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { builtCli } from '../support/process/build.ts';
import { processesWith } from '../support/process/processes.ts';
import { until } from '../support/until.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'robot-vasp-e2e-demo-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Run {
  child: ChildProcess;
  printed(): string;
  stderr(): string;
  exit: Promise<number | null>;
}

function run(...options: string[]): Run {
  const env = { PATH: process.env.PATH, TMPDIR: folder };
  const child = spawn(process.execPath, [builtCli(), 'demo', ...options], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [text, errors] = ['', ''];
  child.stderr!.setEncoding('utf8').on('data', (chunk: string) => {
    errors += chunk;
  });
  child.stdout!.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  const exit = new Promise<number | null>(resolve => child.once('close', resolve));
  return { child, printed: () => text, stderr: () => errors, exit };
}

async function expectNothingLeft(): Promise<void> {
  await until(() => processesWith(folder).length === 0);
  expect(readdirSync(folder)).toEqual([]);
}

test('demo --json: every scene in ETH and XRP as expected on standard error, the figures on standard output', async () => {
  const { printed, stderr, exit } = run('--json');
  expect(await exit).toBe(0);
  const { steps, failures } = JSON.parse(printed()) as { steps: number; failures: number };
  expect(failures).toBe(0);
  const text = stderr();
  expect(text).toContain(`All ${steps} steps passed`);
  expect(text).not.toContain('✗');
  expect(text).toMatch(/All \d+ steps passed in \d+\.\d seconds\./);
  for (const symbol of ['ETH', 'XRP'])
    for (const scene of [
      'with its transaction report',
      'the robot asks',
      'error report',
      'every reason',
      'a deposit',
      'PENDING, CANCELED',
      'forced reports',
    ])
      expect(text).toMatch(new RegExp(`^${symbol}: .*${scene}`, 'm'));
  expect(text).toMatch(/transaction 0x[0-9a-f]{64}$/m);
  expect(text).toMatch(/transaction [0-9A-F]{64}$/m);
  await expectNothingLeft();
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the demo cleans up after itself on %s', async (signal, code) => {
  const { child, printed, exit } = run();
  await until(() => printed().includes('✓'));
  child.kill(signal);
  expect(await exit).toBe(code);
  expect(printed()).not.toContain('✗');
  await expectNothingLeft();
});

test('the demo cleans up after itself while it is still starting', async () => {
  const { child, printed, exit } = run();
  await until(() => printed().includes('The reference VASP runs'));
  child.kill('SIGINT');
  expect(await exit).toBe(130);
  await expectNothingLeft();
});
