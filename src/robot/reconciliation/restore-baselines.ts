import type { Chain } from '../../chains/port.ts';
import { write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';

/**
 * The baselines of replaced blocks are gone. The balances before these blocks take their place, where the node still
 * has them. Throws `ChainUnreachable`.
 */
export async function restoreBaselines(
  deps: RobotDeps,
  { symbol, payouts }: Chain,
  height: number,
): Promise<void> {
  const cursor = deps.deposits.cursor(symbol);
  if (!payouts || !cursor) return;
  const present = new Set(deps.reconciliation.baselines(symbol, cursor).map(({ account }) => account));
  const { accounts } = await deps.users.watched(symbol);
  const missing = [...accounts].filter(account => !present.has(account));
  const balances = missing.length > 0 ? await payouts.balances({ height }, missing) : undefined;
  const { genesis } = cursor;
  write(deps.db, tx => {
    for (const [account, units] of balances ?? [])
      deps.reconciliation.saveBaseline(tx, { symbol, account, height, genesis, balance: units.toString() });
  });
}
