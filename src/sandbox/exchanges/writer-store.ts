import { count, eq, type SQL } from 'drizzle-orm';
import { isClosing } from '../../db/closing.ts';
import { joinNextGroup } from '../../db/group-commit.ts';
import type { Db } from '../../db/open.ts';
import { insertRow } from '../../db/prepared-statements.ts';
import { exchanges } from '../../db/schema/runtime.ts';
import { afterCommit, onUndo, type Tx, write } from '../../db/transaction.ts';
import type { Exchange } from '../../http/exchange.ts';
import { cutText } from '../../kernel/cut-text.ts';
import { later } from '../../kernel/interval.ts';
import { storageTrouble } from '../../kernel/storage-trouble.ts';
import { MAX_ANSWER_BYTES } from '../../vasps/port.ts';
import * as oldExchanges from './old-store.ts';

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

/** Exchanges are written with the next group of changes. Readers write those that wait. */
export function exchangeWriterStore(db: Db, maxKept = MAX_KEPT, maxBytes = MAX_BYTES) {
  const kept = keptExchanges(db, maxKept, maxBytes);
  const { flush, ...queue } = exchangeQueue(db, kept.add);
  return {
    ...queue,
    flush,
    /** Also removes exchanges that are not stored yet. */
    remove(tx: Tx, condition: SQL | undefined): void {
      flush();
      kept.remove(tx, condition);
    },
    removeOld: kept.removeOld,
    /** Likewise. */
    *removeNaming(vaspId: string): Generator<void> {
      flush();
      yield* kept.removeNaming(vaspId);
    },
  };
}

type Row = typeof exchanges.$inferInsert;

/** The exchanges that wait. They are no state: the oldest are dropped when too many wait. */
function exchangeQueue(db: Db, add: (tx: Tx, batch: readonly Row[]) => void) {
  let waiting: Row[] = [];
  let isScheduled = false;
  let isClosed = false;

  /** Throws `StorageUnavailable`; the exchanges then wait. */
  function flush(): void {
    if (waiting.length === 0) return;
    const batch = waiting;
    write(db, tx => {
      add(tx, batch);
      afterCommit(tx, () => {
        waiting = waiting.slice(batch.length);
      });
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
  const bytes = bodyBytes();
  /** Number of stored exchanges of each VASP that has stored one since the start. */
  const counts = new Map<string, number>();
  onUndo(db, () => counts.clear());

  const storedOf = (vaspId: string): number =>
    db.orm.select({ count: count() }).from(exchanges).where(eq(exchanges.vaspId, vaspId)).get()!.count;

  function prune(tx: Tx): void {
    for (const [vaspId, stored] of counts) {
      const isTooLong = bytes.of(vaspId) > maxBytes;
      if (!isTooLong && stored < maxKept + MAX_PRUNED) continue;
      const removed = oldExchanges.removeFirst(tx, vaspId, isTooLong ? MAX_LONG_PRUNED : MAX_PRUNED);
      counts.set(vaspId, stored - removed.length);
      bytes.remove(removed);
    }
  }

  return {
    add(tx: Tx, batch: readonly Row[]): void {
      for (const row of batch) {
        const { vaspId } = row;
        if (isClosing(tx, vaspId)) continue;
        counts.set(vaspId, (counts.get(vaspId) ?? storedOf(vaspId)) + 1);
        afterCommit(tx, () => bytes.add(row));
        insertRow(tx, exchanges, row);
      }
      prune(tx);
    },
    remove(tx: Tx, condition: SQL | undefined): void {
      bytes.remove(tx.orm.delete(exchanges).where(condition).returning(oldExchanges.REMOVED).all());
      counts.clear();
    },
    /** Removes the exchanges of a VASP up to a time that belong to no verification. Yields after each few. */
    *removeOld(vaspId: string, before: number): Generator<void> {
      for (const removed of oldExchanges.removeUpTo(db, vaspId, before)) {
        const stored = counts.get(vaspId);
        if (stored !== undefined) counts.set(vaspId, stored - removed.length);
        bytes.remove(removed);
        yield;
      }
    },
    *removeNaming(vaspId: string): Generator<void> {
      for (const removed of oldExchanges.removeNaming(db, vaspId)) {
        bytes.remove(removed);
        if (removed.length > 0) counts.clear();
        yield;
      }
    },
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

/** The bytes of the bodies that each VASP has stored since the start, less those of removed ones. To add up all would take long. */
function bodyBytes() {
  const counts = new Map<string, number>();
  const of = (vaspId: string): number => counts.get(vaspId) ?? 0;
  return {
    of,
    add: (row: Row) => void counts.set(row.vaspId, of(row.vaspId) + bytesOf(row)),
    remove(removed: readonly { vaspId: string; bytes: number }[]) {
      for (const { vaspId, bytes } of removed) counts.set(vaspId, of(vaspId) - bytes);
    },
  };
}
