import type { Db } from './open.ts';
import { type Tx, write } from './transaction.ts';

/** Rewrites rows so that no file of the database keeps what they held before. The whole file is written anew. */
export function rewriteWithoutTraces(db: Db, change: (tx: Tx) => void): void {
  write(db, change);
  db.sqlite.exec('VACUUM');
  db.sqlite.pragma('wal_checkpoint(TRUNCATE)');
}

/** From now on deleted content is overwritten with zeros. */
export const deleteWithoutTraces = (db: Db): void => void db.sqlite.pragma('secure_delete = ON');
