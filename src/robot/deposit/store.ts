import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import type { Cursor } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { cursors, deposits } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { atAddress } from '../balance/at-address.ts';
import type { Payment } from '../expectation/store.ts';

export type Deposit = typeof deposits.$inferSelect;
export type DepositStore = ReturnType<typeof depositStore>;

/** The SQL of deposits and of the readers' cursors. */
export function depositStore(db: Db) {
  const credited = db.orm
    .select({ amount: deposits.amount })
    .from(deposits)
    .where(and(atAddress(deposits), eq(deposits.status, 'CREDITED')))
    .prepare();
  return {
    insert: (tx: Tx, row: typeof deposits.$inferInsert): Deposit =>
      tx.orm.insert(deposits).values(row).returning().get(),
    find: (symbol: string, txHash: string, index: number): Deposit | undefined =>
      db.orm
        .select()
        .from(deposits)
        .where(and(eq(deposits.symbol, symbol), eq(deposits.txHash, txHash), eq(deposits.index, index)))
        .get(),
    byId: (id: number): Deposit | undefined =>
      db.orm.select().from(deposits).where(eq(deposits.id, id)).get(),
    patch(tx: Tx, id: number, values: Partial<Omit<Deposit, 'id' | 'status'>>) {
      tx.orm.update(deposits).set(values).where(eq(deposits.id, id)).run();
    },
    /** Those that a reorganisation can still take away. */
    notFinal: (symbol: string): Deposit[] =>
      db.orm
        .select()
        .from(deposits)
        .where(and(eq(deposits.symbol, symbol), inArray(deposits.status, ['SEEN', 'REORGANISED'])))
        .all(),
    /** Final ones of this transaction that no verification has. */
    waitingOfTx: (symbol: string, txHash: string): Deposit[] =>
      db.orm
        .select()
        .from(deposits)
        .where(
          and(
            eq(deposits.symbol, symbol),
            eq(sql`lower(${deposits.txHash})`, txHash.toLowerCase()),
            inArray(deposits.status, ['CONFIRMED', 'UNATTRIBUTED']),
          ),
        )
        .all(),
    /** Final ones of exactly this payment that came while it was awaited, and wait for their verification. */
    waitingOf: ({ symbol, account, tag, amount }: Payment): Deposit[] =>
      db.orm
        .select()
        .from(deposits)
        .where(
          and(
            eq(deposits.symbol, symbol),
            eq(deposits.account, account),
            tag === null ? isNull(deposits.tag) : eq(deposits.tag, tag),
            eq(deposits.amount, amount),
            eq(deposits.status, 'CONFIRMED'),
          ),
        )
        .orderBy(asc(deposits.id))
        .all(),
    creditedAmounts: (vaspId: string, symbol: string, account: string, tag: number | null): string[] =>
      credited.all({ vaspId, symbol, account, tag }).map(row => row.amount),
    creditedOf: (vaspId: string) =>
      db.orm
        .select({
          symbol: deposits.symbol,
          account: deposits.account,
          tag: deposits.tag,
          amount: deposits.amount,
        })
        .from(deposits)
        .where(and(eq(deposits.vaspId, vaspId), eq(deposits.status, 'CREDITED')))
        .all(),
    /** At one account of the robot, whoever sent it. */
    creditedAt: (symbol: string, account: string): string[] =>
      db.orm
        .select({ amount: deposits.amount })
        .from(deposits)
        .where(
          and(eq(deposits.symbol, symbol), eq(deposits.account, account), eq(deposits.status, 'CREDITED')),
        )
        .all()
        .map(row => row.amount),
    /** Newest first: the VASP's own, and those that nobody has. */
    visibleTo: (vaspId: string, limit: number, status?: string): Deposit[] =>
      db.orm
        .select()
        .from(deposits)
        .where(
          and(
            or(eq(deposits.vaspId, vaspId), isNull(deposits.vaspId)),
            status === undefined ? undefined : eq(deposits.status, status),
          ),
        )
        .orderBy(desc(deposits.id))
        .limit(limit)
        .all(),
    removeOf: (tx: Tx, vaspId: string) =>
      void tx.orm.delete(deposits).where(eq(deposits.vaspId, vaspId)).run(),

    cursor(symbol: AssetSymbol): (Cursor & { stopReason: string | null }) | null {
      return db.orm.select().from(cursors).where(eq(cursors.symbol, symbol)).get() ?? null;
    },
    saveCursor(tx: Tx, symbol: AssetSymbol, { height, hash, genesis }: Cursor) {
      const row = { symbol, height, hash, genesis, stopReason: null };
      tx.orm.insert(cursors).values(row).onConflictDoUpdate({ target: cursors.symbol, set: row }).run();
    },
    stopAt(tx: Tx, symbol: AssetSymbol, stopReason: string) {
      tx.orm.update(cursors).set({ stopReason }).where(eq(cursors.symbol, symbol)).run();
    },
  };
}
