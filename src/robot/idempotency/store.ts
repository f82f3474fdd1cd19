import { and, eq, lt } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { deleteSome, findRow, insertRow } from '../../db/prepared-statements.ts';
import { answers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export const find = (db: Db, vaspId: string, key: string) => findRow(db, answers, { vaspId, key });

export const insert = (tx: Tx, row: typeof answers.$inferInsert) => void insertRow(tx, answers, row);

/** At most `most` of a VASP from before a time. Returns how many. */
export const removeSome = (tx: Tx, vaspId: string, before: number, limit: number): number =>
  deleteSome(tx, answers, and(eq(answers.vaspId, vaspId), lt(answers.at, before)), limit);
