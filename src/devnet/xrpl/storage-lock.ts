import { rmSync } from 'node:fs';
import type Database from 'better-sqlite3';
import { openSqlite } from '../../kernel/sqlite-module.ts';

export const WAIT_FOR_LOCK_MS = 2_000;

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
    if (!/^SQLITE_(NOTADB|CORRUPT|FORMAT)/.test(code ?? ''))
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
