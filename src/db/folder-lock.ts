import { chmodSync, existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { interval } from '../kernel/clock.ts';
import { StartProblem } from '../kernel/program.ts';
import { openSqlite } from '../kernel/sqlite-module.ts';
import { storageTrouble } from '../kernel/storage-trouble.ts';

/**
 * The only guard against two processes: one folder has one. The lock is an open transaction on a file of its own, so the
 * system releases it when the process dies. Other processes can still read who holds it. SQLite's log does not work over
 * a network, so there is no other machine. A lock file that was deleted is made anew, sooner than another process has
 * started; where that process holds it, this one ends.
 */
export interface FolderLock {
  release(): void;
}

class FolderTaken extends StartProblem {}

const LOCK_FILE = 'robot-vasp.lock';
const READ_HOLDER_MS = 1_000;
const LOOK_EVERY_MS = 100;

interface Held {
  folder: string;
  file: Sqlite.Database;
  inode: bigint;
}

/** Throws `StartProblem` while another process holds the lock. `:memory:` needs none. */
export function lockFolder(databasePath: string): FolderLock {
  if (databasePath === ':memory:') return { release() {} };
  const folders = new Set([realpathSync(dirname(databasePath))]);
  if (existsSync(databasePath)) folders.add(dirname(realpathSync(databasePath)));
  let locks: Held[] = [];
  const closeAll = () => {
    for (const { file } of locks) file.close();
  };
  try {
    for (const folder of folders) locks.push(hold(folder));
  } catch (error) {
    closeAll();
    throw error;
  }
  const stop = interval(LOOK_EVERY_MS, () => {
    locks = locks.map(held => (isThere(held) ? held : heldAgain(held)));
  });
  return {
    release() {
      stop();
      closeAll();
    },
  };
}

const inodeOf = (folder: string): bigint | undefined =>
  statSync(join(folder, LOCK_FILE), { bigint: true, throwIfNoEntry: false })?.ino;

function hold(folder: string): Held {
  const file = lock(folder);
  return { folder, file, inode: inodeOf(folder)! };
}

const isThere = ({ folder, inode }: Held): boolean => inodeOf(folder) === inode;

/** Throws `FolderTaken`. In a folder that cannot be written nobody else makes one. */
function heldAgain(lost: Held): Held {
  try {
    const held = hold(lost.folder);
    lost.file.close();
    return held;
  } catch (error) {
    if (error instanceof FolderTaken) throw error;
    return lost;
  }
}

function lock(folder: string): Sqlite.Database {
  const path = join(folder, LOCK_FILE);
  let file: Sqlite.Database | undefined;
  try {
    file = openSqlite(path, { timeout: 0 });
    chmodSync(path, 0o600);
    file.pragma('journal_mode = MEMORY');
    file.pragma('synchronous = OFF');
    file.exec('BEGIN IMMEDIATE');
    file.exec('CREATE TABLE IF NOT EXISTS holder (pid INTEGER NOT NULL)');
    file.exec('DELETE FROM holder');
    file.prepare('INSERT INTO holder VALUES (?)').run(process.pid);
    file.exec('COMMIT');
    file.exec('BEGIN IMMEDIATE');
    return file;
  } catch (error) {
    const problem = refusal(error, file, folder);
    file?.close();
    throw problem;
  }
}

function refusal(error: unknown, file: Sqlite.Database | undefined, folder: string): StartProblem {
  if (error instanceof StartProblem) return error;
  const trouble = storageTrouble(error);
  const code = String((error as { code?: unknown }).code);
  if (/^(SQLITE_(CANTOPEN|READONLY|PERM)|EACCES|EPERM|EROFS)/.test(code))
    return new StartProblem(
      `The folder ${folder} cannot be written (${code}): set DATABASE_PATH to a file in a folder that this user may write.`,
    );
  if (code === 'SQLITE_FULL')
    return new StartProblem(
      `The folder ${folder} cannot be written because the disk is full: free some space (${code}).`,
    );
  if (!trouble?.isLocked)
    return new StartProblem(
      `The lock file ${join(folder, LOCK_FILE)} cannot be used (${(error as Error).message}): remove it when no robot-vasp runs in this folder.`,
    );
  const pid = file && holderOf(file);
  return new FolderTaken(
    `Another robot-vasp${pid === undefined ? '' : ` (pid ${pid})`} runs in the folder ${folder}: stop it, or set DATABASE_PATH to another folder.`,
  );
}

function holderOf(file: Sqlite.Database): number | undefined {
  try {
    file.pragma(`busy_timeout = ${READ_HOLDER_MS}`);
    return (file.prepare('SELECT pid FROM holder').get() as { pid: number } | undefined)?.pid;
  } catch {
    return undefined;
  }
}

/** The name of a file of a database while a restore writes it. */
export const partOf = (path: string): string => `${path}.restoring`;

/** A killed restore may have moved the former database away. */
export const isRestoreUnfinished = (path: string): boolean => !existsSync(path) && existsSync(partOf(path));

/** Throws `StartProblem` where a restore has not ended: an empty database would pay again. */
export function refuseUnfinishedRestore(path: string): void {
  if (isRestoreUnfinished(path))
    throw new StartProblem(
      `A restore of the database ${path} has not ended: run robot-vasp restore again. The former files are beside it, under names with before-restore.`,
    );
}
