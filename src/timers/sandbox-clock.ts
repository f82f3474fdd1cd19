import { eq } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { upsertRow } from '../db/prepared-statements.ts';
import { clocks } from '../db/schema/runtime.ts';
import { afterCommit, type Tx } from '../db/transaction.ts';
import type { Clock } from '../kernel/clock.ts';

/** Each VASP has a time of its own: the machine's time plus an offset that only grows. */
export interface SandboxClock {
  /** The owner's time, in epoch milliseconds. */
  now(owner: string): number;
  /** The machine's time, for chains and deposits: they belong to no single VASP. */
  machineNow(): number;
  /** The owner's offset in milliseconds. */
  aheadOf(owner: string): number;
  /** Moves the owner's time forward to `at`, never back. */
  moveTo(tx: Tx, owner: string, at: number): void;
  reset(tx: Tx, owner: string): void;
}

export function sandboxClock(db: Db, clock: Clock): SandboxClock {
  const offsets = new Map(
    db.orm
      .select()
      .from(clocks)
      .all()
      .map(row => [row.owner, row.offsetMs]),
  );
  const aheadOf = (owner: string) => offsets.get(owner) ?? 0;
  const now = (owner: string) => clock.now() + aheadOf(owner);
  return {
    now,
    machineNow: () => clock.now(),
    aheadOf,
    moveTo(tx, owner, at) {
      const offsetMs = at - clock.now();
      if (offsetMs <= aheadOf(owner)) return;
      upsertRow(tx, clocks, ['owner'], { owner, offsetMs });
      afterCommit(tx, () => offsets.set(owner, offsetMs));
    },
    reset(tx, owner) {
      tx.orm.delete(clocks).where(eq(clocks.owner, owner)).run();
      afterCommit(tx, () => offsets.delete(owner));
    },
  };
}
