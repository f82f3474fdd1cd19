import { and, asc, eq, gt, inArray, lte, or, sql } from 'drizzle-orm';
import { isOfNoVerification } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, lastIdOf, preparedQuery } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import { type Tx, write } from '../../db/transaction.ts';

/** A few at once: others wait meanwhile, and a long body takes many pages. */
const BATCH_SIZE = 10;
/** Likewise, where few are removed. */
const MAX_READ = 50;

/** Of the bodies. Known without reading them. */
export const BYTES = sql<number>`coalesce(octet_length(${exchanges.request}), 0) + coalesce(octet_length(${exchanges.response}), 0)`;
export const REMOVED = { vaspId: exchanges.vaspId, bytes: BYTES };
export interface Removed {
  vaspId: string;
  bytes: number;
}
type NoteRemoved = (tx: Tx, removed: readonly Removed[]) => void;

/** The oldest exchanges of a VASP. Ids ascend with the time, so no index of the time is needed. */
const p = sql.placeholder;
const next = and(eq(exchanges.vaspId, p('vaspId')), gt(exchanges.id, p('after')));
const oldest = preparedQuery(db =>
  db.orm
    .select({ id: exchanges.id, at: exchanges.at })
    .from(exchanges)
    .where(next)
    .orderBy(asc(exchanges.id))
    .limit(BOUND_LIMIT),
);

const isOld = and(lte(exchanges.id, p('last')), lte(exchanges.at, p('before')));
const withoutVerification = preparedQuery(db =>
  db.orm
    .delete(exchanges)
    .where(and(next, isOld, isOfNoVerification(exchanges.verificationUuid)))
    .returning(REMOVED),
);

/** Returns those that it has removed. */
export function removeFirst(tx: Tx, vaspId: string, count: number): Removed[] {
  const first = tx.orm
    .select({ id: exchanges.id })
    .from(exchanges)
    .where(eq(exchanges.vaspId, vaspId))
    .orderBy(asc(exchanges.id))
    .limit(count);
  return tx.orm.delete(exchanges).where(inArray(exchanges.id, first)).returning(REMOVED).all();
}

/** Removes exchanges of no verification. Yields after each page. */
export function* removeUpTo(db: Db, vaspId: string, before: number, note: NoteRemoved): Generator<void> {
  for (let after = 0; ; ) {
    const rows = oldest(db).all({ vaspId, after, limit: BATCH_SIZE });
    const last = rows.findLast(({ at }) => at <= before)?.id;
    if (last === undefined) return;
    const removal = { vaspId, after, last, before };
    write(db, tx => note(tx, withoutVerification(db).all(removal)));
    yield;
    after = last;
  }
}

const naming = preparedQuery(db =>
  db.orm
    .delete(exchanges)
    .where(
      and(
        gt(exchanges.id, p('after')),
        lte(exchanges.id, p('last')),
        or(sql`instr(${exchanges.request}, ${p('name')}) > 0`, sql`instr(${exchanges.response}, ${p('name')}) > 0`),
      ),
    )
    .returning(REMOVED),
);

/** Removes the exchanges that name a VASP, whosever they are. Yields after each few. */
export function* removeNaming(db: Db, vaspId: string, note: NoteRemoved): Generator<void> {
  const newest = lastIdOf(db, exchanges);
  for (let after = 0; after < newest; after += MAX_READ) {
    const removal = { after, last: after + MAX_READ, name: JSON.stringify(vaspId) };
    write(db, tx => note(tx, naming(db).all(removal)));
    yield;
  }
}
