import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { BalanceQuery, BalanceResponse } from '../../contract/requests.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';
import { availableAt } from './amounts.ts';

/** REF-4.6 GET /testnet/balance, D-19: what the caller has left at one of the robot's addresses. */
export async function getBalance(
  deps: Pick<RobotDeps, 'balances' | 'chain' | 'users'>,
  { symbol, address, vaspId }: BalanceQuery,
  caller: string,
): Promise<BalanceResponse> {
  if (vaspId !== caller) throw refusals.unknownVasp();
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const users = await deps.users.of(caller);
  if (!users.findIncludingRemoved(symbol, address)) throw refusals.unknownAddress('address');
  const { account, tag = null } = (await deps.chain(symbol)).parseAddress(address)!;
  const available = availableAt(deps, vaspId, { symbol, account, tag });
  return { symbol, address, vaspId, value: formatUnits(available, ASSETS[symbol].decimals) };
}
