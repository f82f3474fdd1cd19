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
  const child = spawn(process.execPath, [builtCli(), 'demo', ...options], { env, stdio: ['ignore', 'pipe', 'pipe'] });
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

test('demo --json: every module in ETH and XRP on standard error, the figures on standard output', async () => {
  const { printed, stderr, exit } = run('--json');
  expect(await exit).toBe(0);
  const { result, counts } = JSON.parse(printed()) as { result: string; counts: Record<string, number> };
  expect(result).toBe('PASSED');
  expect(counts).toMatchObject({ failed: 0, notReceived: 0, warning: 0, review: 0 });
  const text = stderr();
  expect(text).toMatch(new RegExp(`^All ${counts.passed} conditions passed in \\d+\\.\\d s\\.$`, 'm'));
  for (const module of ['W2.a ETH', 'W2.a XRP', 'W4.1 ETH', 'W4.1 XRP', 'D3 ETH', 'D3 XRP'])
    expect(text).toMatch(new RegExp(`^PASSED +${module} `, 'm'));
  expect(text).not.toMatch(/^FAILED/m);
  await expectNothingLeft();
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)('the demo cleans up after itself on %s', async (signal, code) => {
  const { child, printed, exit } = run();
  await until(() => printed().includes('PASSED'));
  child.kill(signal);
  expect(await exit).toBe(code);
  expect(printed()).not.toContain('FAILED');
  await expectNothingLeft();
});

test('the demo cleans up after itself while it is still starting', async () => {
  const { child, printed, exit } = run();
  await until(() => printed().includes('A test run against'));
  child.kill('SIGINT');
  expect(await exit).toBe(130);
  await expectNothingLeft();
});
