import { and, asc, eq } from 'drizzle-orm';
import type { OutgoingPayment } from '../../chains/outgoing-payment.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, preparedQuery, updateRows } from '../../db/prepared-statements.ts';
import { restores, unexplainedPayments } from '../../db/schema/restored.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Wallet } from '../transfer/transfer.ts';

export type UnexplainedPayment = typeof unexplainedPayments.$inferSelect;
export type RestoredStore = ReturnType<typeof restoredStore>;

/** The SQL of a restored copy: how far it knew each chain, and the payments that it cannot explain. */
export function restoredStore(db: Db) {
  const held = preparedQuery(
    db.orm
      .select()
      .from(unexplainedPayments)
      .where(eq(unexplainedPayments.isHeld, true))
      .orderBy(asc(unexplainedPayments.id)),
  );
  const release = (tx: Tx, symbol: AssetSymbol): number =>
    tx.orm
      .update(unexplainedPayments)
      .set({ isHeld: false })
      .where(and(eq(unexplainedPayments.symbol, symbol), eq(unexplainedPayments.isHeld, true)))
      .run().changes;
  return {
    /** Undefined: this is no restored copy, or the chain has started over since. */
    find: (symbol: AssetSymbol) => db.orm.select().from(restores).where(eq(restores.symbol, symbol)).get(),
    held: (): UnexplainedPayment[] => held.all(),
    heldOf: ({ symbol, account }: Wallet): UnexplainedPayment[] =>
      held.all().filter(row => row.symbol === symbol && row.account === account),
    add(tx: Tx, wallet: Wallet, payment: OutgoingPayment, at: number) {
      const { sequence, hash: txHash, to, fee, reference } = payment;
      insertRow(tx, unexplainedPayments, {
        ...wallet,
        sequence,
        txHash,
        toAccount: to.account,
        toTag: to.tag ?? null,
        amount: payment.amount.toString(),
        fee,
        reference: reference ?? null,
        at,
        isHeld: true,
      });
    },
    /** A transfer explains it now. */
    explained(tx: Tx, id: number) {
      updateRows(tx, unexplainedPayments, { id }, { isHeld: false });
    },
    /** The chain has started over: it knows no payment that this database lacks. */
    forget(tx: Tx, symbol: AssetSymbol) {
      tx.orm.delete(restores).where(eq(restores.symbol, symbol)).run();
      release(tx, symbol);
    },
    /** The operator goes on with the held accounts of the chain. Returns the number of their payments. */
    release,
  };
}

export const paymentOf = (row: UnexplainedPayment): OutgoingPayment => ({
  sequence: row.sequence,
  hash: row.txHash,
  to: { account: row.toAccount, ...(row.toTag === null ? {} : { tag: row.toTag }) },
  amount: BigInt(row.amount),
  fee: row.fee,
  ...(row.reference === null ? {} : { reference: row.reference }),
});
