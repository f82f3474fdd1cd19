import type Sqlite from 'better-sqlite3';
import { lockFolder } from './folder-lock.ts';
import { explained, migrated, openFile } from './open.ts';

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
