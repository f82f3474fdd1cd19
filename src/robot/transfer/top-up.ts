import type { Chain } from '../../chains/port.ts';
import { addressText, toCoins } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';

import { beginTransfer } from './lifecycle.ts';
import { scheduleWallet } from './schedule-wallet.ts';
import * as transfers from './store.ts';
import { NOBODY, type OpenWallet, type Transfer, type Wallet } from './transfer.ts';

/** D-31: the treasury pays the fees of the robot's other accounts. A top-up is a transfer like every other. */

/** Stands in `userId`: a top-up belongs to no user and to no VASP. */
const TREASURY = 'treasury';
/** 0.05 ETH. One top-up is less. */
const LIMIT_WEI = 50_000_000_000_000_000n;

const isTopUp = ({ userId, vaspId }: Pick<Transfer, 'userId' | 'vaspId'>): boolean =>
  userId === TREASURY && vaspId === NOBODY;

/** The account that pays the fees of the others. Undefined: this chain needs none. */
export function treasuryOf(deps: RobotDeps, chain: Chain): string | undefined {
  const { treasuryIndex } = deps.walletSettings(chain.symbol);
  return treasuryIndex === undefined ? undefined : chain.ownAccount(treasuryIndex);
}

/** Base units: `lacks` for amounts and fees, of which fees are at most `fees`. */
export interface Shortage {
  lacks: bigint;
  fees: bigint;
}

/** Orders a top-up, unless one is under way: twice the fees, as they may rise. Returns why the wallet waits. */
export function orderTopUp(wallet: OpenWallet, { lacks, fees }: Shortage): string {
  const { deps, chain } = wallet;
  const treasury = treasuryOf(deps, chain);
  const text = (units: bigint) => toCoins(wallet.symbol, units);
  const account = addressText(wallet.account);
  if (treasury === undefined || wallet.account === treasury || lacks > fees)
    return `${account} lacks ${text(lacks)} ${wallet.symbol}`;
  const wanted = lacks + fees;
  const units = wanted < LIMIT_WEI ? wanted : LIMIT_WEI - 1n;
  write(deps.db, tx => {
    if (!transfers.topUpUnderWay(tx, wallet)) insertTopUp(deps, tx, wallet, treasury, text(units));
  });
  return `${account} waits for fees from the treasury ${addressText(treasury)}`;
}

function insertTopUp(
  deps: RobotDeps,
  tx: Tx,
  { symbol, account: toAccount }: Wallet,
  account: string,
  amount: string,
): void {
  const createdAt = deps.clock.machineNow();
  const topUp = {
    verificationUuid: `top-up ${toAccount} ${createdAt}`,
    vaspId: NOBODY,
    userId: TREASURY,
    symbol,
    account,
    walletIndex: deps.walletSettings(symbol).treasuryIndex!,
    tag: null,
    toAccount,
    toTag: null,
    amount,
    omitTxReport: true,
    isHeld: false,
    createdAt,
  };
  const cause = `${amount} ${symbol} for the fees of ${addressText(toAccount)}`;
  scheduleWallet(deps, tx, beginTransfer(tx, topUp, cause));
}

/** A top-up stands in a block: the account that waited for it goes on. */
export function wakeToppedUp(deps: RobotDeps, tx: Tx, transfer: Transfer): void {
  const { symbol, toAccount: account } = transfer;
  if (isTopUp(transfer)) scheduleWallet(deps, tx, { symbol, account });
}
