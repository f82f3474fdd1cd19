import type { QuotaName } from '../../contract/quotas.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, upsertRow } from '../../db/prepared-statements.ts';
import { usage } from '../../db/schema/tenants.ts';
import { type Tx, write } from '../../db/transaction.ts';

export type UsageStore = ReturnType<typeof usageStore>;

const DAY_MS = 86_400_000;

/** The SQL of daily quotas. `now`: epoch milliseconds of the machine. */
export function usageStore(db: Db, now: () => number) {
  const today = () => Math.floor(now() / DAY_MS);

  function usedToday(vaspId: string, quota: QuotaName): number {
    const row = findRow(db, usage, { vaspId, quota });
    return row?.day === today() ? row.used : 0;
  }

  return {
    usedToday,
    /** When the day is over, epoch milliseconds. */
    freesAt: () => (today() + 1) * DAY_MS,
    spend(vaspId: string, quota: QuotaName, amount: number) {
      const row = { day: today(), used: usedToday(vaspId, quota) + amount };
      write(db, tx => void upsertRow(tx, usage, ['vaspId', 'quota'], { vaspId, quota, ...row }));
    },
    removeOf(tx: Tx, vaspId: string) {
      deleteRows(tx, usage, { vaspId });
    },
  };
}
