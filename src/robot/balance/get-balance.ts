import { ASSETS, type AssetSymbol, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { BalanceQuery, BalanceResponse } from '../../contract/requests.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';

/** REF-4.6 GET /testnet/balance, D-19: what is credited to the caller at one of the robot's addresses. */
export async function getBalance(
  deps: RobotDeps,
  query: BalanceQuery,
  caller: string,
): Promise<BalanceResponse> {
  const { symbol, address, vaspId } = query;
  if (vaspId !== caller) throw refusals.unknownVasp();
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const users = await deps.users.of(caller);
  if (!users.findIncludingRemoved(symbol, address)) throw refusals.unknownAddress('address');
  const { account, tag } = (await deps.chain(symbol)).parseAddress(address)!;
  const value = formatUnits(balanceOf(deps, vaspId, symbol, account, tag ?? null), ASSETS[symbol].decimals);
  return { symbol, address, vaspId, value };
}

/** Base units: what was received from this VASP at this address, without what was paid out or is reserved. */
export function balanceOf(
  deps: RobotDeps,
  vaspId: string,
  symbol: AssetSymbol,
  account: string,
  tag: number | null,
): bigint {
  const sum = (amounts: string[]) =>
    amounts.reduce((total, amount) => total + toUnits(amount, ASSETS[symbol].decimals), 0n);
  return (
    sum(deps.deposits.creditedAmounts(vaspId, symbol, account, tag)) -
    sum(deps.transfers.reservedAmounts(vaspId, symbol, account, tag))
  );
}
