import type { Db } from '../db/open.ts';
import type { TimerKind } from './registry.ts';
import type { TimerRow } from './store.ts';
import * as timerRows from './store.ts';

/** Limits the running timers of one owner, so that a slow or dead VASP delays nobody else. */
const MAX_RUNNING_PER_OWNER = 64;

export type MostOf = (owner: string, kind: TimerKind) => number;

/** Due timers that may start, one of each queue. `next`: when the next one is due; Infinity: there is none. */
export function pickDue(
  db: Db,
  owner: string,
  now: number,
  running: readonly Pick<TimerRow, 'queue' | 'kind'>[],
  mostOf: MostOf,
): { picked: TimerRow[] | undefined; next: number } {
  const busyQueues = new Set(running.map(timer => timer.queue));
  const picked: TimerRow[] = [];
  let isAnyDue = false;
  const isFull = (kind: TimerKind) => {
    const most = mostOf(owner, kind);
    if (most >= MAX_RUNNING_PER_OWNER) return false;
    return [...running, ...picked].filter(timer => timer.kind === kind).length >= most;
  };
  /** Returns the kind of the first timer that finds no room. */
  const pick = (rows: Iterable<TimerRow>): TimerKind | undefined => {
    for (const row of rows) {
      isAnyDue = true;
      if (running.length + picked.length >= MAX_RUNNING_PER_OWNER) return undefined;
      if (busyQueues.has(row.queue)) continue;
      if (isFull(row.kind)) return row.kind;
      busyQueues.add(row.queue);
      picked.push(row);
    }
    return undefined;
  };
  const full = pick(timerRows.due(db, owner, now));
  if (full) pick(timerRows.due(db, owner, now, full));
  const next = timerRows.nextAfter(db, owner, now) ?? Number.POSITIVE_INFINITY;
  return { picked: isAnyDue ? picked : undefined, next };
}
