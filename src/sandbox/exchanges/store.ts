import { and, asc, desc, eq, gt, lt, lte, type SQL, sql } from 'drizzle-orm';
import { groupCommit } from '../../db/group-commit.ts';
import { newestHistory } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, lastIdOf } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';
import type { Exchange, ExchangeLog } from '../../http/exchange.ts';
import { later } from '../../kernel/interval.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';

export type ExchangeRow = typeof exchanges.$inferSelect;

/** Older exchanges are deleted: a sandbox that runs for months must not fill a disk. */
const MAX_KEPT = 50_000;
const PRUNE_EVERY = 1_000;
const MOST_WAITING = 5_000;
const TRY_AGAIN_MS = 500;

export interface ExchangeStore extends ExchangeLog {
  /** Newest first. */
  listOf(vaspId: string, query: ExchangeQuery): ExchangeRow[];
  /** Exchanges with a greater id, oldest first. */
  after(vaspId: string, query: Omit<ExchangeQuery, 'before'> & { after: number }): ExchangeRow[];
  /** Id of the newest exchange. */
  newest(): number;
  ofVerification(verificationUuid: string): ExchangeRow[];
  removeOfVerification(tx: Tx, verificationUuid: string): void;
  removeOf(tx: Tx, vaspId: string): void;
  /** Stores the exchanges that wait. Call before the database is closed. */
  close(): void;
}

export interface ExchangeQuery {
  verificationUuid?: string | undefined;
  before?: number | undefined;
  limit: number;
}

/** Exchanges of one turn of the event loop are written in one transaction. */
export function exchangeStore(db: Db): ExchangeStore {
  let waiting: Exchange[] = [];
  let isScheduled = false;
  let isClosed = false;
  let sincePruned = 0;

  /** Throws `StorageUnavailable`; the exchanges then wait for the next turn. */
  function flush(): void {
    if (waiting.length === 0) return;
    const batch = waiting;
    write(db, tx => {
      for (const exchange of batch) insertRow(tx, exchanges, exchange);
      sincePruned += batch.length;
      if (sincePruned >= PRUNE_EVERY) prune(tx);
      afterCommit(tx, () => {
        waiting = waiting.slice(batch.length);
      });
    });
  }

  /** An exchange is no state: it may wait, and the oldest are dropped when too many wait. */
  function schedule(): void {
    if (isScheduled) return;
    isScheduled = true;
    groupCommit(db, flush).then(
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

  function prune(tx: Tx): void {
    sincePruned = 0;
    const { newest } = tx.orm
      .select({ newest: sql<number>`max(${exchanges.id})` })
      .from(exchanges)
      .get()!;
    tx.orm
      .delete(exchanges)
      .where(lte(exchanges.id, newest - MAX_KEPT))
      .run();
  }

  function select(
    vaspId: string,
    verificationUuid: string | undefined,
    range: SQL | undefined,
    order: SQL,
    limit: number,
  ): ExchangeRow[] {
    flush();
    const ofOne =
      verificationUuid === undefined ? undefined : eq(exchanges.verificationUuid, verificationUuid);
    return db.orm
      .select()
      .from(exchanges)
      .where(and(eq(exchanges.vaspId, vaspId), ofOne, range))
      .orderBy(order)
      .limit(limit)
      .all();
  }

  return {
    record(exchange) {
      waiting.push(exchange);
      schedule();
    },
    position: () => newestHistory(db),
    newest: () => lastIdOf(db, exchanges),
    after(vaspId, { after, verificationUuid, limit }) {
      flush();
      if (lastIdOf(db, exchanges) <= after) return [];
      return select(vaspId, verificationUuid, gt(exchanges.id, after), asc(exchanges.id), limit);
    },
    listOf: (vaspId, { verificationUuid, before, limit }) =>
      select(
        vaspId,
        verificationUuid,
        before === undefined ? undefined : lt(exchanges.id, before),
        desc(exchanges.id),
        limit,
      ),
    ofVerification(verificationUuid) {
      flushIfPossible();
      return db.orm
        .select()
        .from(exchanges)
        .where(eq(exchanges.verificationUuid, verificationUuid))
        .orderBy(exchanges.id)
        .all();
    },
    removeOfVerification: (tx, uuid) =>
      void tx.orm.delete(exchanges).where(eq(exchanges.verificationUuid, uuid)).run(),
    removeOf: (tx, vaspId) => void tx.orm.delete(exchanges).where(eq(exchanges.vaspId, vaspId)).run(),
    close() {
      flushIfPossible();
      isClosed = true;
    },
  };
}
