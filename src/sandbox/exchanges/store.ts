import { and, asc, between, count, desc, eq, gt, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import { MAX_COUNTED } from '../../contract/most-counted.ts';
import type { CallerId, Scoped } from '../../contract/tenancy.ts';
import { countUpTo } from '../../db/count.ts';
import { newestHistory } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, lastIdOf, preparedQuery } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { uuidsOfVasp } from '../../db/verification-uuids.ts';
import { wholeExchanges } from '../../db/whole-exchanges.ts';
import type { ExchangeLog } from '../../http/exchange.ts';
import { fitting } from '../../kernel/page.ts';
import { BYTES } from './old-store.ts';
import { exchangeWriterStore } from './writer-store.ts';

export interface CallCount {
  operation: string;
  /** 0: there was no answer. */
  isAnswered: number;
  durationMs: number;
  count: number;
}

export interface ExchangeFilter {
  verificationUuid?: string | undefined;
  operation?: string | undefined;
  direction?: 'IN' | 'OUT' | undefined;
  /** `200`, `4xx` or `none`. */
  status?: string | undefined;
  /** Shortest duration, in ms. */
  slow?: number | undefined;
}
export interface ExchangeQuery extends ExchangeFilter {
  before?: number | undefined;
  limit: number;
}

const isOfVerification = (uuid: string) => eq(exchanges.verificationUuid, uuid);

function filterOf(vaspId: string, { verificationUuid, operation, direction, status, slow }: ExchangeFilter) {
  return and(
    eq(exchanges.vaspId, vaspId),
    verificationUuid === undefined ? undefined : isOfVerification(verificationUuid),
    operation === undefined ? undefined : eq(exchanges.operation, operation),
    direction === undefined ? undefined : eq(exchanges.direction, direction),
    status === undefined ? undefined : statusIs(status),
    slow === undefined ? undefined : gte(exchanges.durationMs, slow),
  );
}

const p = sql.placeholder;
const newerWhere = (isWanted?: SQL) =>
  preparedQuery(db =>
    wholeExchanges(db)
      .where(and(eq(exchanges.vaspId, p('vaspId')), gt(exchanges.id, p('after')), isWanted))
      .orderBy(asc(exchanges.id))
      .limit(BOUND_LIMIT),
  );
const newer = newerWhere();
const newerOfVerification = newerWhere(eq(exchanges.verificationUuid, p('verificationUuid')));

function statusIs(status: string): SQL {
  if (status === 'none') return isNull(exchanges.status);
  const lowest = Number(status.replace('xx', '00'));
  return between(exchanges.status, lowest, status.endsWith('xx') ? lowest + 99 : lowest);
}

export type ExchangeStore = ReturnType<typeof exchangeStore>;

export function exchangeStore(db: Db, maxKept?: number, maxBytes?: number) {
  const writer = exchangeWriterStore(db, maxKept, maxBytes);

  const log: ExchangeLog = { record: writer.record, position: () => newestHistory(db) };
  return {
    ...log,
    /** Newest first, at most `limit` and about 512 KiB of bodies. `next`: the position of the next page; null: there is none. */
    listOf(vaspId: CallerId, query: ExchangeQuery) {
      writer.flush();
      return page(db, vaspId, query);
    },
    /** Counts up to `MAX_COUNTED + 1`. */
    countOf: (vaspId: CallerId, filter: ExchangeFilter): number =>
      countUpTo(db, MAX_COUNTED + 1, exchanges, filterOf(vaspId, filter)),
    /**
     * Counts the calls to a VASP among its newest exchanges, by duration: shortest first. An index has all columns. Calls
     * of the endpoint check count, too.
     */
    newestCalls(vaspId: CallerId, most: number): CallCount[] {
      writer.flushIfPossible();
      return newestCalls(db, vaspId, most);
    },
    /** Exchanges with a greater id, oldest first. */
    after(vaspId: CallerId, query: { after: number; limit: number; verificationUuid?: string | undefined }) {
      writer.flush();
      const newerThan = query.verificationUuid === undefined ? newer : newerOfVerification;
      return newerThan(db).all({ vaspId, ...query });
    },
    /** Id of the newest exchange. */
    newest: () => lastIdOf(db, exchanges),
    /** A page of one verification, also when those that wait cannot be stored. */
    ofVerification(vaspId: CallerId, query: ExchangeQuery & { verificationUuid: Scoped<string> }) {
      writer.flushIfPossible();
      return page(db, vaspId, query);
    },
    ...removals(writer),
    /** Stores the exchanges that wait. Call before the database is closed. */
    close: writer.close,
  };
}

const removals = (writer: ReturnType<typeof exchangeWriterStore>) => ({
  removeOfVerification: (tx: Tx, uuid: string) => writer.remove(tx, isOfVerification(uuid)),
  removeOf: (tx: Tx, vaspId: string) => writer.remove(tx, eq(exchanges.vaspId, vaspId)),
  /** Removes the exchanges of a VASP up to a time that belong to no verification. Yields after each few. */
  removeOld: writer.removeOld,
  /** Removes those of other VASPs that name this one: a list, or a question about an account. Yields after each few. */
  removeNaming: writer.removeNaming,
  /** Removes its exchanges, and those of the other VASPs of its verifications. Before these are removed. */
  forgetVasp: (tx: Tx, vaspId: string) =>
    writer.remove(tx, or(eq(exchanges.vaspId, vaspId), inArray(exchanges.verificationUuid, uuidsOfVasp(tx, vaspId)))),
});

function page(db: Db, vaspId: CallerId, { before, limit, ...filter }: ExchangeQuery) {
  const isWanted = and(filterOf(vaspId, filter), before === undefined ? undefined : lt(exchanges.id, before));
  const found = db.orm
    .select({ id: exchanges.id, bytes: BYTES })
    .from(exchanges)
    .where(isWanted)
    .orderBy(desc(exchanges.id))
    .limit(limit + 1)
    .all();
  const shown = fitting(found).slice(0, limit);
  const last = shown.at(-1);
  if (!last) return { rows: [], next: null };
  const rows = wholeExchanges(db)
    .where(and(isWanted, gte(exchanges.id, last.id)))
    .orderBy(desc(exchanges.id))
    .all();
  // Written as JSON they may be six times as long.
  const written = fitting(rows.map(row => ({ ...row, bytes: JSON.stringify(row).length })));
  const isLast = written.length === rows.length && shown.length === found.length;
  return { rows: rows.slice(0, written.length), next: isLast ? null : String(rows[written.length - 1]!.id) };
}

function newestCalls(db: Db, vaspId: CallerId, most: number): CallCount[] {
  const { operation, status, durationMs, direction } = exchanges;
  const newest = db.orm
    .select({ operation, status, durationMs, direction })
    .from(exchanges)
    .where(eq(exchanges.vaspId, vaspId))
    .orderBy(desc(exchanges.id))
    .limit(most)
    .as('newest');
  const isAnswered = sql<number>`${newest.status} IS NOT NULL`;
  return db.orm
    .select({ operation: newest.operation, isAnswered, durationMs: newest.durationMs, count: count() })
    .from(newest)
    .where(eq(newest.direction, 'OUT'))
    .groupBy(newest.durationMs, newest.operation, isAnswered)
    .orderBy(newest.durationMs)
    .all();
}
