import { eq } from 'drizzle-orm';
import { QUOTA_NAMES, type QuotaName } from '../../contract/quotas.ts';
import type { Db } from '../../db/open.ts';
import { upsertRow } from '../../db/prepared-statements.ts';
import { usage } from '../../db/schema/tenants.ts';
import { afterCommit, type Tx, write } from '../../db/transaction.ts';

export type UsageStore = ReturnType<typeof usageStore>;

const DAY_MS = 86_400_000;

/** The SQL of daily quotas. `now`: epoch milliseconds of the machine. */
export function usageStore(db: Db, now: () => number) {
  const rows = new Map<string, { day: number; used: number }>();
  const keyOf = (vaspId: string, quota: QuotaName) => `${vaspId} ${quota}`;
  for (const { vaspId, quota, day, used } of db.orm.select().from(usage).all())
    rows.set(`${vaspId} ${quota}`, { day, used });
  const today = () => Math.floor(now() / DAY_MS);

  function usedToday(vaspId: string, quota: QuotaName): number {
    const row = rows.get(keyOf(vaspId, quota));
    return row?.day === today() ? row.used : 0;
  }

  return {
    usedToday,
    /** When the day is over, epoch milliseconds. */
    freesAt: () => (today() + 1) * DAY_MS,
    spend(vaspId: string, quota: QuotaName, amount: number) {
      const row = { day: today(), used: usedToday(vaspId, quota) + amount };
      write(db, tx => {
        upsertRow(tx, usage, ['vaspId', 'quota'], { vaspId, quota, ...row });
        afterCommit(tx, () => rows.set(keyOf(vaspId, quota), row));
      });
    },
    removeOf(tx: Tx, vaspId: string) {
      tx.orm.delete(usage).where(eq(usage.vaspId, vaspId)).run();
      afterCommit(tx, () => {
        for (const quota of QUOTA_NAMES) rows.delete(keyOf(vaspId, quota));
      });
    },
  };
}
