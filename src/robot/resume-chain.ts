import type { Cursor } from '../chains/port.ts';
import type { AssetSymbol } from '../contract/assets.ts';
import type { Tx } from '../db/transaction.ts';
import { transition } from '../db/transition.ts';
import * as balances from './balance/store.ts';
import * as cursors from './deposit/cursor-store.ts';
import * as readBlocks from './deposit/read-block-store.ts';
import * as deposits from './deposit/store.ts';
import type { RobotDeps } from './deps.ts';
import { expectationStatus } from './expectation/machine.ts';
import { endTimers } from './expectation/schedule.ts';
import * as expectations from './expectation/store.ts';
import * as numbers from './numbers/store.ts';
import * as reconciliation from './reconciliation/store.ts';
import { cancelTransfer } from './transfer/lifecycle.ts';
import * as transferRemoval from './transfer/removal-store.ts';
import { walletOwner } from './transfer/schedule-wallet.ts';
import * as transfers from './transfer/store.ts';
import { NOBODY } from './transfer/transfer.ts';

/** D-33: why a chain is not read, and what to do. It is shown in `/readyz`. */
export const restartNotice = (symbol: AssetSymbol, why: string): string =>
  `CHAIN-RESTARTED: ${why}. Nothing is read or paid on it. To go on with the new chain: robot-vasp chain resume ${symbol}`;

const BEFORE_EVERYTHING = -1;

/**
 * D-33: goes on with a chain that started over, while its wallets rest: what they asked before says nothing of it. Unfinished
 * transfers are canceled, deposits stay as history, balances start at zero. Returns the number of canceled transfers to VASPs.
 */
export function resumeChain(deps: RobotDeps, tx: Tx, symbol: AssetSymbol, beginning: Cursor, cause: string): number {
  const unfinished = transfers.openOn(tx, symbol);
  for (const transfer of unfinished) cancelTransfer(deps, tx, transfer, cause);
  for (const expectation of expectations.openOn(tx, symbol)) {
    endTimers(deps, tx, expectation.verificationUuid);
    const at = deps.clock.now(expectation.vaspId);
    transition(tx, expectationStatus, expectation, 'chain-restarted', { at, cause });
  }
  transferRemoval.moveToPastChain(tx, symbol);
  deposits.moveToPastChain(tx, symbol);
  balances.startOver(tx, symbol);
  deps.timers.deleteAll(tx, walletOwner(symbol));
  reconciliation.forgetAfter(tx, symbol, BEFORE_EVERYTHING);
  cursors.save(tx, symbol, beginning);
  readBlocks.forget(tx, symbol);
  numbers.forget(tx, symbol);
  cursors.saveRecheckFrom(tx, symbol, null);
  return unfinished.filter(({ vaspId }) => vaspId !== NOBODY).length;
}
