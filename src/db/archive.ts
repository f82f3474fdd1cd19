import { appendFileSync, createReadStream, writeFileSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import type { AssetSymbol } from '../contract/assets.ts';
import { StartProblem } from '../kernel/program.ts';
import { openSqlite } from '../kernel/sqlite-module.ts';
import { lockFolder } from './folder-lock.ts';
import { explained, migrated, openFile } from './open.ts';

/** A backup: a copy of the database with one more table, which holds the files that belong to it, in parts. */

const TABLE = 'backup_files';
const PART_BYTES = 8 * 1024 * 1024;
const WAIT_FOR_LOCK_MS = 10_000;
/** In one step: a step that another process interrupts by a commit begins anew. */
const ALL_PAGES = 2 ** 31 - 1;

/** SQLite's online backup: the source may be in use. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  const source = explained(from, () => openSource(from));
  try {
    await source.backup(to, { progress: () => ALL_PAGES });
  } finally {
    source.close();
  }
}

/** Throws `StartProblem`. */
export function requireOwn(path: string): void {
  const source = explained(path, () => openSource(path));
  const table = source.prepare("SELECT 1 FROM sqlite_schema WHERE name = '__drizzle_migrations'").get();
  source.close();
  if (table) return;
  throw new StartProblem(
    `The database ${path} is empty, or belongs to another program: set DATABASE_PATH to another file.`,
  );
}

/** SQLite opens a file when it is read. */
function openSource(path: string): Sqlite.Database {
  const source = openSqlite(path, { fileMustExist: true, timeout: WAIT_FOR_LOCK_MS });
  try {
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    return source;
  } catch (error) {
    source.close();
    throw error;
  }
}

/** The newest block of a chain that the copy has read; -1: none. */
export function readHeight(path: string, symbol: AssetSymbol): number {
  const copy = openSqlite(path, { readonly: true });
  try {
    const height = copy.prepare('SELECT height FROM robot_cursors WHERE symbol = ?').pluck().get(symbol);
    return (height as number | undefined) ?? -1;
  } finally {
    copy.close();
  }
}

/** Creates the table of files in a copy of the database. */
export function openArchive(path: string): Sqlite.Database {
  const archive = openSqlite(path);
  archive.pragma('journal_mode = DELETE');
  archive.exec(`CREATE TABLE ${TABLE} (name TEXT, part INTEGER, bytes BLOB, PRIMARY KEY (name, part))`);
  return archive;
}

export async function addFile(archive: Sqlite.Database, name: string, path: string): Promise<void> {
  const insert = archive.prepare(`INSERT INTO ${TABLE} VALUES (?, ?, ?)`);
  let part = 0;
  for await (const bytes of createReadStream(path, { highWaterMark: PART_BYTES })) insert.run(name, part++, bytes);
  // An empty file has a row, too.
  if (part === 0) insert.run(name, part, Buffer.alloc(0));
}

/** Opens and checks it. Throws `StartProblem`. */
export function verifyArchive(path: string): void {
  let archive: Sqlite.Database | undefined;
  try {
    archive = openSqlite(path, { fileMustExist: true, readonly: true });
    archive.prepare('SELECT count(*) FROM __drizzle_migrations').get();
    archive.prepare(`SELECT count(*) FROM ${TABLE}`).get();
    const result = archive.pragma('quick_check', { simple: true });
    if (result !== 'ok') throw new Error(String(result));
  } catch (error) {
    if (error instanceof StartProblem) throw error;
    throw new StartProblem(`The file ${path} is no backup, or it is damaged (${(error as Error).message}).`);
  } finally {
    archive?.close();
  }
}

/** Writes the files out, removes them from the copy and returns their names. Throws `StartProblem` for any other name. */
export function extractFiles(path: string, known: readonly string[], pathOf: (name: string) => string): string[] {
  const archive = openSqlite(path);
  try {
    const names = archive.prepare(`SELECT DISTINCT name FROM ${TABLE}`).pluck().all() as string[];
    if (!names.every(name => known.includes(name)))
      throw new StartProblem('The backup holds a file that no backup holds: it was changed.');
    for (const name of names) extract(archive, name, pathOf(name));
    archive.exec(`DROP TABLE ${TABLE}`);
    archive.exec('VACUUM');
    return names;
  } finally {
    archive.close();
  }
}

function extract(archive: Sqlite.Database, name: string, path: string): void {
  const parts = archive.prepare(`SELECT bytes FROM ${TABLE} WHERE name = ? ORDER BY part`).pluck();
  writeFileSync(path, '', { flag: 'wx', mode: 0o600 });
  for (const bytes of parts.iterate(name)) appendFileSync(path, bytes as Buffer);
}

/** Brings the copy to the present schema. */
export function makeStartable(path: string): void {
  const sqlite = openFile(path);
  const db = migrated(sqlite, path);
  try {
    sqlite.pragma('journal_mode = DELETE');
  } finally {
    db.close();
  }
}

/** Empties the write-ahead log, which keeps old pages. Another reader may keep it. */
export const truncateLog = ({ sqlite }: { sqlite: Sqlite.Database }): void =>
  void sqlite.pragma('wal_checkpoint(TRUNCATE)');

/**
 * Writes the database anew. Deleted rows are zeros at once; only this removes copies that SQLite made when it moved rows.
 * It needs as much room on the disk again, and nobody writes meanwhile.
 */
export function vacuum({ sqlite }: { sqlite: Sqlite.Database }): void {
  sqlite.exec('VACUUM');
  truncateLog({ sqlite });
}

/** The same for a database that no process uses. Throws `StartProblem`. */
export function compact(path: string): void {
  const lock = lockFolder(path);
  try {
    const sqlite = openFile(path);
    try {
      const db = migrated(sqlite, path);
      explained(path, () => vacuum(db));
    } finally {
      sqlite.close();
    }
  } finally {
    lock.release();
  }
}
