import { type AssetSymbol, isAssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { BalanceQuery, BalanceResponse } from '../../contract/requests.ts';
import { deleteRows, findRow, findRows, upsertRow } from '../../db/prepared-statements.ts';
import { balances, deposits, transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { add as addDecimal, subtract as subtractDecimal } from '../../kernel/decimal.ts';
import type { RobotDeps } from '../deps.ts';

export type Balance = typeof balances.$inferSelect;

export interface RobotAddress {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
}

/** Of an address without a tag. */
const NO_TAG = -1;

/** A deposit or a transfer, as it counts in a balance. */
interface Moved extends RobotAddress {
  vaspId: string | null;
  amount: string;
  status: string;
  isOfPastChain: boolean;
}
type Sum = 'credited' | 'reserved' | 'paidOut';

const SUM_OF_DEPOSIT: { readonly [status: string]: Sum } = { CREDITED: 'credited' };
const SUM_OF_TRANSFER: { readonly [status: string]: Sum } = {
  PENDING: 'reserved',
  PROCESSING: 'reserved',
  'WAIT-CONFIRM': 'reserved',
  CONFIRMED: 'paidOut',
};

function add(tx: Tx, row: Moved, sum: Sum | undefined, sign: 1 | -1): void {
  if (sum === undefined || row.isOfPastChain) return;
  const { symbol, account, amount } = row;
  const key = { vaspId: row.vaspId ?? '', symbol, account, tag: row.tag ?? NO_TAG };
  const before = findRow(tx, balances, key) ?? { ...key, credited: '0', reserved: '0', paidOut: '0' };
  const moved = sign === 1 ? addDecimal(before[sum], amount) : subtractDecimal(before[sum], amount);
  upsertRow(tx, balances, ['vaspId', 'symbol', 'account', 'tag'], { ...before, [sum]: moved });
}

const moveFrom =
  (sums: { readonly [status: string]: Sum }) =>
  (tx: Tx, before: Moved | undefined, after: Moved): void => {
    if (before && sums[before.status] === sums[after.status]) return;
    if (before) add(tx, before, sums[before.status], -1);
    add(tx, after, sums[after.status], 1);
  };

/** D-19: whoever changes a deposit or a transfer moves its balance in the same transaction. `before` undefined: a new row. */
export const moveDeposit = moveFrom(SUM_OF_DEPOSIT);
export const moveTransfer = moveFrom(SUM_OF_TRANSFER);

/** D-33: deposits and transfers on this chain are history. */
export const startOver = (tx: Tx, symbol: AssetSymbol) => void deleteRows(tx, balances, { symbol });

/** After deposits and transfers of a VASP were deleted. */
export function addUp(tx: Tx, vaspId: string): void {
  deleteRows(tx, balances, { vaspId });
  for (const row of findRows(tx, deposits, { vaspId })) moveDeposit(tx, undefined, row);
  for (const row of findRows(tx, transfers, { vaspId })) moveTransfer(tx, undefined, row);
}

/** Amounts at the robot's addresses, in base units. D-19 */

/** The sums at one of the robot's addresses for one VASP. */
export interface AddressBalance extends RobotAddress {
  credited: bigint;
  reserved: bigint;
  paidOut: bigint;
}

/** The balance of this VASP at this address: the credits, less the reserved and the paid amounts. */
export function availableAt(deps: RobotDeps, vaspId: string, { symbol, account, tag }: RobotAddress): bigint {
  const balance = findRow(deps.db, balances, { vaspId, symbol, account, tag: tag ?? NO_TAG });
  if (!balance) return 0n;
  const { credited, reserved, paidOut } = inUnits(balance);
  return credited - reserved - paidOut;
}

/** Every address at which the robot received a deposit of this VASP, or pays a transfer to it. */
export const balancesOf = (deps: RobotDeps, vaspId: string): AddressBalance[] =>
  findRows(deps.db, balances, { vaspId })
    .map(inUnits)
    .filter(({ credited, reserved, paidOut }) => credited + reserved + paidOut > 0n);

/** Credited at this account to any VASP, and not yet paid out. */
export const owedAt = (deps: RobotDeps, symbol: AssetSymbol, account: string): bigint =>
  findRows(deps.db, balances, { symbol, account })
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
