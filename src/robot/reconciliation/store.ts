import { and, desc, eq, gt, isNull, lt, lte, or, sql } from 'drizzle-orm';
import type { Movement } from '../../chains/payments.ts';
import type { Cursor } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, findRows, insertRow, updateRows, upsertRow } from '../../db/prepared-statements.ts';
import { baselines, movements, surpluses } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type Baseline = typeof baselines.$inferSelect;
export type Surplus = typeof surpluses.$inferSelect;

/** The part of a transaction that is the transaction itself, without the calls inside it. */
const WHOLE = 'transaction';

const whole = (db: Db) => db.orm.select().from(surpluses);

export const baselinesOf = (db: Db, symbol: AssetSymbol, { genesis }: Cursor): Baseline[] =>
  findRows(db, baselines, { symbol, genesis });

export function saveBaseline(tx: Tx, row: Baseline): void {
  upsertRow(tx, baselines, ['symbol', 'account'], row);
}

/** Known changes of balances after one block, up to another. */
export const movementsBetween = (db: Db, symbol: AssetSymbol, after: number, upTo: number) =>
  db.orm
    .select()
    .from(movements)
    .where(and(eq(movements.symbol, symbol), gt(movements.height, after), lte(movements.height, upTo)))
    .all();

/** Of the transaction itself, or of the payout at a position in it (null: unknown). */
export function saveMovement(tx: Tx, symbol: AssetSymbol, movement: Movement, position?: number | null): void {
  const part = position === undefined ? WHOLE : String(position);
  const row = { symbol, ...movement, part, amount: movement.amount.toString() };
  upsertRow(tx, movements, ['symbol', 'txHash', 'account', 'part'], row);
}

type Payout = Pick<typeof movements.$inferSelect, 'symbol' | 'txHash' | 'account'> & { index: number | null };
const keyOf = ({ symbol, txHash, account, index }: Payout) => ({ symbol, txHash, account, part: String(index) });

export const hasMovement = (db: Db, payout: Payout): boolean => findRow(db, movements, keyOf(payout)) !== undefined;

export const removeMovement = (tx: Tx, payout: Payout) => void deleteRows(tx, movements, keyOf(payout));

export const surplusesBetween = (db: Db, symbol: AssetSymbol, after: number, upTo: number): Surplus[] =>
  whole(db)
    .where(and(eq(surpluses.symbol, symbol), gt(surpluses.height, after), lte(surpluses.height, upTo)))
    .all();

/** Of this account in this block. */
export const surplusAt = (db: Db, symbol: AssetSymbol, account: string, height: number): Surplus | undefined =>
  whole(db)
    .where(
      and(
        eq(surpluses.symbol, symbol),
        eq(surpluses.account, account),
        lt(surpluses.afterHeight, height),
        sql`${surpluses.height} >= ${height}`,
      ),
    )
    .get();

export const addSurplus = (tx: Tx, row: typeof surpluses.$inferInsert): Surplus => insertRow(tx, surpluses, row);

/** The unexplained amount, in coins. Null: nothing. */
export function reduceSurplus(tx: Tx, id: number, amount: string | null): void {
  if (amount === null) deleteRows(tx, surpluses, { id });
  else updateRows(tx, surpluses, { id }, { amount });
}

/** Newest first: those of the VASP's own users and of the fixtures. */
export const visibleTo = (db: Db, vaspId: string, limit: number): Surplus[] =>
  whole(db)
    .where(or(eq(surpluses.vaspId, vaspId), isNull(surpluses.vaspId)))
    .orderBy(desc(surpluses.id))
    .limit(limit)
    .all();

export const removeOf = (tx: Tx, vaspId: string) => void deleteRows(tx, surpluses, { vaspId });

/** The blocks after this height were replaced. */
export function forgetAfter(tx: Tx, symbol: AssetSymbol, height: number): void {
  for (const table of [movements, surpluses, baselines])
    tx.orm
      .delete(table)
      .where(and(eq(table.symbol, symbol), gt(table.height, height)))
      .run();
}

export function forgetMovementsUpTo(tx: Tx, symbol: AssetSymbol, height: number): void {
  tx.orm
    .delete(movements)
    .where(and(eq(movements.symbol, symbol), lte(movements.height, height)))
    .run();
}
