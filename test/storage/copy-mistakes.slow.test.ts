import { execFile } from 'node:child_process';
import {
  existsSync,
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import { backup, companionPath } from '../../src/app/storage.ts';
import { lockFolder } from '../../src/db/folder-lock.ts';
import { openDb, openOwnDb } from '../../src/db/open.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { builtCli } from '../support/process/build.ts';
import { linesOf, robotVasp } from '../support/process/command-line.ts';
import { until } from '../support/until.ts';

/** A copy that cannot be made or put back is told in one sentence, and no part of it is left. */

const at = scratchDatabase();
const STATE = JSON.stringify({ block: { number: '0x7' } });
const filesIn = (folder: string) => readdirSync(folder).filter(name => name !== 'robot-vasp.lock');

function database(name: string): string {
  const path = at(name);
  openDb(path).close();
  writeFileSync(companionPath(path, '.ethereum.json'), STATE.padEnd(500_000));
  return path;
}

/** No file may grow beyond the limit, as on a full disk. */
const limited = (bytes: number, argv: string[], databasePath: string) =>
  promisify(execFile)('prlimit', [`--fsize=${bytes}`, process.execPath, builtCli(), ...argv], {
    env: { PATH: process.env.PATH, DATABASE_PATH: databasePath },
  });

describe.each([50_000, 450_000])('a disk with room for %i bytes', bytes => {
  test('backup names the folder, and leaves nothing', async () => {
    const folder = dirname(at(`copy-${bytes}`));
    const copying = limited(bytes, ['backup', join(folder, 'copy')], database(`from-${bytes}.sqlite`));
    const { code, stderr } = await copying.catch(error => error);
    expect({ code, said: linesOf(stderr) }).toEqual({
      code: 1,
      said: [expect.stringContaining(`The disk of the folder ${folder} is full`)],
    });
    expect(filesIn(folder)).toEqual([]);
  });

  test('restore names the folder, and leaves nothing', async () => {
    const copy = at(`${bytes}.robot`);
    await backup(database(`source-${bytes}.sqlite`), copy);
    const path = at(`to-${bytes}.sqlite`);
    const { code, stderr } = await limited(bytes, ['restore', copy], path).catch(error => error);
    expect({ code, said: linesOf(stderr) }).toEqual({
      code: 1,
      said: [expect.stringContaining(`The disk of the folder ${dirname(path)} is full`)],
    });
    expect(filesIn(dirname(path))).toEqual([]);
  });
});

test('a restore that fails keeps the database that is there, under its name', async () => {
  const copy = at('damaged.robot');
  const path = database('kept.sqlite');
  await backup(path, copy);
  const archive = new Sqlite(copy);
  archive.exec('UPDATE backup_files SET bytes = NULL');
  archive.close();
  const before = { files: filesIn(dirname(path)), bytes: readFileSync(path) };
  expect(await robotVasp(['restore', copy], { DATABASE_PATH: path })).toMatchObject({ code: 1 });
  expect({ files: filesIn(dirname(path)), bytes: readFileSync(path) }).toEqual(before);
});

test('a backup of what is no database of ours names that file, and not the copy', async () => {
  const path = at('foreign.sqlite');
  const foreign = new Sqlite(path);
  const copying = () => backup(path, at('foreign.robot'));
  await expect(copying()).rejects.toThrow(`The database ${path} is empty, or belongs to another program`);
  foreign.exec('CREATE TABLE a (b)');
  foreign.close();
  await expect(copying()).rejects.toThrow(`The database ${path} is empty, or belongs to another program`);
});

let names = 0;
test.each([
  '../outside',
  '/../../outside',
  '.ethereum.json/../../outside',
  '.sqlite',
  '-wal',
  '',
  '.unknown',
  Buffer.from('../outside'),
  null,
])('a restore writes no file that no backup holds: %s', async name => {
  const copy = at(`changed-${names}.robot`);
  const path = database(`safe-${names++}.sqlite`);
  await backup(path, copy);
  const archive = new Sqlite(copy);
  archive.prepare('INSERT OR REPLACE INTO backup_files VALUES (?, 0, ?)').run(name, Buffer.from('evil'));
  archive.close();
  const before = { files: filesIn(dirname(path)), above: readdirSync(dirname(dirname(path))) };
  const { code, stderr } = await robotVasp(['restore', copy], { DATABASE_PATH: path });
  expect([code, stderr]).toEqual([1, expect.stringContaining('a file that no backup holds')]);
  expect({ files: filesIn(dirname(path)), above: readdirSync(dirname(dirname(path))) }).toEqual(before);
});

test.each(['symbolic', 'hard'])('a restore writes nothing through a %s link', async kind => {
  const copy = at(`${kind}.robot`);
  await backup(database(`${kind}-from.sqlite`), copy);
  const path = at(`${kind}.sqlite`);
  const victim = at(`${kind}-victim`);
  writeFileSync(victim, 'untouched');
  for (const link of [
    path,
    `${path}.restoring`,
    companionPath(path, '.ethereum.json'),
    companionPath(path, '.ethereum.json.restoring'),
  ])
    if (kind === 'symbolic') symlinkSync(victim, link);
    else linkSync(victim, link);
  expect(await robotVasp(['restore', copy], { DATABASE_PATH: path })).toMatchObject({ code: 0 });
  expect(readFileSync(victim, 'utf8')).toBe('untouched');
});

test('no program starts with an empty database where a restore was killed, until a restore has ended', async () => {
  const copy = at('whole.robot');
  const path = database('killed.sqlite');
  await backup(path, copy);
  renameSync(path, `${path}.restoring`);
  const start = () => openOwnDb(path);
  expect(start).toThrow('run robot-vasp restore again');
  expect(existsSync(path)).toBe(false);
  const restored = (from: string) => robotVasp(['restore', from], { DATABASE_PATH: path });
  expect(await restored(at('damaged.robot'))).toMatchObject({ code: 1 });
  expect(start).toThrow('run robot-vasp restore again');
  expect(await restored(copy)).toMatchObject({ code: 0 });
  start().close();
});

test.each(['backup', 'restore'])('%s refuses a folder as database, and does not move it', async name => {
  const copy = at(`${name}-folder.robot`);
  if (name === 'restore') await backup(database('any.sqlite'), copy);
  const folder = dirname(database(`${name}-in-it.sqlite`));
  const { code, stderr } = await robotVasp([name, copy], { DATABASE_PATH: folder });
  expect([code, stderr]).toEqual([1, expect.stringContaining(`${folder} is a folder, not a file: set DATABASE_PATH`)]);
  expect(readdirSync(dirname(folder))).toContain(basename(folder));
});

test('a backup beside a chain that starts over waits for the new state', async () => {
  const path = at('robot.sqlite');
  openDb(path).close();
  const state = companionPath(path, '.ethereum.json');
  writeFileSync(`${state}.genesis`, '1');
  const running = lockFolder(path);
  const copy = at('beside.robot');
  const copying = backup(path, copy);
  await until(() => (statSync(`${copy}.part`, { throwIfNoEntry: false })?.size ?? 0) > 0);
  writeFileSync(state, STATE);
  expect((await copying).companions).toContain('.ethereum.json');
  running.release();
});
