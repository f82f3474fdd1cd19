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

const p = sql.placeholder;
const ofVasp = preparedQuery(db =>
  db.orm
    .select()
    .from(faults)
    .where(eq(faults.vaspId, p('vaspId')))
    .orderBy(faults.id),
);

const countUseQuery = preparedQuery(db =>
  db.orm
    .update(faults)
    .set({ used: sql`${faults.used} + 1` })
    .where(and(eq(faults.id, p('id')), isLeft)),
);

export const owners = (db: Db): string[] =>
  db.orm
    .selectDistinct({ vaspId: faults.vaspId })
    .from(faults)
    .all()
    .map(row => row.vaspId);

/** Oldest first, used-up faults too. */
export const allOf = (db: Db, vaspId: string): FaultRow[] => ofVasp(db).all({ vaspId });

export const insert = (tx: Tx, fault: NewFault): FaultRow => insertRow(tx, faults, fault);

/** Counts one use. False: the fault is used up or removed. */
export const countUse = (tx: Tx, id: number): boolean => countUseQuery(tx).run({ id }).changes === 1;

export const remove = (tx: Tx, id: number) => void tx.orm.delete(faults).where(eq(faults.id, id)).run();

export const removeOf = (tx: Tx, vaspId: string) =>
  void tx.orm.delete(faults).where(eq(faults.vaspId, vaspId)).run();

/** The recorded decision on an event. */
export const recordedOn = (db: Db, verificationUuid: string, name: string) =>
  unguardedHistoryOf(db, verificationUuid).find(
    ({ machine, rowKey }) => machine === 'fault' && rowKey === name,
  );
