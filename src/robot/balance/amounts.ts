import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { toUnits } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';

/** One of the robot's addresses, with what moved there for one VASP; base units. */
export interface Balances {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
  credited: bigint;
  reserved: bigint;
  paidOut: bigint;
}

/** Every address at which the robot was paid by this VASP, or pays to it. */
export function balancesOf(deps: RobotDeps, vaspId: string): Balances[] {
  const accounts = new Map<string, Balances>();
  const add = (row: AmountAt, kind: 'credited' | 'reserved' | 'paidOut') => {
    const symbol = row.symbol as AssetSymbol;
    const key = `${symbol} ${row.account} ${row.tag}`;
    const known = accounts.get(key) ?? { ...NOTHING, symbol, account: row.account, tag: row.tag };
    known[kind] += toUnits(row.amount, ASSETS[symbol].decimals);
    accounts.set(key, known);
  };
  for (const row of deps.deposits.creditedOf(vaspId)) add(row, 'credited');
  for (const row of deps.transfers.amountsOf(vaspId))
    add(row, row.status === 'CONFIRMED' ? 'paidOut' : 'reserved');
  return [...accounts.values()];
}

interface AmountAt {
  symbol: string;
  account: string;
  tag: number | null;
  amount: string;
}
const NOTHING = { credited: 0n, reserved: 0n, paidOut: 0n };
