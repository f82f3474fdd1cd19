import type { IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import * as reconciliation from '../reconciliation/store.ts';
import { wakeUnsigned } from '../transfer/schedule-wallet.ts';
import { attribute, beginDeposit, markFinal, markSeenAgain } from './lifecycle.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

/** A transfer to the robot becomes a deposit. False: it was known, by chain, transaction, account and index. */
export function recordTransfer(
  deps: RobotDeps,
  tx: Tx,
  symbol: AssetSymbol,
  transfer: IncomingTransfer,
  owner: string | undefined,
): boolean {
  const deposit = deposits.find(tx, symbol, transfer) ?? samePayout(tx, symbol, transfer);
  if (deposit) {
    seenAgain(deps, tx, deposit, transfer);
    return false;
  }
  const begun = beginDeposit(tx, symbol, transfer, owner);
  wakeUnsigned(deps, tx, begun);
  if (transfer.via === CONTRACT) noteMovement(tx, symbol, transfer);
  if (transfer.final) attribute(deps, tx, markFinal(deps, tx, begun));
  return true;
}

/** `via` of a payout. */
const CONTRACT = 'contract';

type Block = Pick<IncomingTransfer, 'height' | 'blockHash' | 'final'>;

/** The deposit stands in this block: for the first time, still, or again after a reorganisation. */
export function seenAgain(deps: RobotDeps, tx: Tx, deposit: Deposit, { height, blockHash, final }: Block): void {
  if (deposit.blockHash !== blockHash) deposits.patch(tx, deposit.id, { height, blockHash });
  let current: Deposit = { ...deposit, height, blockHash };
  if (current.via === CONTRACT) noteMovement(tx, current.symbol, movementOf(current));
  if (current.status === 'REORGANISED' || current.status === 'TAKEN-BACK') {
    current = markSeenAgain(deps, tx, current);
    wakeUnsigned(deps, tx, current);
  }
  if (current.status === 'SEEN' && final) attribute(deps, tx, markFinal(deps, tx, current));
}

/** The same payout, found once with its position and once only by the balance. */
function samePayout(
  tx: Tx,
  symbol: AssetSymbol,
  { txHash, index, to, amount, via }: IncomingTransfer,
): Deposit | undefined {
  if (via !== CONTRACT) return undefined;
  const others = deposits
    .ofTx(tx, symbol, txHash)
    .filter(deposit => deposit.via === CONTRACT && deposit.account === to.account);
  if (index === null) return others[0];
  const text = toCoins(symbol, amount);
  const byBalance = others.find(deposit => deposit.index === null && deposit.amount === text);
  if (!byBalance) return undefined;
  reconciliation.removeMovement(tx, symbol, txHash, to.account, null);
  deposits.patch(tx, byBalance.id, { index });
  return { ...byBalance, index };
}

type Payout = Pick<IncomingTransfer, 'txHash' | 'index' | 'to' | 'amount' | 'height'>;

const movementOf = ({ symbol, txHash, index, account, amount, height }: Deposit): Payout => ({
  txHash,
  index,
  to: { account },
  amount: toBaseUnits(symbol, amount),
  height,
});

/** From now on the payout explains a change of the balance. It takes the place of a surplus. */
function noteMovement(tx: Tx, symbol: AssetSymbol, payout: Payout): void {
  const { txHash, index, to, amount, height } = payout;
  const { account } = to;
  if (reconciliation.hasMovement(tx, symbol, txHash, account, index)) return;
  reconciliation.saveMovement(tx, symbol, { txHash, account, height, amount }, index);
  const surplus = reconciliation.surplusAt(tx, symbol, account, height);
  if (!surplus) return;
  const left = toBaseUnits(symbol, surplus.amount) - amount;
  reconciliation.reduceSurplus(tx, surplus.id, left > 0n ? toCoins(symbol, left) : null);
}
