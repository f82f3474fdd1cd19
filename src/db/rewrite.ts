import { getTableName, type Table } from 'drizzle-orm';
import type { Db } from './open.ts';
import { type Tx, write } from './transaction.ts';
import { wipe } from './wipe/wipe.ts';

const WIPED = 'wiped_pages';
/** A part is as long as a usual log. */
const PAGES_OF_A_PART = 8_000;

/** Counts the deletions whose traces are in the files: SQLite keeps this number for the program. */
const UNWIPED = 'user_version';
const wipes = new WeakMap<Db, Promise<void>>();

/**
 * Deletes rows so that no file of the database keeps what they held, while others are served. After a kill `wipeTraces`
 * goes on. The database must delete without traces.
 */
export async function deleteAndWipe(db: Db, change: (tx: Tx) => void): Promise<void> {
  write(db, tx => {
    change(tx);
    tx.sqlite.pragma(`${UNWIPED} = ${unwiped(db) + 1}`);
  });
  await wipeTraces(db);
}

/** Wipes the traces of deletions that are not wiped yet, one call after the other. */
export function wipeTraces(db: Db): Promise<void> {
  const wiped = (wipes.get(db) ?? Promise.resolve()).catch(() => {}).then(() => wipeUnwiped(db));
  wipes.set(db, wiped);
  return wiped;
}

async function wipeUnwiped(db: Db): Promise<void> {
  const before = db.sqlite.open ? unwiped(db) : 0;
  if (before === 0 || !(await wipe(db))) return;
  write(db, tx => {
    if (unwiped(db) === before) tx.sqlite.pragma(`${UNWIPED} = 0`);
  });
}

const unwiped = ({ sqlite }: Db): number => Number(sqlite.pragma(UNWIPED, { simple: true }));

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
