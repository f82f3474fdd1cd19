import { and, eq, inArray } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, insertRow } from '../../db/prepared-statements.ts';
import { answers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export const find = (db: Db, vaspId: string, key: string) => findRow(db, answers, { vaspId, key });

export const insert = (tx: Tx, row: typeof answers.$inferInsert) => void insertRow(tx, answers, row);

/** At most `most` of a VASP. Returns how many. */
export function removeSome(tx: Tx, vaspId: string, most: number): number {
  const isOf = eq(answers.vaspId, vaspId);
  const some = tx.orm.select({ key: answers.key }).from(answers).where(isOf).limit(most);
  return tx.orm
    .delete(answers)
    .where(and(isOf, inArray(answers.key, some)))
    .run().changes;
}

export const removeOf = (tx: Tx, vaspId: string) => void deleteRows(tx, answers, { vaspId });
