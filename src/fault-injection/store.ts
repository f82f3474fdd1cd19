import { and, eq, isNull, lt, not, or, sql } from 'drizzle-orm';
import { firstLineOf } from '../db/history.ts';
import type { Db } from '../db/open.ts';
import { insertRow, isAmong, preparedQuery } from '../db/prepared-statements.ts';
import { faults } from '../db/schema/runtime.ts';
import type { Tx } from '../db/transaction.ts';
import type { FaultEvent } from './port.ts';

export type FaultRow = typeof faults.$inferSelect;
export type NewFault = Pick<
  FaultRow,
  'vaspId' | 'target' | 'verificationUuid' | 'mode' | 'parameters' | 'times' | 'createdAt'
>;

const isLeft = or(isNull(faults.times), lt(faults.used, faults.times));

const p = sql.placeholder;
const rows = (db: Db) => db.orm.select().from(faults);
const isOfVasp = eq(faults.vaspId, p('vaspId'));
const firstOf = preparedQuery(db => rows(db).where(isOfVasp));
const allQuery = preparedQuery(db => rows(db).where(isOfVasp).orderBy(faults.id));
const activeQuery = preparedQuery(db => rows(db).where(and(isOfVasp, isLeft)).orderBy(faults.id));
const matchingQuery = preparedQuery(db =>
  rows(db)
    .where(
      and(
        isOfVasp,
        isLeft,
        isAmong(faults.target, p('targets')),
        not(isAmong(faults.mode, p('except'))),
        or(isNull(faults.verificationUuid), eq(faults.verificationUuid, p('verificationUuid'))),
      ),
    )
    .orderBy(faults.id),
);

const countUseQuery = preparedQuery(db =>
  db.orm
    .update(faults)
    .set({ used: sql`${faults.used} + 1` })
    .where(eq(faults.id, p('id'))),
);

/** Has the VASP ordered a fault? Used-up ones count: they have decided on events that may come again. */
export const hasAny = (db: Db, vaspId: string): boolean => firstOf(db).get({ vaspId }) !== undefined;

/** Oldest first, used-up faults too. */
export const allOf = (db: Db, vaspId: string): FaultRow[] => allQuery(db).all({ vaspId });

/** Oldest first. */
export const activeOf = (db: Db, vaspId: string): FaultRow[] => activeQuery(db).all({ vaspId });

/** The oldest active fault that covers the event. */
export const matching = (
  db: Db,
  { vaspId, targets, verificationUuid, except = [] }: FaultEvent,
): FaultRow | undefined =>
  matchingQuery(db).get({
    vaspId,
    targets: JSON.stringify(targets),
    except: JSON.stringify(except),
    verificationUuid,
  });

export const insert = (tx: Tx, fault: NewFault): FaultRow => insertRow(tx, faults, fault);

export const countUse = (tx: Tx, id: number) => void countUseQuery(tx).run({ id });

export const remove = (tx: Tx, id: number) => void tx.orm.delete(faults).where(eq(faults.id, id)).run();

export const removeOf = (tx: Tx, vaspId: string) =>
  void tx.orm.delete(faults).where(eq(faults.vaspId, vaspId)).run();

/** The recorded decision on an event. */
export const recordedOn = (db: Db, verificationUuid: string, name: string) =>
  firstLineOf(db, { verificationUuid, machine: 'fault', rowKey: name });
