import { and, eq, sql } from 'drizzle-orm';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { preparedQuery } from '../../db/prepared-statements.ts';
import { balances } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';

export type Balance = typeof balances.$inferSelect;
export type BalanceStore = ReturnType<typeof balanceStore>;

export interface RobotAddress {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
}

/** Of an address without a tag. */
export const NO_TAG = -1;

/** The SQL of balances. Triggers write them with the deposits and transfers. */
export function balanceStore(db: Db) {
  const p = sql.placeholder;
  const isOfVasp = eq(balances.vaspId, p('vaspId'));
  const isOfAccount = and(eq(balances.symbol, p('symbol')), eq(balances.account, p('account')));
  const one = preparedQuery(
    db.orm
      .select()
      .from(balances)
      .where(and(isOfVasp, isOfAccount, eq(balances.tag, p('tag')))),
  );
  const ofVasp = preparedQuery(db.orm.select().from(balances).where(isOfVasp));
  const ofAccount = preparedQuery(db.orm.select().from(balances).where(isOfAccount));
  return {
    /** Undefined: nothing moved there. */
    find: (vaspId: string, { symbol, account, tag }: RobotAddress): Balance | undefined =>
      one.get({ vaspId, symbol, account, tag: tag ?? NO_TAG }),
    ofVasp: (vaspId: string): Balance[] => ofVasp.all({ vaspId }),
    /** Of all VASPs. */
    ofAccount: (symbol: AssetSymbol, account: string): Balance[] => ofAccount.all({ symbol, account }),
    /** Without deposits and transfers a balance of 0 would name a VASP that is gone. */
    removeOf: (tx: Tx, vaspId: string) =>
      void tx.orm.delete(balances).where(eq(balances.vaspId, vaspId)).run(),
  };
}
