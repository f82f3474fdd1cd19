import * as fs from 'node:fs';
import { dirname, resolve } from 'node:path';
import * as archives from '../db/archive.ts';
import { type FolderLock, isRestoreUnfinished, lockFolder, partOf } from '../db/folder-lock.ts';
import { makeFolderOf, refuseNoFile } from '../db/open.ts';
import { elapsedMs, interval, sleep, toIso } from '../kernel/clock.ts';
import type { Log } from '../kernel/log.ts';
import { StartProblem } from '../kernel/program.ts';
import { newDataKey, type SecretBox, secretBox } from '../kernel/secrets.ts';
import { readText } from '../kernel/text-file.ts';
import { startSweep } from '../kernel/turns.ts';
import { deleteFinal } from '../sandbox/delete-final.ts';
import type { SandboxDeps } from '../sandbox/deps.ts';
import type { Config } from './config/config.ts';

/**
 * Deletes final verifications after the time of RETENTION, with their callbacks, assessments, exchanges, findings and
 * history, the exchanges without a verification, and the runs of checks that have ended. Deposits, transfers and wallets
 * stay, so every balance stays. An open verification stays, with its exchanges.
 */

/** The returned function ends it. */
export function startRetention(deps: SandboxDeps, retentionMs: number, log: Log): () => void {
  if (retentionMs === 0) return () => {};
  return startSweep(() => sweep(deps, retentionMs), log, 'the retention sweep failed');
}

function* sweep(deps: SandboxDeps, retentionMs: number): Generator<void> {
  for (const { vaspId } of deps.enclave.listVasps()) {
    const machineAt = deps.clock.machineNow() - retentionMs;
    // Rows have times on the clock of their VASP.
    const before = deps.isHosted ? deps.clock.timeAt(vaspId, machineAt) : deps.clock.now(vaspId) - retentionMs;
    yield* deleteFinal(deps, vaspId, before);
    yield* deps.exchanges.removeOld(vaspId, before);
    yield* deps.runs.removeOld(vaspId, machineAt);
    yield* deps.robot.removeOld(vaspId, { machineAt, before });
  }
}

/**
 * Puts a backup at the place of the database. Files that are there get another name when all others are written. The
 * next start holds the payouts of every account whose transactions it cannot explain. Throws `StartProblem`, also while a
 * program runs in the folder.
 */
export async function restore(databasePath: string, file: string, now: number) {
  if (databasePath === ':memory:')
    throw new StartProblem('A database in memory holds no backup: set DATABASE_PATH to a file.');
  refuseNoFile(databasePath);
  if (!fs.existsSync(file)) throw new StartProblem(`There is no file ${file}.`);
  refuseNoFile(file, `The backup ${file}`, 'name a file');
  archives.verifyArchive(file);
  makeFolderOf(databasePath);
  const lock = lockFolder(databasePath);
  const pathOf = (ending: string) => companionPath(databasePath, ending);
  const hadDatabase = fs.existsSync(databasePath) || isRestoreUnfinished(databasePath);
  try {
    removeParts(databasePath, hadDatabase);
    await archives.copyDatabase(file, partOf(databasePath));
    archives.makeStartable(partOf(databasePath));
    const known = COMPANIONS.map(({ ending }) => ending);
    const endings = archives.extractFiles(partOf(databasePath), known, ending => partOf(pathOf(ending)));
    const movedAway = moveAway(allFilesOf(databasePath), toIso(now).replace(/[:.]/g, '-'));
    // The database comes last: until then no program starts.
    for (const path of [...endings.map(pathOf), databasePath]) fs.renameSync(partOf(path), path);
    return { database: databasePath, movedAway };
  } catch (error) {
    throw copyProblem(error, dirname(resolve(databasePath)), 'set DATABASE_PATH to a file on another disk');
  } finally {
    removeParts(databasePath, hadDatabase);
    lock.release();
  }
}

/** While the former database is moved away, the part of the new one stays, empty: so no program starts. */
function removeParts(databasePath: string, hadDatabase: boolean): void {
  const part = partOf(databasePath);
  if (hadDatabase && !fs.existsSync(databasePath)) fs.writeFileSync(part, '');
  else fs.rmSync(part, { force: true });
  removeBeside(part);
  for (const { ending } of COMPANIONS) fs.rmSync(partOf(companionPath(databasePath, ending)), { force: true });
}

const moveAway = (paths: string[], at: string): string[] =>
  paths
    .filter(path => fs.existsSync(path))
    .map(path => {
      const name = `${path}.before-restore-${at}`;
      fs.renameSync(path, name);
      return name;
    });

const LOOK_EVERY_MS = 30_000;

/**
 * Notices that a file which the program holds open was deleted or replaced: SQLite goes on writing, and everything is
 * gone when the program ends. `ledgers`: the databases of ledgers that are open. The returned function looks at once.
 */
export function watchFiles(
  { databasePath }: Pick<Config, 'databasePath'>,
  ledgers: () => readonly string[],
  log: Log,
  stopping: AbortSignal,
): () => string[] {
  const opened = new Map<string, string>();
  const told = new Set<string>();
  const isLost = (path: string): boolean => {
    const now = fileAt(path);
    const then = opened.get(path);
    if (then === undefined && now !== undefined) opened.set(path, now);
    return then !== undefined && now !== then;
  };
  const lost = () => {
    const texts = filesOf([databasePath, ...ledgers()])
      .filter(isLost)
      .map(path => `the file ${path} was deleted or replaced: ${WHAT_NOW}`);
    for (const text of texts) if (!told.has(text)) log.error({}, text);
    for (const text of texts) told.add(text);
    return texts;
  };
  lost();
  stopping.addEventListener('abort', interval(LOOK_EVERY_MS, lost));
  return lost;
}

const WHAT_NOW =
  'what is stored now is lost when the program ends. Put the file back, or stop the program and restore a copy';

const filesOf = (databases: readonly string[]): string[] =>
  databases.filter(path => path !== ':memory:').flatMap(path => [path, `${path}-wal`]);

function fileAt(path: string): string | undefined {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  return found && `${found.dev} ${found.ino}`;
}

/** The keys of DATA_KEY, or a key of its own in a file beside the database, which is made at the first start. */
export function createSecretBox(config: Config): SecretBox {
  const [first, ...others] = config.dataKeys ?? [];
  if (first !== undefined) return secretBox([first, ...others]);
  const path = besideDatabase(config, '.data-key');
  return secretBox([path === undefined ? newDataKey() : keyInFile(path)]);
}

function keyInFile(path: string): string {
  try {
    fs.writeFileSync(path, newDataKey(), { mode: 0o600, flag: 'wx', flush: true });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') throw new StartProblem(`The key file ${path} cannot be written (${code}).`);
  }
  const key = readText(path, `The key file ${path}`).trim();
  if (key.length >= 32) return key;
  throw new StartProblem(`The key file ${path} is damaged: restore it, or set DATA_KEY to the key that it held.`);
}

function requireDatabase(path: string): void {
  if (path === ':memory:') throw new StartProblem('A database in memory has no file: set DATABASE_PATH to one.');
  if (!fs.existsSync(path)) throw new StartProblem(`There is no database ${path}: set DATABASE_PATH to it.`);
}

/** Writes the database anew, without the traces of what was deleted. Throws `StartProblem`. */
export function compact(file: string) {
  requireDatabase(file);
  const before = fs.statSync(file).size;
  archives.compact(file);
  return { file, bytes: fs.statSync(file).size, before };
}

/** A running program saves the state of its Ethereum chain once a second when there is a new block; a busy one later. */
const SAVED_WITHIN_MS = 3_000;
const GIVE_UP_AFTER_MS = 60_000;
const LOOK_AGAIN_MS = 50;

/**
 * Copies the database and its embedded chains into one file, also beside a running program, and verifies the copy. The
 * chains are copied last: they may know more than the database, never less. Returns the other contents of the copy as
 * `companions`. Throws `StartProblem`.
 */
export async function backup(databasePath: string, file: string) {
  requireDatabase(databasePath);
  refuseNoFile(databasePath);
  archives.requireOwn(databasePath);
  if (fs.existsSync(file)) throw new StartProblem(`The file ${file} exists: choose another name.`);
  requireWritable(dirname(resolve(file)));
  const lock = lockIfIdle(databasePath);
  const part = `${resolve(file)}.part`;
  removeDatabase(part);
  try {
    await archives.copyDatabase(databasePath, part);
    if (!lock) await chainSaved(companionPath(databasePath, '.ethereum.json'), archives.readHeight(part, 'ETH'));
    const companions = await addCompanions(databasePath, part, !lock);
    archives.verifyArchive(part);
    finish(part, file);
    return { file, bytes: fs.statSync(file).size, companions };
  } catch (error) {
    throw copyProblem(error, dirname(resolve(file)), 'choose a file on another disk');
  } finally {
    removeDatabase(part);
    lock?.release();
  }
}

function requireWritable(folder: string): void {
  try {
    // The point: a file has no folder below it.
    fs.accessSync(`${folder}/.`, fs.constants.W_OK);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new StartProblem(
      `The folder ${folder} cannot be written (${code}): choose a file in a folder that this user may write.`,
    );
  }
}

async function addCompanions(databasePath: string, part: string, isRunning: boolean): Promise<string[]> {
  const archive = archives.openArchive(part);
  const copy = `${part}.copy`;
  try {
    const companions = companionsOf(databasePath, isRunning);
    for (const companion of companions) {
      const path = companionPath(databasePath, companion.ending);
      if (companion.kind === 'sqlite') await archives.copyDatabase(path, copy);
      await archives.addFile(archive, companion.ending, companion.kind === 'sqlite' ? copy : path);
      removeDatabase(copy);
    }
    return companions.map(({ ending }) => ending);
  } finally {
    removeDatabase(copy);
    archive.close();
  }
}

/** Undefined: a program runs in the folder. */
function lockIfIdle(databasePath: string): FolderLock | undefined {
  try {
    return lockFolder(databasePath);
  } catch (error) {
    if (error instanceof StartProblem) return undefined;
    throw error;
  }
}

/**
 * Resolves when the saved state has the newest block that the copy knows, and is newer than this moment or has nothing
 * new to save. There is no state while the chain starts over. Throws `StartProblem`.
 */
async function chainSaved(statePath: string, height: number): Promise<void> {
  const savedAt = () => fs.statSync(statePath, { throwIfNoEntry: false })?.mtimeMs;
  const before = savedAt();
  if (before === undefined && !fs.existsSync(`${statePath}.genesis`)) return;
  for (const began = elapsedMs(); ; await sleep(LOOK_AGAIN_MS)) {
    const waitedMs = elapsedMs() - began;
    const isNew = savedAt() !== before || waitedMs > SAVED_WITHIN_MS;
    if (isNew && fs.existsSync(statePath) && headIn(statePath) >= height) return;
    if (waitedMs > GIVE_UP_AFTER_MS)
      throw new StartProblem(
        `The state of the Ethereum chain in ${statePath} stays behind the database: try again later. If the chain is given by ETH_RPC_URL, remove this file and ${statePath}.genesis.`,
      );
  }
}

/** The number of the newest block: it stands first in the state of the node. */
function headIn(statePath: string): number {
  const handle = fs.openSync(statePath, 'r');
  const start = Buffer.alloc(64);
  fs.readSync(handle, start, 0, start.length, 0);
  fs.closeSync(handle);
  return Number(/"number":"?(0x[0-9a-f]+|\d+)/.exec(start.toString())?.[1] ?? -1);
}

/** The name appears when the bytes are on the disk. */
function finish(part: string, file: string): void {
  const handle = fs.openSync(part, 'r+');
  fs.fsyncSync(handle);
  fs.closeSync(handle);
  fs.renameSync(part, file);
}

/** The files that exist and can be copied now. */
const companionsOf = (databasePath: string, isRunning: boolean): Companion[] =>
  COMPANIONS.filter(
    each => fs.existsSync(companionPath(databasePath, each.ending)) && !(isRunning && 'onlyAtRest' in each),
  );

/** Every file that a start would read. */
const allFilesOf = (databasePath: string): string[] => [
  ...['', '-wal', '-shm'].map(suffix => databasePath + suffix),
  ...COMPANIONS.flatMap(each => {
    const path = companionPath(databasePath, each.ending);
    return each.kind === 'sqlite' ? [path, `${path}-wal`, `${path}-shm`] : [path];
  }),
  companionPath(databasePath, '.ethereum.json.previous'),
  companionPath(databasePath, '.ethereum.json.journal'),
];

/** The files that SQLite makes beside a database. */
function removeBeside(path: string): void {
  for (const suffix of ['-wal', '-shm', '-journal']) fs.rmSync(path + suffix, { force: true });
}

function removeDatabase(path: string): void {
  fs.rmSync(path, { force: true });
  removeBeside(path);
}

/** EFBIG: a limit for one file. SQLite names a quota that is used up as a failure: IOERR. */
const NO_ROOM = /^(SQLITE_(FULL|IOERR)|ENOSPC|EDQUOT|EFBIG)/;

/** The error of a copy as one sentence for the person who makes it, when that person can help. */
function copyProblem(error: unknown, folder: string, instead: string): unknown {
  const { code = '', path } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' && path) return new StartProblem(`The file ${path} went away meanwhile: try again.`);
  if (!NO_ROOM.test(code)) return error;
  const why = code.startsWith('SQLITE_IOERR') ? 'is full or fails' : 'is full';
  return new StartProblem(`The disk of the folder ${folder} ${why} (${code}): free some space, or ${instead}.`);
}

interface Companion {
  /** The end of its name. */
  ending: string;
  kind: 'sqlite' | 'plain';
  /** Of a program that has ended. While it runs, the file is not whole. */
  onlyAtRest?: true;
}

/** In the order of copying. The chains come after the database, so that they know all that it knows. */
const COMPANIONS = [
  { ending: '.data-key', kind: 'plain' },
  { ending: '.report-key.json', kind: 'plain' },
  { ending: '.enclave-key', kind: 'plain' },
  { ending: '.xrpl.sqlite', kind: 'sqlite' },
  { ending: '.ethereum.json.genesis', kind: 'plain' },
  { ending: '.ethereum.json', kind: 'plain' },
  { ending: '.ethereum.json.exit', kind: 'plain', onlyAtRest: true },
] as const satisfies readonly Companion[];

export const companionPath = (databasePath: string, ending: string): string =>
  databasePath.replace(/\.sqlite$/, '') + ending;

/** Its path. Undefined: the database is in memory. A file that a backup leaves out does not compile. */
export const besideDatabase = (
  { databasePath }: Pick<Config, 'databasePath'>,
  ending: (typeof COMPANIONS)[number]['ending'],
): string | undefined => (databasePath === ':memory:' ? undefined : companionPath(databasePath, ending));
