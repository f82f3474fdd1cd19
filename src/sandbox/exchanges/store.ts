import {
  and,
  asc,
  between,
  count,
  desc,
  eq,
  gt,
  gte,
  inArray,
  isNull,
  lt,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { MOST_COUNTED } from '../../contract/most-counted.ts';
import type { CallerId, Own } from '../../contract/tenancy.ts';
import { countUpTo } from '../../db/count-up-to.ts';
import { newestHistory } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, lastIdOf, preparedQuery } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { uuidsOfVasp } from '../../db/verification-uuids.ts';
import type { ExchangeLog } from '../../http/exchange.ts';
import { fitting } from './bodies.ts';
import { BYTES } from './old/store.ts';
import { exchangeWriterStore } from './writer-store.ts';

export type ExchangeRow = typeof exchanges.$inferSelect;

export interface ExchangeStore extends ExchangeLog {
  /** Newest first, at most `limit` and about 1 MiB of bodies. `next`: the position of the next page; null: there is none. */
  listOf(vaspId: CallerId, query: ExchangeQuery): { rows: ExchangeRow[]; next: string | null };
  /** Counts up to `MOST_COUNTED + 1`. */
  countOf(vaspId: CallerId, filter: ExchangeFilter): number;
  /**
   * Counts the calls to a VASP among its newest exchanges, by duration: shortest first. An index has all columns. Calls of
   * the endpoint check count, too.
   */
  newestCalls(vaspId: CallerId, most: number): CallCount[];
  /** Exchanges with a greater id, oldest first. */
  after(
    vaspId: CallerId,
    query: { after: number; limit: number; verificationUuid?: string | undefined },
  ): ExchangeRow[];
  newest(): number;
  ofVerification(verificationUuid: Own<string>): ExchangeRow[];
  removeOfVerification(tx: Tx, verificationUuid: string): void;
  removeOf(tx: Tx, vaspId: string): void;
  /** Removes the exchanges of a VASP up to a time that belong to no verification. Yields after each few. */
  removeOld(vaspId: string, before: number): Generator<void>;
  /** Removes its exchanges, and those of the other VASPs of its verifications. Before these are removed. */
  forgetVasp(tx: Tx, vaspId: string): void;
  /** Stores the exchanges that wait. Call before the database is closed. */
  close(): void;
}

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
    db.orm
      .select()
      .from(exchanges)
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

export function exchangeStore(db: Db, mostKept?: number, mostBytes?: number): ExchangeStore {
  const writer = exchangeWriterStore(db, mostKept, mostBytes);

  return {
    record: writer.record,
    removeOld: writer.removeOld,
    close: writer.close,
    position: () => newestHistory(db),
    newest: () => lastIdOf(db, exchanges),
    after(vaspId, { after, limit, verificationUuid }) {
      writer.flush();
      const query = verificationUuid === undefined ? newer : newerOfVerification;
      return query(db).all({ vaspId, after, limit, verificationUuid });
    },
    listOf(vaspId, query) {
      writer.flush();
      return page(db, vaspId, query);
    },
    countOf: (vaspId, filter) => countUpTo(db, MOST_COUNTED + 1, exchanges, filterOf(vaspId, filter)),
    newestCalls(vaspId, most) {
      writer.flushIfPossible();
      return newestCalls(db, vaspId, most);
    },
    ofVerification(verificationUuid) {
      writer.flushIfPossible();
      return db.orm
        .select()
        .from(exchanges)
        .where(and(isOfVerification(verificationUuid), eq(exchanges.isCheck, false)))
        .orderBy(exchanges.id)
        .all();
    },
    removeOfVerification: (tx, uuid) => writer.remove(tx, isOfVerification(uuid)),
    removeOf: (tx, vaspId) => writer.remove(tx, eq(exchanges.vaspId, vaspId)),
    forgetVasp: (tx, vaspId) =>
      writer.remove(
        tx,
        or(eq(exchanges.vaspId, vaspId), inArray(exchanges.verificationUuid, uuidsOfVasp(tx, vaspId))),
      ),
  };
}

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
  const rows = db.orm
    .select()
    .from(exchanges)
    .where(and(isWanted, gte(exchanges.id, last.id)))
    .orderBy(desc(exchanges.id))
    .all();
  return { rows, next: shown.length < found.length ? String(last.id) : null };
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
