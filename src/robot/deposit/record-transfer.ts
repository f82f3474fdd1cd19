import type { IncomingTransfer } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import { attribute } from './attribute.ts';
import { beginDeposit, markFinal, markSeenAgain } from './lifecycle.ts';
import type { Deposit } from './store.ts';

/** A transfer may be read twice. Its key is chain, transaction and index. */
export function recordTransfer(
  deps: RobotDeps,
  tx: Tx,
  symbol: AssetSymbol,
  transfer: IncomingTransfer,
  owner: string | undefined,
): void {
  const deposit = deps.deposits.find(symbol, transfer);
  if (deposit) return seenAgain(deps, tx, deposit, transfer);
  const begun = beginDeposit(deps, tx, symbol, transfer, owner);
  if (transfer.final) attribute(deps, tx, markFinal(deps, tx, begun));
}

type Block = Pick<IncomingTransfer, 'height' | 'blockHash' | 'final'>;

export function seenAgain(
  deps: RobotDeps,
  tx: Tx,
  deposit: Deposit,
  { height, blockHash, final }: Block,
): void {
  if (deposit.blockHash !== blockHash) deps.deposits.patch(tx, deposit.id, { height, blockHash });
  let current: Deposit = { ...deposit, height, blockHash };
  if (current.status === 'REORGANISED') current = markSeenAgain(deps, tx, current);
  if (current.status === 'SEEN' && final) attribute(deps, tx, markFinal(deps, tx, current));
}
