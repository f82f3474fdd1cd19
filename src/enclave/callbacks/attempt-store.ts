import { asc, inArray } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { insertRow } from '../../db/prepared-statements.ts';
import {
  type CallbackAttempt,
  callbackAttempts,
  type callbacks,
  type StoredAttempt,
} from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';

type CallbackRow = typeof callbacks.$inferSelect;
type Queued = Pick<CallbackRow, 'callbackType' | 'data'>;
type Tried = Queued & Pick<CallbackRow, 'id' | 'firstAttempt'>;

/** As it goes out. */
export const bodyOf = ({ callbackType, data }: Queued): string => JSON.stringify({ callbackType, data });

/** `isUnchanged`: the request is the body of the callback. */
export type MadeAttempt = CallbackAttempt & { isUnchanged: boolean };

const stored = ({ isUnchanged, request, ...attempt }: MadeAttempt): StoredAttempt =>
  isUnchanged ? attempt : { ...attempt, request };

/** Keeps the attempts. Returns the columns of the callback that change. */
export function add(tx: Tx, row: CallbackRow, made: readonly MadeAttempt[]) {
  const { id, attempts, firstAttempt } = row;
  const isFirst = attempts === 0 && firstAttempt === null;
  for (const attempt of isFirst ? made.slice(1) : made)
    insertRow(tx, callbackAttempts, { callbackId: id, ...attempt });
  return { attempts: attempts + 1, ...(isFirst ? { firstAttempt: stored(made[0]!) } : {}) };
}

/** Oldest first. */
export function of(db: Db, rows: readonly Tried[]): (CallbackAttempt & { callbackId: number })[] {
  const ids = rows.map(({ id }) => id);
  if (ids.length === 0) return [];
  const later = db.orm
    .select()
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, ids))
    .orderBy(asc(callbackAttempts.id))
    .all();
  return [
    ...rows.flatMap(row =>
      row.firstAttempt ? { callbackId: row.id, request: bodyOf(row), ...row.firstAttempt } : [],
    ),
    ...later.map(({ id: _, ...attempt }) => attempt),
  ].sort((a, b) => a.at - b.at);
}
