import * as attempts from './attempt-store.ts';
import { unitsOf } from './send.ts';
import * as transfers from './store.ts';
import { orderTopUp } from './top-up.ts';
import type { OpenWallet, Transfer } from './transfer.ts';

/** For people: the beginning of the note of a transfer that waits for money. */
export const LOW_FUNDS = 'low funds';

export const sum = (units: readonly bigint[]): bigint => units.reduce((total, each) => total + each, 0n);

/** The balance has already paid for what stands in a block. */
export const inNoBlock = (wallet: OpenWallet): Transfer[] =>
  transfers.underWay(wallet.deps.db, wallet).filter(({ status }) => status !== 'WAIT-CONFIRM');

/** Base units that these signed transfers may still cost. */
export function costOfAll({ deps, chain }: OpenWallet, unconfirmed: readonly Transfer[]): bigint {
  const signed = attempts.ofAll(deps.db, unconfirmed);
  const costOf = (transfer: Transfer, i: number) => unitsOf(transfer) + chain.costOf(signed[i]!.at(-1)!.fee);
  return sum(unconfirmed.map(costOf));
}

/** Embedded chains only: gives the account new money, so that the robot never lacks fees there. */
export async function giveMoney({ deps, symbol, account }: OpenWallet, units: bigint): Promise<bigint> {
  const { fund } = deps.walletSettings(symbol);
  if (!fund) return 0n;
  await fund(account, units);
  return units;
}

/** D-31: why no transfer that is in no block can be paid now, with `more` base units. Orders the money for it. */
export async function whyNotAffordable(wallet: OpenWallet, more: bigint): Promise<string | undefined> {
  const { chain } = wallet;
  const { spendable } = await chain.balanceOf(wallet.account);
  const unmined = inNoBlock(wallet);
  const cost = costOfAll(wallet, unmined) + more;
  const lacks = cost - spendable;
  if (lacks <= 0n || (await giveMoney(wallet, lacks)) > 0n) return undefined;
  const fees = cost - sum(unmined.map(unitsOf));
  const what = more > 0n ? `${LOW_FUNDS} for a higher fee` : LOW_FUNDS;
  return `${what}: ${orderTopUp(wallet, { lacks, fees })}`;
}
