import { type SQL, sql } from 'drizzle-orm';
import type { SQLiteTable } from 'drizzle-orm/sqlite-core';
import type { Db } from './open.ts';

/** Counts rows, and stops at `most`. */
export function countUpTo(db: Db, most: number, table: SQLiteTable, condition: SQL | undefined): number {
  const found = db.orm
    .select({ one: sql`1`.as('one') })
    .from(table)
    .where(condition)
    .limit(most)
    .as('found');
  return db.orm.select({ count: sql<number>`count(*)` }).from(found).get()!.count;
}
