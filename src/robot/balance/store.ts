import type { AssetSymbol } from '../../contract/assets.ts';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, findRows, upsertRow } from '../../db/prepared-statements.ts';
import { balances, deposits, transfers } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import { add as addDecimal, subtract as subtractDecimal } from '../../kernel/decimal.ts';

export type Balance = typeof balances.$inferSelect;

export interface RobotAddress {
  symbol: AssetSymbol;
  account: string;
  tag: number | null;
}

/** Of an address without a tag. */
export const NO_TAG = -1;

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

/** Undefined: nothing moved there. */
export const find = (db: Db, vaspId: string, { symbol, account, tag }: RobotAddress): Balance | undefined =>
  findRow(db, balances, { vaspId, symbol, account, tag: tag ?? NO_TAG });

export const ofVasp = (db: Db, vaspId: string): Balance[] => findRows(db, balances, { vaspId });

/** Of all VASPs. */
export const ofAccount = (db: Db, symbol: AssetSymbol, account: string): Balance[] =>
  findRows(db, balances, { symbol, account });
