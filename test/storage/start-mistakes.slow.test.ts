import { execFile, execFileSync } from 'node:child_process';
import { generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, onTestFinished, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { openSqlite } from '../../src/kernel/sqlite-module.ts';
import { builtCli } from '../support/process/build.ts';
import { robotVasp } from '../support/process/command-line.ts';

/** Mistakes of the person who starts the program: one sentence and exit code 1. */

const folder = mkdtempSync(join(tmpdir(), 'robot-vasp-mistakes-'));
afterAll(() => rmSync(folder, { recursive: true }));

const noDatabase = join(folder, 'notes', 'text.sqlite');
mkdirSync(join(folder, 'notes'));
writeFileSync(noDatabase, 'no database at all, but long enough to be read as one. '.repeat(40));
const pipe = join(folder, 'pipe');
execFileSync('mkfifo', [pipe]);
const oldNode = join(folder, 'old-node.mjs');
const PEM = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' });
const wideKey = join(folder, 'wide.pem');
writeFileSync(wideKey, Buffer.from(`\ufeff${PEM}`, 'utf16le'));
writeFileSync(oldNode, `Object.defineProperty(process.versions, 'node', { value: '18.20.4' });`);

test.each([
  ['a folder that cannot be created', { DATABASE_PATH: '/proc/x/y' }, '/proc/x'],
  ['a folder that cannot be written', { DATABASE_PATH: '/proc/robot.sqlite' }, '/proc cannot be written'],
  ['a file that is no database', { DATABASE_PATH: noDatabase }, 'is no SQLite database'],
  ['a device instead of a file', { DATABASE_PATH: pipe }, 'pipe is a pipe, not a file'],
  ['a folder instead of a file', { DATABASE_PATH: join(folder, 'notes') }, 'is a folder'],
  ['fixtures that are not there', { FIXTURES_PATH: '/nowhere' }, 'FIXTURES_PATH is the folder of the fixtures'],
  ['a mistyped variable', { DATABASE_PATHH: ':memory:' }, 'DATABASE_PATH is'],
  ['a number without a unit', { INQUIRY_WAIT: '10' }, 'INQUIRY_WAIT is not a duration'],
  ['a host that has no address', { HOST: 'no..where' }, 'Set HOST to an address of this machine'],
  ['a key of certificates that is not there', { REPORT_SIGNING_KEY: '/nowhere' }, 'cannot be read (ENOENT)'],
  ['one in UTF-16', { REPORT_SIGNING_KEY: wideKey }, 'is UTF-16 and should be UTF-8. Save it as UTF-8.'],
  ['one that is none', { REPORT_SIGNING_KEY: noDatabase }, 'REPORT_SIGNING_KEY is no private Ed25519 key'],
  ['an old Node', { NODE_OPTIONS: `--import=${oldNode}` }, 'needs Node.js 20.19'],
])('%s', async (_, env, message) => {
  const { code, stdout, stderr } = await robotVasp(['serve'], {
    PORT: '0',
    LOG_LEVEL: 'error',
    ...('DATABASE_PATH' in env ? {} : { DATABASE_PATH: ':memory:' }),
    ...env,
  });
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toContain(message);
  expect(stderr).not.toMatch(/^\s+at /m);
});

test.each(['serve', 'compact'])('%s leaves the database of another program as it is', async command => {
  const database = join(folder, `${command}-foreign.sqlite`);
  const sqlite = openSqlite(database);
  sqlite.exec('CREATE TABLE accounts (id)');
  sqlite.close();
  chmodSync(database, 0o640);
  const before = readFileSync(database);
  expect(await robotVasp([command], { PORT: '0', DATABASE_PATH: database })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('belongs to another program: set DATABASE_PATH to another file'),
  });
  expect([readFileSync(database), statSync(database).mode & 0o777]).toEqual([before, 0o640]);
});

test('D-55: a database with another schema is not served', async () => {
  const database = join(folder, 'newer.sqlite');
  const { sqlite } = openDb(database);
  sqlite.exec("INSERT INTO __drizzle_migrations (hash, created_at) VALUES ('of another schema', 99999999999999)");
  sqlite.close();
  for (const command of ['serve', 'compact'])
    expect(await robotVasp([command], { PORT: '0', DATABASE_PATH: database })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('belongs to another version of robot-vasp: use that version'),
    });
});

test.each(['serve', 'compact'])('%s with a database that another program has locked', async command => {
  const database = join(folder, `${command}-locked.sqlite`);
  const { sqlite } = openDb(database);
  onTestFinished(() => void sqlite.close());
  sqlite.exec('BEGIN EXCLUSIVE');
  expect(await robotVasp([command], { PORT: '0', DATABASE_PATH: database })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is locked by another program: close that program'),
  });
});

test('the key of the database in another encoding', async () => {
  const database = join(mkdtempSync(join(folder, 'key-')), 'robot.sqlite');
  writeFileSync(database.replace('sqlite', 'data-key'), Buffer.from('k'.repeat(44), 'utf16le'));
  const { code, stderr } = await robotVasp(['serve'], { PORT: '0', DATABASE_PATH: database });
  expect(code).toBe(1);
  expect(stderr).toContain('robot.data-key is UTF-16 and should be UTF-8. Save it as UTF-8.');
});

test.each(['a new', 'a known'])('%s database on a full disk: the message names the disk', async kind => {
  const database = join(mkdtempSync(join(folder, 'full-')), 'robot.sqlite');
  if (kind === 'a known') openDb(database).close();
  // Enough for the lock of the folder, and for nothing else.
  const command = ['--fsize=20000', process.execPath, builtCli(), 'serve'];
  const env = { PATH: process.env.PATH, PORT: '0', DATABASE_PATH: database };
  await expect(promisify(execFile)('prlimit', command, { env, timeout: 30_000 })).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('because the disk is full: free some space'),
  });
});

test('a check with a host that has no address names HOST, and not the port', async () => {
  const { code, stderr } = await robotVasp(['check', 'callbacks', '--port', '0'], { HOST: 'no..where' });
  expect([code, stderr]).toEqual([1, expect.stringContaining('Set HOST to an address of this machine.')]);
});

test.each([
  ['--port', ['--port', '1', '--host', '127.0.0.1'], 'Set --port to a free port.'],
  ['--host', ['--port', '0', '--host', 'no..where'], 'Set --host to an address of this machine.'],
])('serve names the option %s, which goes before its variable', async (_, argv, advice) => {
  const taken = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void taken.close());
  await once(taken, 'listening');
  const port = String((taken.address() as AddressInfo).port);
  const { code, stderr } = await robotVasp(['serve', ...argv.map(each => (each === '1' ? port : each))], {
    DATABASE_PATH: ':memory:',
    LOG_LEVEL: 'error',
  });
  expect([code, stderr]).toEqual([1, expect.stringContaining(advice)]);
});
