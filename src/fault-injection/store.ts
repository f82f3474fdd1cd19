import { and, eq, isNull, lt, or, sql } from 'drizzle-orm';
import { unguardedHistoryOf } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { insertRow, preparedQuery } from '../db/prepared-statements.ts';
import { faults } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';

export type FaultRow = typeof faults.$inferSelect;
export type NewFault = Pick<
  FaultRow,
  'vaspId' | 'target' | 'verificationUuid' | 'mode' | 'parameters' | 'times' | 'createdAt'
>;

const isLeft = or(isNull(faults.times), lt(faults.used, faults.times));

/** The SQL of injected faults. */
export function faultStore(db: Db) {
  const p = sql.placeholder;
  const ofVasp = preparedQuery(
    db.orm
      .select()
      .from(faults)
      .where(eq(faults.vaspId, p('vaspId')))
      .orderBy(faults.id),
  );
  const countUse = preparedQuery(
    db.orm
      .update(faults)
      .set({ used: sql`${faults.used} + 1` })
      .where(and(eq(faults.id, p('id')), isLeft)),
  );
  return {
    owners: (): string[] =>
      db.orm
        .selectDistinct({ vaspId: faults.vaspId })
        .from(faults)
        .all()
        .map(row => row.vaspId),
    /** Oldest first, used-up faults too. */
    allOf: (vaspId: string): FaultRow[] => ofVasp.all({ vaspId }),
    insert: (tx: Tx, fault: NewFault): FaultRow => insertRow(tx, faults, fault),
    /** Counts one use. False: the fault is used up or removed. */
    countUse: (_tx: Tx, id: number): boolean => countUse.run({ id }).changes === 1,
    remove: (tx: Tx, id: number) => void tx.orm.delete(faults).where(eq(faults.id, id)).run(),
    removeOf: (tx: Tx, vaspId: string) => void tx.orm.delete(faults).where(eq(faults.vaspId, vaspId)).run(),
    /** The recorded decision on an event. */
    recordedOn: (verificationUuid: string, name: string) =>
      unguardedHistoryOf(db, verificationUuid).find(
        ({ machine, rowKey }) => machine === 'fault' && rowKey === name,
      ),
  };
}
