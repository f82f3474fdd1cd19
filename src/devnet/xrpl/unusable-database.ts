import { existsSync, renameSync } from 'node:fs';
import type { Log } from '../../kernel/log.ts';

/** Codes of SQLite for a file that is no database, or a damaged one. */
const DAMAGED = /^SQLITE_(NOTADB|CORRUPT|FORMAT)/;
/** The files of one database. */
const SUFFIXES = ['', '-wal', '-shm'];

/** D-33: a database that cannot be used is lost state. It is kept as `<path>.corrupt`, and a new one begins. */
export function openUsable<T>(path: string, log: Log, open: (path: string) => T): T {
  try {
    return open(path);
  } catch (error) {
    if (!isDamage(error)) throw error;
    log.error(
      { file: path, error: String(error) },
      'the XRP Ledger cannot use its state; a new ledger begins',
    );
    for (const suffix of SUFFIXES)
      if (existsSync(path + suffix)) renameSync(path + suffix, `${path}.corrupt${suffix}`);
    return open(path);
  }
}

/** A database of SQLite with other content lacks tables or columns, or holds no JSON. */
const isDamage = (error: unknown): boolean => {
  const { code = '', name } = error as Error & { code?: string };
  return DAMAGED.test(code) || code === 'SQLITE_ERROR' || ['SyntaxError', 'TypeError'].includes(name);
};
