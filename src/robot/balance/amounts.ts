import { type AssetSymbol, isAssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { BalanceQuery, BalanceResponse } from '../../contract/requests.ts';
import type { RobotDeps } from '../deps.ts';
import * as balances from './store.ts';
import { type Balance, NO_TAG, type RobotAddress } from './store.ts';

/** Amounts at the robot's addresses, in base units. D-19 */

/** The sums at one of the robot's addresses for one VASP. */
export interface AddressBalance extends RobotAddress {
  credited: bigint;
  reserved: bigint;
  paidOut: bigint;
}

/** The balance of this VASP at this address: the credits, less the reserved and the paid amounts. */
export function availableAt(deps: RobotDeps, vaspId: string, address: RobotAddress): bigint {
  const balance = balances.find(deps.db, vaspId, address);
  if (!balance) return 0n;
  const { credited, reserved, paidOut } = inUnits(balance);
  return credited - reserved - paidOut;
}

/** Every address at which the robot received a deposit of this VASP, or pays a transfer to it. */
export const balancesOf = (deps: RobotDeps, vaspId: string): AddressBalance[] =>
  balances
    .ofVasp(deps.db, vaspId)
    .map(inUnits)
    .filter(({ credited, reserved, paidOut }) => credited + reserved + paidOut > 0n);

/** Credited at this account to any VASP, and not yet paid out. */
export const owedAt = (deps: RobotDeps, symbol: AssetSymbol, account: string): bigint =>
  balances
    .ofAccount(deps.db, symbol, account)
    .map(inUnits)
    .reduce((owed, { credited, paidOut }) => owed + credited - paidOut, 0n);

function inUnits({ symbol, account, tag, credited, reserved, paidOut }: Balance): AddressBalance {
  return {
    symbol,
    account,
    tag: tag === NO_TAG ? null : tag,
    credited: toBaseUnits(symbol, credited),
    reserved: toBaseUnits(symbol, reserved),
    paidOut: toBaseUnits(symbol, paidOut),
  };
}

/** REF-4.6 GET /testnet/balance, D-19: what the caller has left at one of the robot's addresses. */
export async function getBalance(
  deps: RobotDeps,
  { symbol, address, vaspId }: BalanceQuery,
  caller: string,
): Promise<BalanceResponse> {
  if (vaspId !== caller) throw refusals.unknownVasp();
  if (!isAssetSymbol(symbol)) throw refusals.unknownSymbol(symbol);
  const users = await deps.users.of(caller);
  if (!users.findIncludingRemoved(symbol, address)) throw refusals.unknownAddress('address');
  const { account, tag = null } = (await deps.chain(symbol)).parseAddress(address)!;
  const available = availableAt(deps, vaspId, { symbol, account, tag });
  return { symbol, address, vaspId, value: toCoins(symbol, available) };
}
