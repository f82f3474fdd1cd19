import type { QuotaName } from '../../contract/tenancy.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, upsertRow } from '../../db/prepared-statements.ts';
import { usage } from '../../db/schema/tenants.ts';
import type { Tx } from '../../db/transaction.ts';
import { add, subtract } from '../../kernel/decimal.ts';

export type UsageStore = ReturnType<typeof usageStore>;

const DAY_MS = 86_400_000;

/** The SQL of daily quotas. Amounts are decimal text. `now`: epoch milliseconds of the machine. */
export function usageStore(db: Db, now: () => number) {
  const today = () => Math.floor(now() / DAY_MS);

  function usedToday(vaspId: string, quota: QuotaName): string {
    const row = findRow(db, usage, { vaspId, quota });
    return row?.day === today() ? row.used : '0';
  }
  const keep = (tx: Tx, vaspId: string, quota: QuotaName, used: string) =>
    upsertRow(tx, usage, ['vaspId', 'quota'], { vaspId, quota, day: today(), used });

  return {
    usedToday,
    /** When the day is over, epoch milliseconds. */
    freesAt: () => (today() + 1) * DAY_MS,
    /** Returns what gives it back. That does nothing when the day is over. */
    spend(tx: Tx, vaspId: string, quota: QuotaName, amount: string): (tx: Tx) => void {
      const day = today();
      keep(tx, vaspId, quota, add(usedToday(vaspId, quota), amount));
      return later => {
        if (today() === day) keep(later, vaspId, quota, subtract(usedToday(vaspId, quota), amount));
      };
    },
    removeOf(tx: Tx, vaspId: string) {
      deleteRows(tx, usage, { vaspId });
    },
  };
}
