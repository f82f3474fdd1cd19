import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { load } from '../../src/cli/commands.ts';
import { builtCli } from '../support/process/build.ts';
import { commandHere, linesOf, robotVasp } from '../support/process/command-line.ts';

/** A file that a person names never ends, or holds more than the memory: the command says so in one sentence. */

const folder = mkdtempSync(join(tmpdir(), 'named-'));
afterAll(() => rmSync(folder, { recursive: true }));

const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);
const large = join(folder, 'large');
closeSync(openSync(large, 'w'));
truncateSync(large, 10 * 1024 ** 3);

const KINDS = [
  ['/dev/zero', 'is a device, not a file'],
  ['/dev/null', 'is a device, not a file'],
  [pipe, 'is a pipe, not a file'],
  [folder, 'is a folder, not a file'],
  [large, 'has more than 256 MiB'],
] as const;
const KEY = ['--name', 'x', '--url', 'http://127.0.0.1:9'];
const database = { DATABASE_PATH: join(folder, 'robot.sqlite') };

// The modules of a command are read by its first test otherwise.
beforeAll(async () => {
  for (const name of ['check', 'serve', 'setup', 'init', 'backup']) await load(name);
}, 120_000);

describe.each([
  ['verify-report', (file: string) => [file]],
  ['verify-report --jwks', (file: string) => ['package.json', '--jwks', file]],
  ['verify-report --key', (file: string) => ['package.json', '--key', file]],
  ['ivms101', (file: string) => [file]],
  ['check --customers', (file: string) => ['--customers', file]],
  ['check --expected-failures', (file: string) => ['--expected-failures', file]],
  ['setup import', (file: string) => ['import', file]],
  ['import', (file: string) => [file, '--operator-key', 'k'.repeat(32)]],
  ['invite --operator-key-file', (file: string) => ['--operator-key-file', file, ...KEY]],
  ['serve --env-file', (file: string) => ['--env-file', file]],
  ['backup --env-file', (file: string) => ['x', '--env-file', file]],
])('%s', (name, argvOf) => {
  test.each(KINDS)('%s: %s', async (file, why) => {
    const { code, stdout, stderr } = await commandHere([name.split(' ')[0]!, ...argvOf(file)]);
    expect([code, stdout]).toEqual([2, '']);
    expect(linesOf(stderr)).toEqual([expect.stringContaining(`${file} ${why}`)]);
  });
});

describe.each(['OPERATOR_KEY_FILE', 'DATA_KEY_FILE', 'ROBOT_MNEMONIC_FILE', 'REPORT_SIGNING_KEY'])(
  'the setting %s',
  name => {
    test.each(KINDS)('%s: %s', async (file, why) => {
      const { code, stderr } = await robotVasp(['serve', '--port', '0'], { ...database, [name]: file });
      expect([code, stderr]).toEqual([expect.toBeOneOf([1, 2]), expect.stringContaining(`${name} ${why}`)]);
    });
  },
);

describe('a database or a backup', () => {
  const NO_FILES = KINDS.filter(([file]) => file !== large);
  test.each(NO_FILES)('%s: %s, and it stays as it was', async (file, why) => {
    const before = statSync(file);
    const env = { DATABASE_PATH: file };
    for (const [argv, itsEnv] of [
      [['serve'], env],
      [['backup', join(folder, 'copy')], env],
      [['compact'], env],
      [['restore', file], database],
      [['ledger', '--port', '0', '--database', file], {}],
      [['vasp', '--database', file], {}],
    ] as const) {
      const { code, stderr } = await robotVasp(argv, itsEnv);
      expect([argv[0], code, stderr]).toEqual([
        argv[0],
        expect.toBeOneOf([1, 2]),
        expect.stringContaining(`${file} ${why}`),
      ]);
    }
    expect(statSync(file)).toMatchObject({ mode: before.mode, ino: before.ino });
  });
});

test('a pipe that the shell has opened is read', async () => {
  const cli = `"${process.execPath}" "${builtCli()}"`;
  const script = `${cli} ivms101 <(echo '[') 2>&1; echo '{' | ${cli} ivms101 /dev/stdin 2>&1`;
  const said = execFileSync('bash', ['-c', `${script}; true`], { encoding: 'utf8' });
  expect(said.match(/is not JSON: /g)).toHaveLength(2);
});

test('standard input that never ends', () => {
  const cli = `"${process.execPath}" --max-old-space-size=256 "${builtCli()}"`;
  const said = execFileSync('bash', ['-c', `${cli} ivms101 - < /dev/zero 2>&1; true`], { encoding: 'utf8' });
  expect(said).toContain('standard input has more than 256 MiB');
});

test('messages of an agent that never end', () => {
  const cli = `"${process.execPath}" --max-old-space-size=128 "${builtCli()}" mcp --url http://127.0.0.1:9`;
  const run = (line: string) => execFileSync('bash', ['-c', line], { encoding: 'utf8' }).trim();
  expect(run(`cat /dev/zero | ${cli} 2>&1 | tail -n 1`)).toBe(
    'robot-vasp mcp: a line of standard input has more than 4 MiB',
  );
  const pings = `yes '{"jsonrpc":"2.0","id":1,"method":"ping"}' | head -n 5000`;
  expect(run(`${pings} | ${cli} 2>/dev/null | grep -c 'The sandbox does not answer'`)).toBe('5000');
}, 120_000);

test('a place for a report, or for a setup, that waits for a reader', async () => {
  for (const argv of [
    ['check', '--report', pipe],
    ['check', '--certificate', pipe],
    ['setup', 'export', pipe],
    ['init', '--file', pipe, '--callback', 'http://127.0.0.1:9/', '--yes'],
  ]) {
    const { code, stderr } = await commandHere(argv);
    expect([code, stderr]).toEqual([2, expect.stringContaining(`${pipe} cannot be written (it is a pipe)`)]);
  }
});

test('a folder or a pipe with the name of the default belongs to another program', async () => {
  const home = mkdtempSync(join(folder, 'home-'));
  const version = () =>
    execFileSync(process.execPath, [builtCli(), 'why', 'x', '--url', 'http://127.0.0.1:9'], {
      cwd: home,
      encoding: 'utf8',
      stdio: 'pipe',
    });
  execFileSync('mkfifo', [join(home, '.env')]);
  expect(version).toThrow('http://127.0.0.1:9');
  rmSync(join(home, '.env'));
  writeFileSync(join(home, '.env'), '');
  expect(version).toThrow('http://127.0.0.1:9');
});
