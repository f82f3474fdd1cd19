import type Sqlite from 'better-sqlite3';
import { lockFolder } from './folder-lock.ts';
import { awaitLease } from './lease.ts';
import { openFile } from './open.ts';

/**
 * Writes the database anew. Deleted rows are zeros at once; only this removes copies that SQLite made when it moved rows.
 * It needs as much room on the disk again, and nobody writes meanwhile.
 */
export function vacuum({ sqlite }: { sqlite: Sqlite.Database }): void {
  sqlite.exec('VACUUM');
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
}

/** The same for a database that no process uses. Throws `StartProblem`. */
export async function compact(path: string): Promise<void> {
  const lock = lockFolder(path);
  try {
    const sqlite = openFile(path);
    try {
      await awaitLease(sqlite);
      vacuum({ sqlite });
    } finally {
      sqlite.close();
    }
  } finally {
    lock.release();
  }
}
