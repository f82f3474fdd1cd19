import { and, asc, eq, gte } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { deleteRows, findRows, upsertRow } from '../db/prepared-statements.ts';
import { clockMoves, clocks } from '../db/schema/runtime.ts';
import { afterCommit, type Tx } from '../db/transaction.ts';
import type { Clock } from '../kernel/clock.ts';

/** Each VASP has a time of its own: the machine's time plus an offset that only grows. */
export type SandboxClock = ReturnType<typeof sandboxClock>;

const HOUR_MS = 3_600_000;
const hourOf = (at: number): number => at - (at % HOUR_MS);

export function sandboxClock(db: Db, clock: Clock) {
  const offsets = new Map(findRows(db, clocks, {}).map(row => [row.owner, row.offsetMs]));
  /** The hour of the last move of each owner since the start. */
  const lastMoves = new Map<string, number>();
  const aheadOf = (owner: string) => offsets.get(owner) ?? 0;
  const now = (owner: string) => clock.now() + aheadOf(owner);

  /** Of the moves of one hour the first one is kept. */
  function rememberMove(tx: Tx, owner: string): void {
    const hour = hourOf(clock.now());
    if (lastMoves.get(owner) === hour) return;
    insertMove(tx, owner, hour, aheadOf(owner));
    afterCommit(tx, () => lastMoves.set(owner, hour));
  }
  return {
    /** The owner's time, in epoch milliseconds. */
    now,
    /** The machine's time, for chains and deposits: they belong to no single VASP. */
    machineNow: () => clock.now(),
    aheadOf,
    /** The offsets of all owners whose time was moved. */
    moved: () => [...offsets].map(([owner, aheadMs]) => ({ owner, aheadMs })),
    /** The owner's time at `machineAt`. A little less where it was moved within that hour. */
    timeAt: (owner: string, machineAt: number): number =>
      machineAt + (firstMoveSince(db, owner, hourOf(machineAt))?.offsetMs ?? aheadOf(owner)),
    /** Moves the owner's time forward to `at`, never back. */
    moveTo(tx: Tx, owner: string, at: number): void {
      const offsetMs = at - clock.now();
      if (offsetMs <= aheadOf(owner)) return;
      rememberMove(tx, owner);
      upsertRow(tx, clocks, ['owner'], { owner, offsetMs });
      afterCommit(tx, () => offsets.set(owner, offsetMs));
    },
    reset(tx: Tx, owner: string): void {
      for (const table of [clocks, clockMoves]) deleteRows(tx, table, { owner });
      afterCommit(tx, () => {
        offsets.delete(owner);
        lastMoves.delete(owner);
      });
    },
  };
}

const insertMove = (tx: Tx, owner: string, hour: number, offsetMs: number) =>
  void tx.orm.insert(clockMoves).values({ owner, hour, offsetMs }).onConflictDoNothing().run();

const firstMoveSince = (db: Db, owner: string, hour: number) =>
  db.orm
    .select()
    .from(clockMoves)
    .where(and(eq(clockMoves.owner, owner), gte(clockMoves.hour, hour)))
    .orderBy(asc(clockMoves.hour))
    .get();
