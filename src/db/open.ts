import { chmodSync, closeSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { type BetterSQLite3Database, drizzle } from 'drizzle-orm/better-sqlite3';
import { migrate } from 'drizzle-orm/better-sqlite3/migrator';
import { packageRoot, StartProblem } from '../kernel/program.ts';
import { openSqlite } from '../kernel/sqlite-module.ts';
import type { StorageUnavailable } from '../kernel/storage-trouble.ts';
import { noFileAt } from '../kernel/text-file.ts';
import { lockFolder, refuseUnfinishedRestore } from './folder-lock.ts';

/** What a process knows of an open database. Only `transaction.ts`, `group-commit.ts` and `prepared-statements.ts` use it. */
interface DbState {
  /** Runs after the commit of the open transaction. Undefined: none is open. */
  afterCommit: (() => unknown)[] | undefined;
  readonly onCommit: Set<() => void>;
  readonly beforeCommit: (() => void)[];
  readonly onUndo: (() => void)[];
  trouble: Trouble | undefined;
  group: Waiting[] | undefined;
  /** Changes that join the next group. */
  patient: Waiting[];
  /** Prepared statements by table and shape, and what `onceForDb` has built by its builder. */
  readonly built: Map<object | string, object>;
}

export interface Trouble {
  error: StorageUnavailable;
  /** Monotonic milliseconds of the first and of the last refused transaction. */
  since: number;
  lastAt: number;
}

/** A change in a group, and the promise of its caller. */
export interface Waiting {
  /** `tx` is a `Tx`, whose type contains this one. */
  change: (tx: object) => unknown;
  resolve: (result: never) => void;
  reject: (error: unknown) => void;
}

export const newState = (): DbState => ({
  afterCommit: undefined,
  onCommit: new Set(),
  beforeCommit: [],
  onUndo: [],
  trouble: undefined,
  group: undefined,
  patient: [],
  built: new Map(),
});

export interface Db {
  /** Queries. Writes go only through `write`. */
  readonly orm: BetterSQLite3Database;
  readonly sqlite: Sqlite.Database;
  readonly state: DbState;
  close(): void;
}

/** A transaction waits this long for a lock of another program while all is well. In trouble it does not wait. */
export const WAIT_FOR_LOCK_MS = 50;
/** A lock of another program at the start is waited for this long. */
const WAIT_AT_START_MS = 2_000;

const IN_MEMORY = ':memory:';

/**
 * Opens or creates the database, with the one schema of `drizzle/`. `:memory:` is allowed. Throws `StartProblem`. Does not
 * keep other processes off: `openOwnDb` does.
 */
export const openDb = (path: string): Db => migrated(openFile(path), path);

export function openFile(path: string): Sqlite.Database {
  refuseNoFile(path);
  return explained(path, () => {
    makeFolderOf(path);
    if (path !== IN_MEMORY) closeSync(openSync(path, 'a', 0o600));
    const sqlite = openSqlite(path, { timeout: WAIT_AT_START_MS });
    refuseForeign(sqlite, path);
    if (path !== IN_MEMORY) makePrivate(path);
    // Of a new database. A commit changes a few rows in each of some thirty trees, and writes whole pages.
    sqlite.pragma('page_size = 1024');
    sqlite.pragma('journal_mode = WAL');
    sqlite.pragma('wal_autocheckpoint = 4000');
    sqlite.pragma('secure_delete = ON');
    sqlite.pragma('synchronous = NORMAL');
    return sqlite;
  });
}

export function migrated(sqlite: Sqlite.Database, path: string): Db {
  const orm = drizzle(sqlite);
  explained(path, () => {
    if (hasSchema(sqlite, path)) return waitForLock(sqlite);
    migrate(orm, { migrationsFolder: join(packageRoot(), 'drizzle') });
  });
  sqlite.pragma(`busy_timeout = ${WAIT_FOR_LOCK_MS}`);
  return { orm, sqlite, state: newState(), close: () => sqlite.close() };
}

export function makeFolderOf(path: string): void {
  if (path !== IN_MEMORY) makeFolder(resolve(dirname(path)));
}

/** Folder by folder: `mkdir` with `recursive` never ends below /proc. */
function makeFolder(folder: string): void {
  try {
    const found = statSync(folder, { throwIfNoEntry: false });
    if (found?.isDirectory()) return;
    if (dirname(folder) !== folder && !found) makeFolder(dirname(folder));
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    throw new StartProblem(
      `The folder ${folder} cannot be created (${codeOf(error)}): set DATABASE_PATH to a file in a folder that this user may write.`,
    );
  }
}

/** A device such as /dev/null would get the mode of a database. Throws `StartProblem`. */
export function refuseNoFile(path: string, name = `The database ${path}`, todo = 'set DATABASE_PATH to a file'): void {
  const what = noFileAt(path);
  if (what) throw new StartProblem(`${name} is ${what}, not a file: ${todo}.`);
}

/** Another program would find our tables among its own. Its file stays as it is. */
function refuseForeign(sqlite: Sqlite.Database, path: string): void {
  const names = sqlite.prepare<[], string>('SELECT name FROM sqlite_master').pluck().all();
  if (names.length === 0 || names.includes('__drizzle_migrations')) return;
  sqlite.close();
  throw new StartProblem(`The database ${path} belongs to another program: set DATABASE_PATH to another file.`);
}

/** Only its owner may read the database. SQLite gives its other files the same mode. */
function makePrivate(path: string): void {
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    try {
      chmodSync(file, 0o600);
    } catch (error) {
      // Absent, or another user owns it: that user decides.
      if (!['ENOENT', 'EPERM'].includes(codeOf(error))) throw error;
    }
}

const codeOf = (error: unknown): string => String((error as { code?: unknown }).code ?? error);

const PROBLEMS: readonly [code: RegExp, problem: string][] = [
  [/^SQLITE_NOTADB/, 'is no SQLite database: set DATABASE_PATH to another file'],
  [/^SQLITE_CORRUPT/, 'is damaged: restore a copy, or set DATABASE_PATH to another file'],
  [/^SQLITE_(BUSY|LOCKED)/, 'is locked by another program: close that program'],
  // No room for the index of the log: SHMSIZE. EFBIG: a limit for one file.
  [/^(SQLITE_(FULL|IOERR_SHMSIZE)|ENOSPC|EDQUOT|EFBIG)/, 'cannot be written because the disk is full: free some space'],
  [/^(SQLITE_(READONLY|CANTOPEN|PERM|IOERR)|E[A-Z]+$)/, 'cannot be opened for writing: check its permissions'],
];

/** The mistakes of the person who starts the program, in one sentence each. */
export function explained<T>(path: string, open: () => T): T {
  try {
    return open();
  } catch (error) {
    const code = codeOf((error as Error).cause ?? error);
    const [, problem] = PROBLEMS.find(([each]) => each.test(code)) ?? [];
    if (!problem) throw error;
    throw new StartProblem(`The database ${path} ${problem} (${code}).`);
  }
}

/** The first write comes later, when a lock is hardly waited for. */
function waitForLock(sqlite: Sqlite.Database): void {
  sqlite.exec('BEGIN IMMEDIATE');
  sqlite.exec('ROLLBACK');
}

/** When the schema was made, in epoch milliseconds. Rows move between databases of the same schema only. */
export const schemaVersion = ({ sqlite }: Pick<Db, 'sqlite'>): number =>
  sqlite.prepare('SELECT max(created_at) FROM __drizzle_migrations').pluck().get() as number;

/** D-55: there is one schema before the first release. Throws `StartProblem` where the file has another one. */
function hasSchema(sqlite: Sqlite.Database, path: string): boolean {
  const table = sqlite.prepare("SELECT 1 FROM sqlite_master WHERE name = '__drizzle_migrations'");
  const made = table.get() ? (schemaVersion({ sqlite }) as number | null) : null;
  // An earlier start may have ended before its schema was made.
  if (made === null) return false;
  const journal = readFileSync(join(packageRoot(), 'drizzle', 'meta', '_journal.json'), 'utf8');
  const { entries }: { entries: { when: number }[] } = JSON.parse(journal);
  if (made === entries.at(-1)!.when) return true;
  throw new StartProblem(
    `The database ${path} belongs to another version of robot-vasp: use that version, or set DATABASE_PATH to another file.`,
  );
}

/** Like `openDb`, for this process only: it takes the lock of the folder. Closing releases it. */
export function openOwnDb(path: string): Db {
  refuseNoFile(path);
  makeFolderOf(path);
  const lock = lockFolder(path);
  try {
    refuseUnfinishedRestore(path);
    const sqlite = openFile(path);
    const db = migrated(sqlite, path);
    const close = () => {
      sqlite.close();
      lock.release();
    };
    return Object.assign(db, { close });
  } catch (error) {
    lock.release();
    throw error;
  }
}
