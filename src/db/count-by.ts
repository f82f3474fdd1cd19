import { and, eq, gt } from 'drizzle-orm';
import type { Db } from './open.ts';
import { counts } from './schema/runtime.ts';
import type { Tx } from './transaction.ts';

export interface KeyCount {
  /** The values that are counted apart. */
  values: string[];
  count: number;
}

/** The stored counts of a subject. Triggers keep them (see `runtime_counts`). */
export const countsOf = (db: Db, subject: string): KeyCount[] =>
  db.orm
    .select({ key: counts.key, count: counts.count })
    .from(counts)
    .where(and(eq(counts.subject, subject), gt(counts.count, 0)))
    .all()
    .map(({ key, count }) => ({ values: key.split('|'), count }));

/** Triggers leave a count of 0 behind: it would name a VASP that is gone. */
export function deleteEmptyCounts(tx: Tx): void {
  tx.orm.delete(counts).where(eq(counts.count, 0)).run();
}
