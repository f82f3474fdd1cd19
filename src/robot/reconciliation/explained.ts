import { type AssetSymbol, toBaseUnits } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import type { Baseline } from './store.ts';
import * as reconciliation from './store.ts';

/** The balances that the known changes explain. Base units. */
export interface Explained {
  /** The expected balance of the account after this block. */
  at(baseline: Baseline, height: number): bigint;
}

/** Everything known after the oldest baseline. */
export function explainedSince(db: Db, symbol: AssetSymbol, after: number, upTo: number): Explained {
  const changes = new Map<string, { height: number; units: bigint }[]>();
  const add = (account: string, height: number, units: bigint) => {
    const list = changes.get(account) ?? [];
    list.push({ height, units });
    changes.set(account, list);
  };
  for (const { account, height, amount } of reconciliation.movementsBetween(db, symbol, after, upTo))
    add(account, height, BigInt(amount));
  for (const { account, height, amount } of reconciliation.surplusesBetween(db, symbol, after, upTo))
    add(account, height, toBaseUnits(symbol, amount));
  return {
    at: (baseline, last) =>
      (changes.get(baseline.account) ?? [])
        .filter(({ height }) => height > baseline.height && height <= last)
        .reduce((sum, { units }) => sum + units, BigInt(baseline.balance)),
  };
}
