import { existsSync, renameSync, rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import type { Log } from '../../kernel/log.ts';
import { openSqlite } from '../../kernel/sqlite-module.ts';

export const WAIT_FOR_LOCK_MS = 2_000;
/** Codes of SQLite for a file that is no database, or a damaged one. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT|FORMAT)/;

/**
 * An open transaction, which the system ends with the process. A file with other content holds no lock, so it is made
 * anew. The error says nothing against the ledger.
 */
export function lockBeside(path: string): Database.Database {
  const file = `${path}.lock`;
  try {
    return locked(file);
  } catch (error) {
    const { code, message } = error as Error & { code?: string };
    if (code === 'SQLITE_BUSY') throw error;
    if (!DAMAGED.test(code ?? ''))
      throw new Error(`The lock file ${file} cannot be used (${message}): remove it.`, { cause: error });
    rmSync(file);
    return locked(file);
  }
}

function locked(file: string): Database.Database {
  const lock = openSqlite(file, { timeout: WAIT_FOR_LOCK_MS });
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    throw error;
  }
}

/** The files of one database. */
const SUFFIXES = ['', '-wal', '-shm'];

/** D-33: a database that cannot be used is lost state. It is kept as `<path>.corrupt`, and a new one begins. */
export function openUsable<T>(path: string, log: Log, open: (path: string) => T): T {
  try {
    return open(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.error({ file: path, error: String(error) }, 'the XRP Ledger cannot use its state; a new ledger begins');
    for (const suffix of SUFFIXES) if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.corrupt${suffix}`);
    return open(path);
  }
}

/** A database of SQLite with other content lacks tables or columns, or holds no JSON. */
const isDamage = (error: unknown): boolean => {
  const { code = '', name } = error as Error & { code?: string };
  return DAMAGED.test(code) || code === 'SQLITE_ERROR' || ['SyntaxError', 'TypeError'].includes(name);
};
