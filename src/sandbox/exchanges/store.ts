import { and, asc, between, count, desc, eq, gt, gte, inArray, isNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { CallerId, Scoped } from '../../contract/tenancy.ts';
import { MAX_COUNTED } from '../../contract/text.ts';
import { isClosing } from '../../db/closing.ts';
import { countUpTo, keptCounts } from '../../db/count.ts';
import { newestHistory, uuidsOfVasp } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { BOUND_LIMIT, insertRow, lastIdOf, preparedFilters } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import { afterCommit, joinNextGroup, type Tx, write } from '../../db/transaction.ts';
import { type ExchangeRow, wholeExchanges } from '../../db/whole-exchanges.ts';
import type { Exchange, ExchangeLog } from '../../http/exchange.ts';
import { later } from '../../kernel/clock.ts';
import { firstUpTo, MAX_PAGE_BYTES } from '../../kernel/page.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import { cutText } from '../../kernel/text.ts';
import { MAX_ANSWER_BYTES } from '../../vasps/port.ts';
import * as oldExchanges from './old-store.ts';
import { BYTES } from './old-store.ts';

export interface CallCount {
  operation: string;
  /** 0: there was no answer. */
  isAnswered: number;
  durationMs: number;
  count: number;
}

interface ExchangeFilter {
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
interface NewerQuery {
  after: number;
  limit: number;
  verificationUuid?: string | undefined;
}
const newer = preparedFilters<NewerQuery & { vaspId: string }, ExchangeRow[]>((db, has) =>
  wholeExchanges(db)
    .where(
      and(
        eq(exchanges.vaspId, p('vaspId')),
        gt(exchanges.id, p('after')),
        has('verificationUuid') ? eq(exchanges.verificationUuid, p('verificationUuid')) : undefined,
      ),
    )
    .orderBy(asc(exchanges.id))
    .limit(BOUND_LIMIT),
);

function statusIs(status: string): SQL {
  if (status === 'none') return isNull(exchanges.status);
  const lowest = Number(status.replace('xx', '00'));
  return between(exchanges.status, lowest, status.endsWith('xx') ? lowest + 99 : lowest);
}

export type ExchangeStore = ReturnType<typeof exchangeStore>;

export function exchangeStore(db: Db, maxKept = MAX_KEPT, maxBytes = MAX_BYTES) {
  const kept = keptExchanges(db, maxKept, maxBytes);
  const { flush, flushIfPossible, ...queue } = exchangeQueue(db, kept.add);
  /** Also those that are not stored yet. */
  function remove(tx: Tx, condition: SQL | undefined): void {
    flush();
    kept.remove(tx, condition);
  }
  const log: ExchangeLog = { record: queue.record, position: () => newestHistory(db) };
  return {
    ...log,
    /** Newest first, at most `limit` and about 512 KiB of bodies. `next`: the position of the next page; null: there is none. */
    listOf(vaspId: CallerId, query: ExchangeQuery) {
      flush();
      return page(db, vaspId, query);
    },
    find(vaspId: CallerId, id: number): ExchangeRow | undefined {
      flush();
      return wholeExchanges(db)
        .where(and(eq(exchanges.vaspId, vaspId), eq(exchanges.id, id)))
        .get();
    },
    /** Counts up to `MAX_COUNTED + 1`. */
    countOf: (vaspId: CallerId, filter: ExchangeFilter): number =>
      countUpTo(db, MAX_COUNTED + 1, exchanges, filterOf(vaspId, filter)),
    /**
     * Counts the calls to a VASP among its newest exchanges, by duration: shortest first. Calls of the endpoint check
     * count, too.
     */
    newestCalls(vaspId: CallerId, limit: number): CallCount[] {
      flushIfPossible();
      return newestCalls(db, vaspId, limit);
    },
    /** Exchanges with a greater id, oldest first. */
    after(vaspId: CallerId, query: NewerQuery) {
      flush();
      return newer(db, { vaspId, ...query });
    },
    /** Id of the newest exchange. */
    newest: () => lastIdOf(db, exchanges),
    /** A page of one verification, also when those that wait cannot be stored. */
    ofVerification(vaspId: CallerId, query: ExchangeQuery & { verificationUuid: Scoped<string> }) {
      flushIfPossible();
      return page(db, vaspId, query);
    },
    removeOfVerification: (tx: Tx, uuid: string) => remove(tx, isOfVerification(uuid)),
    removeOf: (tx: Tx, vaspId: string) => remove(tx, eq(exchanges.vaspId, vaspId)),
    /** Removes its exchanges, and those of the other VASPs of its verifications. Before these are removed. */
    forgetVasp: (tx: Tx, vaspId: string) =>
      remove(tx, or(eq(exchanges.vaspId, vaspId), inArray(exchanges.verificationUuid, uuidsOfVasp(tx, vaspId)))),
    /** Removes the exchanges of a VASP up to a time that belong to no verification. Yields after each few. */
    removeOld: kept.removeOld,
    /** Removes those of other VASPs that name this one: a list, or a question about an account. Yields after each few. */
    *removeNaming(vaspId: string): Generator<void> {
      flush();
      yield* kept.removeNaming(vaspId);
    },
    /** Stores the exchanges that wait. Call before the database is closed. */
    close: queue.close,
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
  const shown = firstUpTo(MAX_PAGE_BYTES, found, ({ bytes }) => bytes).slice(0, limit);
  const last = shown.at(-1);
  if (!last) return { rows: [], next: null };
  const rows = wholeExchanges(db)
    .where(and(isWanted, gte(exchanges.id, last.id)))
    .orderBy(desc(exchanges.id))
    .all();
  // Written as JSON they may be six times as long.
  const written = firstUpTo(MAX_PAGE_BYTES, rows, row => JSON.stringify(row).length);
  const isLast = written.length === rows.length && shown.length === found.length;
  return { rows: written, next: isLast ? null : String(written.at(-1)!.id) };
}

function newestCalls(db: Db, vaspId: CallerId, limit: number): CallCount[] {
  const { operation, status, durationMs, direction } = exchanges;
  const newest = db.orm
    .select({ operation, status, durationMs, direction })
    .from(exchanges)
    .where(eq(exchanges.vaspId, vaspId))
    .orderBy(desc(exchanges.id))
    .limit(limit)
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

/** Of each VASP. Older exchanges are deleted: a sandbox that runs for months must not fill a disk. */
const MAX_KEPT = 50_000;
/** Long bodies that each VASP may add between two starts. Older exchanges make room for more. */
const MAX_BYTES = 1024 * 1024 * 1024;
/** A few at once: others wait meanwhile. */
const MAX_PRUNED = 200;
const MAX_LONG_PRUNED = 20;
/** Exchanges that cannot be stored. */
const MAX_WAITING = 5_000;
const MAX_WAITING_BYTES = 32 * 1024 * 1024;
const TRY_AGAIN_MS = 500;
/** The commit of the callback follows most requests. */
const WITHIN_MS = 20;

type Row = typeof exchanges.$inferInsert;

/**
 * The exchanges that wait. They are written with the next group of changes; readers write them before. They are no state:
 * the oldest are dropped when too many wait.
 */
function exchangeQueue(db: Db, add: (tx: Tx, batch: readonly Row[]) => void) {
  let waiting: Row[] = [];
  let isScheduled = false;
  let isClosed = false;

  /** Batches that the open transaction has written. They wait until its commit. */
  let written: { length: number; goesOn(): boolean }[] = [];

  /** Throws `StorageUnavailable`; the exchanges then wait. */
  function flush(): void {
    if (waiting.length === 0) return;
    write(db, tx => {
      written = written.filter(each => each.goesOn());
      const batch = waiting.slice(written.reduce((sum, { length }) => sum + length, 0));
      add(tx, batch);
      const goesOn = afterCommit(tx, () => {
        waiting = waiting.slice(batch.length);
      });
      written.push({ length: batch.length, goesOn });
    });
  }

  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    joinNextGroup(db, WITHIN_MS, flush).then(
      () => {
        isScheduled = false;
        if (waiting.length > 0) schedule();
      },
      () => {
        waiting = newestOf(waiting);
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
      waiting = newestOf(waiting);
    }
  }

  return {
    record(exchange: Exchange): void {
      waiting.push(rowOf(exchange));
      schedule();
    },
    flush,
    flushIfPossible,
    close(): void {
      flushIfPossible();
      isClosed = true;
    },
  };
}

function newestOf(rows: readonly Row[]): Row[] {
  let bytes = 0;
  const lastDropped = rows.findLastIndex(row => {
    bytes += bytesOf(row);
    return bytes > MAX_WAITING_BYTES;
  });
  return rows.slice(Math.max(lastDropped + 1, rows.length - MAX_WAITING));
}

/** The stored exchanges: of each VASP the newest. None pushes out what another one has. */
function keptExchanges(db: Db, maxKept: number, maxBytes: number) {
  /** Of the bodies that each VASP has stored since the start, less those of removed ones. To add up all would take long. */
  const bytes = new Map<string, number>();
  const addBytes = (vaspId: string, more: number) => void bytes.set(vaspId, (bytes.get(vaspId) ?? 0) + more);
  /** Of each VASP that has stored one since the start. */
  const counts = keptCounts(db);
  const storedOf = (vaspId: string): number =>
    db.orm.select({ count: count() }).from(exchanges).where(eq(exchanges.vaspId, vaspId)).get()!.count;

  function noteRemoved(tx: Tx, removed: readonly oldExchanges.Removed[]): void {
    for (const { vaspId } of removed) counts.change(vaspId, -1);
    afterCommit(tx, () => {
      for (const { vaspId, bytes } of removed) addBytes(vaspId, -bytes);
    });
  }

  function prune(tx: Tx): void {
    for (const [vaspId, stored] of counts.all()) {
      const isTooLong = (bytes.get(vaspId) ?? 0) > maxBytes;
      const tooMany = Math.min(stored - maxKept, MAX_PRUNED);
      if (!isTooLong && tooMany <= 0) continue;
      noteRemoved(tx, oldExchanges.removeFirst(tx, vaspId, isTooLong ? MAX_LONG_PRUNED : tooMany));
    }
  }

  return {
    add(tx: Tx, batch: readonly Row[]): void {
      const rows = batch.filter(({ vaspId }) => !isClosing(tx, vaspId));
      for (const row of rows) {
        const { vaspId } = row;
        counts.of(vaspId, () => storedOf(vaspId));
        counts.change(vaspId, 1);
        afterCommit(tx, () => addBytes(vaspId, bytesOf(row)));
      }
      // First: the new rows take the pages of the old ones.
      prune(tx);
      for (const row of rows) insertRow(tx, exchanges, row);
    },
    remove(tx: Tx, condition: SQL | undefined): void {
      noteRemoved(tx, tx.orm.delete(exchanges).where(condition).returning(oldExchanges.REMOVED).all());
    },
    removeOld: (vaspId: string, before: number) => oldExchanges.removeUpTo(db, vaspId, before, noteRemoved),
    removeNaming: (vaspId: string) => oldExchanges.removeNaming(db, vaspId, noteRemoved),
  };
}

/** A list of very many VASPs is megabytes long, and a page shows a hundred exchanges. */
const MAX_BODY_LENGTH = 65_536;

/** A verdict judges an answer of the tested VASP by the kept one, so that one is whole. */
const rowOf = (exchange: Exchange): Row => ({
  ...exchange,
  request: exchange.callbackId === undefined ? cutText(exchange.request, MAX_BODY_LENGTH) : null,
  response: cutText(exchange.response, exchange.direction === 'OUT' ? MAX_ANSWER_BYTES : MAX_BODY_LENGTH),
});

const bytesOf = ({ request, response }: Row): number =>
  Buffer.byteLength(request ?? '') + Buffer.byteLength(response ?? '');
