import type { Db } from '../db/open.ts';
import type { TimerKind } from './registry.ts';
import type { TimerRow } from './store.ts';
import * as timerRows from './store.ts';

/** Limits the running timers of one owner, so that a slow or dead VASP delays nobody else. */
const MAX_RUNNING_PER_OWNER = 64;

export type MaxOf = (owner: string, kind: TimerKind) => number;

/**
 * Due timers that may start, one of each queue. `next`: when the next one is due; Infinity: there is none. `isAll`: false:
 * others are due, too, and wait for running ones.
 */
export function pickDue(
  db: Db,
  owner: string,
  now: number,
  running: readonly { row: TimerRow; queue: string; kind: TimerKind }[],
  maxOf: MaxOf,
): { picked: TimerRow[]; next: number; isAll: boolean } {
  const busyQueues = new Set(running.map(timer => timer.queue));
  const picked: TimerRow[] = [];
  let [next, isAll] = [Number.POSITIVE_INFINITY, true];
  const isRunning = ({ id, generation }: TimerRow) =>
    running.some(({ row }) => row.id === id && row.generation === generation);
  const isFull = (kind: TimerKind) => {
    const limit = maxOf(owner, kind);
    if (limit >= MAX_RUNNING_PER_OWNER) return false;
    return [...running, ...picked].filter(timer => timer.kind === kind).length >= limit;
  };
  /** Returns the kind of the first timer that finds no room. */
  const pick = (rows: Iterable<TimerRow>): TimerKind | undefined => {
    for (const row of rows) {
      if (row.dueAt > now) {
        next = Math.min(next, row.dueAt);
        return undefined;
      }
      if (isRunning(row)) continue;
      const hasRoom = running.length + picked.length < MAX_RUNNING_PER_OWNER;
      const queue = timerRows.queueOf(row);
      const isBusy = busyQueues.has(queue);
      if (hasRoom && !isBusy && !isFull(row.kind)) {
        busyQueues.add(queue);
        picked.push(row);
        continue;
      }
      isAll = false;
      if (!hasRoom) return undefined;
      if (!isBusy) return row.kind;
    }
    return undefined;
  };
  const full = pick(timerRows.inOrder(db, owner));
  if (full) pick(timerRows.inOrder(db, owner, full));
  return { picked, next, isAll };
}
