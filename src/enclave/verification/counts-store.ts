import { and, count, eq, type SQL, sql } from 'drizzle-orm';
import { MAX_QUOTA } from '../../contract/quotas.ts';
import { countUpTo } from '../../db/count.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRows, preparedQuery } from '../../db/prepared-statements.ts';
import { verificationCounts as counts, verifications } from '../../db/schema/enclave.ts';
import type { Tx } from '../../db/transaction.ts';

type Counted = Pick<
  typeof verifications.$inferSelect,
  'originatingVaspId' | 'beneficiaryVaspId' | 'status' | 'symbol'
>;

const p = sql.placeholder;
const row = {
  vaspId: p('vaspId'),
  actionType: p('actionType'),
  status: p('status'),
  symbol: p('symbol'),
  count: p('more'),
};
const addQuery = preparedQuery(db =>
  db.orm
    .insert(counts)
    .values(row)
    .onConflictDoUpdate({
      target: [counts.vaspId, counts.actionType, counts.status, counts.symbol],
      set: { count: sql`${counts.count} + excluded.count` },
    }),
);

/** Changes the number of verifications like this one by `more`, which may be below 0. */
function add(tx: Tx, { originatingVaspId, beneficiaryVaspId, status, symbol }: Counted, more: number): void {
  const isWithItself = originatingVaspId === beneficiaryVaspId;
  const actionType = isWithItself ? 'BOTH' : 'SEND';
  addQuery(tx).run({ vaspId: originatingVaspId, actionType, status, symbol, more });
  if (!isWithItself)
    addQuery(tx).run({ vaspId: beneficiaryVaspId, actionType: 'RECEIVE', status, symbol, more });
}

/** A verification has come, or its status has changed. */
export function countMove(tx: Tx, before: Counted | undefined, after: Counted): void {
  if (before) add(tx, before, -1);
  add(tx, after, 1);
}

/** These verifications are about to be deleted. A count of 0 would name a VASP that is gone. */
export function countRemoval(tx: Tx, which: SQL | undefined): void {
  const { originatingVaspId, beneficiaryVaspId, status, symbol } = verifications;
  const alike = [originatingVaspId, beneficiaryVaspId, status, symbol] as const;
  const groups = tx.orm
    .select({ originatingVaspId, beneficiaryVaspId, status, symbol, count: count() })
    .from(verifications)
    .where(which)
    .groupBy(...alike)
    .all();
  for (const group of groups) add(tx, group, -group.count);
  deleteRows(tx, counts, { count: 0 });
}

/** One with itself is BOTH. */
export const countStored = (
  db: Db,
  caller: string,
  wanted: { actionType?: 'SEND' | 'RECEIVE' | undefined; symbol?: string | undefined },
  fits: (status: string) => boolean = () => true,
): number =>
  findRows(db, counts, { vaspId: caller })
    .filter(
      ({ actionType, status, symbol }) =>
        (wanted.actionType === undefined || actionType === 'BOTH' || actionType === wanted.actionType) &&
        (wanted.symbol === undefined || symbol === wanted.symbol) &&
        fits(status),
    )
    .reduce((sum, each) => sum + each.count, 0);

/** From one VASP. An index has both. */
export const countReceived = (db: Db, beneficiaryVaspId: string, originatingVaspId: string): number =>
  countUpTo(
    db,
    MAX_QUOTA,
    verifications,
    and(
      eq(verifications.beneficiaryVaspId, beneficiaryVaspId),
      // Without an index of its own: that of the robot has the verifications of everybody.
      eq(sql`+${verifications.originatingVaspId}`, originatingVaspId),
    ),
  );

export const countAll = (db: Db, caller: string): number => countStored(db, caller, {});
