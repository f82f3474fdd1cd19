import type { AssetSymbol } from '../../contract/assets.ts';
import type { Tx } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import * as transfers from './store.ts';
import type { Wallet } from './transfer.ts';

/** Wallets follow the time of their chain. Moving the clock of a VASP makes no blocks. */
export const walletOwner = (symbol: AssetSymbol): string => `chain ${symbol}`;

export const walletKey = ({ symbol, account }: { symbol: string; account: string }): string => `${symbol} ${account}`;

export function scheduleWallet(deps: RobotDeps, tx: Tx, { symbol, account }: Wallet): void {
  const owner = walletOwner(symbol);
  deps.timers.schedule(tx, 'robot.wallet.pay', {
    key: walletKey({ symbol, account }),
    owner,
    dueAt: deps.clock.now(owner),
    why: 'sends and tracks the transfers of this wallet',
    payload: { symbol, account },
  });
}

/** Money has arrived, or a credit: transfers that wait for it are tried at once. */
export function wakeUnsigned(deps: RobotDeps, tx: Tx, wallet: Wallet): void {
  if (transfers.hasUnsigned(tx, wallet)) scheduleWallet(deps, tx, wallet);
}
