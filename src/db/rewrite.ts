import { getTableName, type Table } from 'drizzle-orm';
import type { Db } from './open.ts';
import { type Tx, write } from './transaction.ts';

const WIPED = 'wiped_pages';
/** A part is as long as a usual log. */
const PAGES_OF_A_PART = 8_000;

/**
 * Rewrites rows so that no file of the database keeps what they held before. The whole file is written anew: in a page
 * that keeps other rows, `secure_delete` leaves bytes where SQLite has moved rows before.
 */
export function rewriteWithoutTraces(db: Db, change: (tx: Tx) => void): void {
  write(db, change);
  db.sqlite.exec('VACUUM');
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
}

/**
 * Replaces all rows of a table by what `insert` inserts, so that no page keeps what they held before. The other tables
 * are not written.
 */
export function replaceRowsWithoutTraces(db: Db, table: Table, insert: (tx: Tx) => void): void {
  const { sqlite } = db;
  const before = sqlite.pragma('secure_delete', { simple: true });
  deleteWithoutTraces(db);
  write(db, tx => {
    tx.sqlite.prepare(`DELETE FROM ${getTableName(table)}`).run();
    insert(tx);
  });
  sqlite.pragma('secure_delete = OFF');
  wipeFreePages(db);
  sqlite.pragma(`secure_delete = ${before}`);
}

/** A migration may have left a former table in free pages. They are taken, filled with zeros and given back. */
function wipeFreePages({ sqlite }: Db): void {
  const numberOf = (name: string) => Number(sqlite.pragma(name, { simple: true }));
  const usable = numberOf('page_size') - 4;
  sqlite.exec(`DROP TABLE IF EXISTS ${WIPED}`);
  sqlite.exec(`CREATE TABLE ${WIPED} (zeros BLOB)`);
  const fill = sqlite.prepare(`INSERT INTO ${WIPED} VALUES (zeroblob(?))`);
  for (let free = numberOf('freelist_count'); free > 0; free = numberOf('freelist_count')) {
    fill.run(Math.min(free, PAGES_OF_A_PART) * usable);
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  }
  sqlite.exec(`DROP TABLE ${WIPED}`);
  sqlite.pragma('wal_checkpoint(TRUNCATE)');
}

/** From now on deleted content is overwritten with zeros. */
export const deleteWithoutTraces = (db: Db): void => void db.sqlite.pragma('secure_delete = ON');
