import type { Cursor } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { Tx } from '../db/transaction.ts';
import { transition } from '../db/transition.ts';
import type { CreditDeps, RobotDeps } from './deps.ts';
import { expectationStatus } from './expectation/machine.ts';
import { cancelTransfer } from './transfer/lifecycle.ts';
import { walletOwner } from './transfer/schedule-wallet.ts';

/** D-33: why a chain is not read, and what to do. It is shown in `/readyz`. */
export const restartNotice = (symbol: AssetSymbol, why: string): string =>
  `CHAIN-RESTARTED: ${why}. Nothing is read or paid on it. To go on with the new chain: robot-vasp chain resume ${symbol}`;

const BEFORE_EVERYTHING = -1;

/**
 * D-33: goes on with a chain that started over. Unfinished transfers are canceled, deposits stay as history, balances
 * start at zero. Returns the number of canceled transfers.
 */
export function resumeChain(
  deps: CreditDeps & Pick<RobotDeps, 'db' | 'readBlocks' | 'reconciliation' | 'restored'>,
  tx: Tx,
  symbol: AssetSymbol,
  beginning: Cursor,
  cause: string,
): number {
  const transfers = deps.transfers.openOn(symbol);
  for (const transfer of transfers) cancelTransfer(deps, tx, transfer, cause);
  for (const expectation of deps.expectations.openOn(symbol)) {
    for (const kind of ['robot.deposit.inquire', 'robot.report.look-up'] as const)
      deps.timers.cancel(tx, kind, expectation.verificationUuid);
    const at = deps.clock.now(expectation.vaspId);
    transition(tx, expectationStatus, expectation, 'chain-restarted', { at, cause });
  }
  deps.transfers.moveToPastChain(tx, symbol);
  deps.deposits.moveToPastChain(tx, symbol);
  deps.balances.startOver(tx, symbol);
  deps.timers.deleteAll(tx, walletOwner(symbol));
  deps.reconciliation.forgetAfter(tx, symbol, BEFORE_EVERYTHING);
  deps.deposits.saveCursor(tx, symbol, beginning);
  deps.readBlocks.forget(tx, symbol);
  deps.restored.forget(tx, symbol);
  deps.deposits.saveRecheckFrom(tx, symbol, null);
  return transfers.length;
}
