import { and, eq } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { answers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type AnswerStore = ReturnType<typeof answerStore>;

/** The SQL of answers that are kept under an `Idempotency-Key`. */
export const answerStore = (db: Db) => ({
  find: (vaspId: string, key: string) =>
    db.orm
      .select()
      .from(answers)
      .where(and(eq(answers.vaspId, vaspId), eq(answers.key, key)))
      .get(),
  insert: (tx: Tx, row: typeof answers.$inferInsert) => void tx.orm.insert(answers).values(row).run(),
  removeOf: (tx: Tx, vaspId: string) => void tx.orm.delete(answers).where(eq(answers.vaspId, vaspId)).run(),
});
