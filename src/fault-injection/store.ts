import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { faults, history } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';

export type FaultRow = typeof faults.$inferSelect;
export type NewFault = Pick<
  FaultRow,
  'vaspId' | 'target' | 'verificationUuid' | 'mode' | 'parameters' | 'times' | 'createdAt'
>;
export type FaultStore = ReturnType<typeof faultStore>;

const isLeft = or(isNull(faults.times), lt(faults.used, faults.times));

/** The SQL of ordered failures. */
export function faultStore(db: Db) {
  const p = sql.placeholder;
  const told = db.orm
    .select()
    .from(history)
    .where(
      and(
        eq(history.verificationUuid, p('verificationUuid')),
        eq(history.machine, 'fault'),
        eq(history.rowKey, p('occasion')),
      ),
    )
    .prepare();
  return {
    owners: (): string[] =>
      db.orm
        .selectDistinct({ vaspId: faults.vaspId })
        .from(faults)
        .all()
        .map(row => row.vaspId),
    /** Oldest first, the spent ones too. */
    allOf: (vaspId: string): FaultRow[] =>
      db.orm.select().from(faults).where(eq(faults.vaspId, vaspId)).orderBy(faults.id).all(),
    insert: (tx: Tx, fault: NewFault): FaultRow => tx.orm.insert(faults).values(fault).returning().get(),
    /** Counts one use; false: it is spent, or gone. */
    countUse: (tx: Tx, id: number): boolean =>
      tx.orm
        .update(faults)
        .set({ used: sql`${faults.used} + 1` })
        .where(and(eq(faults.id, id), isLeft))
        .run().changes === 1,
    remove: (tx: Tx, id: number) => void tx.orm.delete(faults).where(eq(faults.id, id)).run(),
    removeOf: (tx: Tx, vaspId: string) => void tx.orm.delete(faults).where(eq(faults.vaspId, vaspId)).run(),
    /** The decision that was made at an occasion, as the history has it. */
    recordedAt: (verificationUuid: string, occasion: string) => told.get({ verificationUuid, occasion }),
  };
}
