import { and, desc, eq, inArray, lte, max } from 'drizzle-orm';
import { cutText } from '../../contract/text.ts';
import type { Db } from '../../db/open.ts';
import { insertRow } from '../../db/prepared-statements.ts';
import { type CallbackAttempt, callbackAttempts, type callbacks, type StoredAttempt } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';
import { fitting } from '../../kernel/page.ts';

type CallbackRow = typeof callbacks.$inferSelect;
type Queued = Pick<CallbackRow, 'callbackType' | 'data'>;
type Tried = Queued & Pick<CallbackRow, 'id' | 'firstAttempt'>;

/** As it goes out. */
export const bodyOf = ({ callbackType, data }: Queued): string => JSON.stringify({ callbackType, data });

/** `isUnchanged`: the request is the body of the callback. */
export type MadeAttempt = CallbackAttempt & { isUnchanged: boolean };

const stored = ({ isUnchanged, request, answer, ...attempt }: MadeAttempt): StoredAttempt => ({
  ...attempt,
  answer: answer === null ? null : cutText(answer),
  ...(isUnchanged ? {} : { request }),
});

/** Of one callback, besides the first one. A VASP may replay it for ever. */
const MAX_LATER = 50;
function removeOld(tx: Tx, callbackId: number): void {
  const isOf = eq(callbackAttempts.callbackId, callbackId);
  const newest = tx.orm.select({ id: callbackAttempts.id }).from(callbackAttempts).where(isOf);
  const last = newest.orderBy(desc(callbackAttempts.id)).limit(1).offset(MAX_LATER).get();
  if (last)
    tx.orm
      .delete(callbackAttempts)
      .where(and(isOf, lte(callbackAttempts.id, last.id)))
      .run();
}

/** Keeps the attempts. Returns the columns of the callback that change. */
export function add(tx: Tx, row: CallbackRow, made: readonly MadeAttempt[]) {
  const { id, attempts, firstAttempt } = row;
  const isFirst = attempts === 0 && firstAttempt === null;
  for (const attempt of isFirst ? made.slice(1) : made)
    insertRow(tx, callbackAttempts, { callbackId: id, ...stored(attempt) });
  if (!isFirst) removeOld(tx, id);
  return { attempts: attempts + 1, ...(isFirst ? { firstAttempt: stored(made[0]!) } : {}) };
}

/** Oldest first. Of very long ones the newest. */
export function of(db: Db, rows: readonly Tried[]): (CallbackAttempt & { callbackId: number })[] {
  if (rows.length === 0) return [];
  const byId = new Map(rows.map(row => [row.id, row]));
  const later = db.orm
    .select()
    .from(callbackAttempts)
    .where(inArray(callbackAttempts.callbackId, [...byId.keys()]))
    .orderBy(desc(callbackAttempts.id))
    .all();
  const first = rows.flatMap(({ id, firstAttempt }) => (firstAttempt ? [{ ...firstAttempt, callbackId: id }] : []));
  const all = [...later.map(({ id: _, ...attempt }) => attempt), ...first]
    .sort((one, other) => other.at - one.at)
    .map(attempt => {
      const { url, request = null, answer, callbackId } = attempt;
      const sent = url === null ? null : (request ?? bodyOf(byId.get(callbackId)!));
      return { ...attempt, request: sent, bytes: (sent ?? '').length + (answer ?? '').length };
    });
  return fitting(all)
    .map(({ bytes: _, ...attempt }) => attempt)
    .reverse();
}

/** Differs from that of every other attempt of the callback. */
export const newestOf = (db: Db, { id, firstAttempt }: Tried): number =>
  db.orm
    .select({ newest: max(callbackAttempts.id) })
    .from(callbackAttempts)
    .where(eq(callbackAttempts.callbackId, id))
    .get()?.newest ?? (firstAttempt ? 0 : -1);
