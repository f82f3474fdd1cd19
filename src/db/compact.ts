import type Sqlite from 'better-sqlite3';
import { lockFolder } from './folder-lock.ts';
import { type Db, explained, migrated, openFile } from './open.ts';
import { write } from './transaction.ts';

const MERGED_PAGES = 16;

/**
 * Removes the words of deleted rows from the index of the searches, which keeps them until its parts are merged. Yields
 * after each part.
 */
export function* mergeSearch(db: Db): Generator<void> {
  // A negative number begins to merge everything; a positive one goes on.
  for (let pages = -MERGED_PAGES; mergePart(db, pages) > 1; pages = MERGED_PAGES) yield;
}

/** Returns the number of changes. Fewer than two: nothing is left to merge. */
const mergePart = (db: Db, pages: number): number =>
  write(db, ({ sqlite }) => {
    const changes = sqlite.prepare<[], number>('SELECT total_changes()').pluck();
    const before = changes.get()!;
    sqlite.prepare("INSERT INTO enclave_search (enclave_search, rank) VALUES ('merge', ?)").run(pages);
    return changes.get()! - before;
  });

/** Empties the write-ahead log, which keeps old pages. Another reader may keep it. */
export const truncateLog = ({ sqlite }: { sqlite: Sqlite.Database }): void =>
  void sqlite.pragma('wal_checkpoint(TRUNCATE)');

/**
 * Writes the database anew. Deleted rows are zeros at once; only this removes copies that SQLite made when it moved rows.
 * It needs as much room on the disk again, and nobody writes meanwhile.
 */
export function vacuum({ sqlite }: { sqlite: Sqlite.Database }): void {
  // The index of the searches keeps the words of deleted rows until its parts are merged.
  sqlite.exec("INSERT INTO enclave_search (enclave_search) VALUES ('optimize')");
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
