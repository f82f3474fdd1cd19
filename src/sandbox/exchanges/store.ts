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
import { joinNextGroup } from '../../db/group-commit.ts';
import { newestHistory } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, lastIdOf } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import { afterCommit, onUndo, type Tx, write } from '../../db/transaction.ts';
import { uuidsOfVasp } from '../../db/verification-uuids.ts';
import type { Exchange, ExchangeLog } from '../../http/exchange.ts';
import { later } from '../../kernel/interval.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import { bodyBytes, fitting, rowOf } from './bodies.ts';
import { BYTES, oldExchangeStore, REMOVED } from './old/store.ts';

export type ExchangeRow = typeof exchanges.$inferSelect;

/** Of each VASP. Older exchanges are deleted: a sandbox that runs for months must not fill a disk. */
const MAX_KEPT = 50_000;
/** Long bodies that each VASP may add between two starts. Older exchanges make room for more. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** A few at once: others wait meanwhile. */
const MOST_PRUNED = 200;
const MOST_LONG_PRUNED = 20;
const MOST_WAITING = 5_000;
const TRY_AGAIN_MS = 500;
/** The commit of the callback follows most requests. */
const WITHIN_MS = 20;

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
  after(vaspId: CallerId, query: Omit<ExchangeQuery, 'before'> & { after: number }): ExchangeRow[];
  /** Id of the newest exchange. */
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

function statusIs(status: string): SQL {
  if (status === 'none') return isNull(exchanges.status);
  const lowest = Number(status.replace('xx', '00'));
  return between(exchanges.status, lowest, status.endsWith('xx') ? lowest + 99 : lowest);
}

/** Exchanges are written with the next group of changes. Readers write those that wait. */
export function exchangeStore(db: Db, mostKept = MAX_KEPT, mostBytes = MAX_BYTES): ExchangeStore {
  const old = oldExchangeStore(db);
  let waiting: Exchange[] = [];
  let isScheduled = false;
  let isClosed = false;
  /** Number of stored exchanges of each VASP that has stored one since the start. */
  const counts = new Map<string, number>();
  onUndo(db, () => counts.clear());
  const bytes = bodyBytes();

  /** Throws `StorageUnavailable`; the exchanges then wait. */
  function flush(): void {
    if (waiting.length === 0) return;
    const batch = waiting;
    write(db, tx => {
      for (const exchange of batch) {
        const { vaspId } = exchange;
        counts.set(vaspId, (counts.get(vaspId) ?? storedOf(vaspId)) + 1);
        const row = rowOf(exchange);
        afterCommit(tx, () => bytes.add(row));
        insertRow(tx, exchanges, row);
      }
      prune(tx);
      afterCommit(tx, () => {
        waiting = waiting.slice(batch.length);
      });
    });
  }

  /** An exchange is no state: it may wait, and the oldest are dropped when too many wait. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    joinNextGroup(db, WITHIN_MS, flush).then(
      () => {
        isScheduled = false;
        if (waiting.length > 0) schedule();
      },
      () => {
        waiting = waiting.slice(-MOST_WAITING);
        later(TRY_AGAIN_MS, () => {
          isScheduled = false;
          if (!isClosed) schedule();
        });
      },
    );
  }

  /** A reader gets what is stored when the rest cannot be. */
  function flushIfPossible(): void {
    try {
      flush();
    } catch (error) {
      if (!storageTrouble(error)) throw error;
    }
  }

  const storedOf = (vaspId: string): number =>
    db.orm.select({ count: count() }).from(exchanges).where(eq(exchanges.vaspId, vaspId)).get()!.count;

  /** Each VASP by itself: none pushes out what another one has. */
  function prune(tx: Tx): void {
    for (const [vaspId, stored] of counts) {
      const isTooLong = bytes.of(vaspId) > mostBytes;
      if (!isTooLong && stored < mostKept + MOST_PRUNED) continue;
      const removed = old.removeFirst(tx, vaspId, isTooLong ? MOST_LONG_PRUNED : MOST_PRUNED);
      counts.set(vaspId, stored - removed.length);
      bytes.remove(removed);
    }
  }

  /** Also removes exchanges that are not stored yet. */
  function remove(tx: Tx, condition: SQL | undefined): void {
    flush();
    bytes.remove(tx.orm.delete(exchanges).where(condition).returning(REMOVED).all());
    counts.clear();
  }

  function select(condition: SQL | undefined, order: SQL, limit: number): ExchangeRow[] {
    flush();
    return db.orm.select().from(exchanges).where(condition).orderBy(order).limit(limit).all();
  }

  return {
    record(exchange) {
      waiting.push(exchange);
      schedule();
    },
    position: () => newestHistory(db),
    newest: () => lastIdOf(db, exchanges),
    after(vaspId, { after, limit, ...filter }) {
      flush();
      if (lastIdOf(db, exchanges) <= after) return [];
      return select(and(filterOf(vaspId, filter), gt(exchanges.id, after)), asc(exchanges.id), limit);
    },
    listOf(vaspId, { before, limit, ...filter }) {
      const isWanted = and(
        filterOf(vaspId, filter),
        before === undefined ? undefined : lt(exchanges.id, before),
      );
      flush();
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
      const isShown = and(isWanted, gte(exchanges.id, last.id));
      const rows = select(isShown, desc(exchanges.id), shown.length);
      return { rows, next: shown.length < found.length ? String(last.id) : null };
    },
    countOf: (vaspId, filter) => countUpTo(db, MOST_COUNTED + 1, exchanges, filterOf(vaspId, filter)),
    newestCalls(vaspId, most) {
      flushIfPossible();
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
    },
    ofVerification(verificationUuid) {
      flushIfPossible();
      return db.orm
        .select()
        .from(exchanges)
        .where(and(isOfVerification(verificationUuid), eq(exchanges.isCheck, false)))
        .orderBy(exchanges.id)
        .all();
    },
    removeOfVerification: (tx, uuid) => remove(tx, isOfVerification(uuid)),
    removeOf: (tx, vaspId) => remove(tx, eq(exchanges.vaspId, vaspId)),
    *removeOld(vaspId, before) {
      for (const removed of old.removeUpTo(vaspId, before)) {
        const stored = counts.get(vaspId);
        if (stored !== undefined) counts.set(vaspId, stored - removed.length);
        bytes.remove(removed);
        yield;
      }
    },
    forgetVasp: (tx, vaspId) =>
      remove(
        tx,
        or(eq(exchanges.vaspId, vaspId), inArray(exchanges.verificationUuid, uuidsOfVasp(tx, vaspId))),
      ),
    close() {
      flushIfPossible();
      isClosed = true;
    },
  };
}
