import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery } from '../../db/prepared-statements.ts';
import { answers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type AnswerStore = ReturnType<typeof answerStore>;

/** The SQL of answers that are kept under an `Idempotency-Key`. */
export function answerStore(db: Db) {
  const byKey = preparedQuery(
    db.orm
      .select()
      .from(answers)
      .where(and(eq(answers.vaspId, sql.placeholder('vaspId')), eq(answers.key, sql.placeholder('key')))),
  );
  return {
    find: (vaspId: string, key: string) => byKey.get({ vaspId, key }),
    insert: (tx: Tx, row: typeof answers.$inferInsert) => void insertRow(tx, answers, row),
    removeOf: (tx: Tx, vaspId: string) => void tx.orm.delete(answers).where(eq(answers.vaspId, vaspId)).run(),
  };
}
