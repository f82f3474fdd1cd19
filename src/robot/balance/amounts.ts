import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { toUnits } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';

/** Amounts at the robot's addresses, in base units. D-19 */

export interface RobotAddress {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
}

/** What moved at one of the robot's addresses for one VASP. */
export interface AddressBalance extends RobotAddress {
  credited: bigint;
  reserved: bigint;
  paidOut: bigint;
}

/** What this VASP has left at this address: credited, less what is reserved or paid out. */
export function availableAt(deps: RobotDeps, vaspId: string, { symbol, account, tag }: RobotAddress): bigint {
  const credited = sumUnits(symbol, deps.deposits.creditedAmounts(vaspId, symbol, account, tag));
  return credited - sumUnits(symbol, deps.transfers.reservedAmounts(vaspId, symbol, account, tag));
}

/** Every address at which the robot received a deposit of this VASP, or pays a transfer to it. */
export function balancesOf(deps: RobotDeps, vaspId: string): AddressBalance[] {
  const balances = new Map<string, AddressBalance>();
  const add = (row: AmountRow, kind: 'credited' | 'reserved' | 'paidOut') => {
    const { symbol } = row;
    const key = `${symbol} ${row.account} ${row.tag}`;
    const balance = balances.get(key) ?? { ...NO_AMOUNTS, symbol, account: row.account, tag: row.tag };
    balance[kind] += unitsOf(symbol, row.amount);
    balances.set(key, balance);
  };
  for (const row of deps.deposits.creditedOf(vaspId)) add(row, 'credited');
  for (const row of deps.transfers.amountsOf(vaspId))
    add(row, row.status === 'CONFIRMED' ? 'paidOut' : 'reserved');
  return [...balances.values()];
}

/** Credited at this account to any VASP, and not yet paid out. */
export const owedAt = (deps: RobotDeps, symbol: AssetSymbol, account: string): bigint =>
  sumUnits(symbol, deps.deposits.creditedAt(symbol, account)) -
  sumUnits(symbol, deps.transfers.paidFrom({ symbol, account }));

interface AmountRow extends RobotAddress {
  amount: string;
}
const NO_AMOUNTS = { credited: 0n, reserved: 0n, paidOut: 0n };

const unitsOf = (symbol: AssetSymbol, amount: string): bigint => toUnits(amount, ASSETS[symbol].decimals);
const sumUnits = (symbol: AssetSymbol, amounts: readonly string[]): bigint =>
  amounts.reduce((sum, amount) => sum + unitsOf(symbol, amount), 0n);
