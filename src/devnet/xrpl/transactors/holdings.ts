import { ACCOUNT_FLAGS } from '../definitions.ts';
import { accountReserve, type Fees, type LedgerView } from '../entries.ts';
import { type Asset, dropsOf, ofDrops, scaled, type Token, UNLIMITED } from '../quantities.ts';
import { balanceOf, credit, hasFlag, lineBetween } from './trust-line.ts';

/** 1 : 1, the rate of an issuer that takes no fee. */
export const PARITY = 1_000_000_000n;

/** The most that an account can give of an asset: XRP above its reserve, nothing of a frozen token, any amount of its own. */
export function fundsOf(view: LedgerView, fees: Fees, address: string, asset: Asset): bigint {
  if (asset === 'XRP') {
    const account = view.account(address);
    const liquid = account ? BigInt(account.Balance) - accountReserve(fees, account.OwnerCount) : 0n;
    return liquid > 0n ? ofDrops(liquid) : 0n;
  }
  if (asset.issuer === address) return UNLIMITED;
  const line = lineBetween(view, address, asset.issuer, asset.currency);
  if (!line || isGloballyFrozen(view, asset.issuer) || hasFlag(line, line.theirs.freeze)) return 0n;
  const balance = balanceOf(line);
  return balance > 0n ? balance : 0n;
}

export const isGloballyFrozen = (view: LedgerView, issuer: string): boolean =>
  ((view.account(issuer)?.Flags ?? 0) & ACCOUNT_FLAGS.lsfGlobalFreeze) !== 0;

/** False: the issuer authorizes its holders, and not this one. */
export function isAuthorized(view: LedgerView, address: string, { issuer, currency }: Token): boolean {
  if (issuer === address || !((view.account(issuer)?.Flags ?? 0) & ACCOUNT_FLAGS.lsfRequireAuth)) return true;
  const line = lineBetween(view, address, issuer, currency);
  return line !== undefined && hasFlag(line, line.theirs.auth);
}

/** The rate of the issuer's fee, in billionths. */
export const transferRate = (view: LedgerView, issuer: string): bigint =>
  BigInt(view.account(issuer)?.TransferRate ?? PARITY);

/** The issuer takes its fee when tokens pass between others. `parties`: those between whom they pass. */
export const feeRate = (view: LedgerView, asset: Asset, ...parties: string[]): bigint =>
  asset === 'XRP' || parties.includes(asset.issuer) ? PARITY : transferRate(view, asset.issuer);

/** With the fee of the issuer. */
export const withFee = (asset: Asset, quantity: bigint, rate: bigint): bigint =>
  rate === PARITY ? quantity : scaled(asset, quantity, rate, PARITY, 'up');
/** Without the fee that it holds. */
export const withoutFee = (asset: Asset, quantity: bigint, rate: bigint): bigint =>
  rate === PARITY || quantity >= UNLIMITED ? quantity : scaled(asset, quantity, PARITY, rate, 'down');

/** Gives an asset to an account: tokens come from their issuer. Less than nothing is taken, and tokens go back to it. */
export function give(view: LedgerView, address: string, asset: Asset, quantity: bigint): void {
  if (quantity === 0n) return;
  if (asset === 'XRP') return view.addXrp(view.requireAccount(address), dropsOf(quantity));
  const { issuer, currency } = asset;
  if (issuer === address) return;
  if (quantity > 0n) credit(view, { from: issuer, to: address, currency }, quantity);
  else credit(view, { from: address, to: issuer, currency }, -quantity);
}

export const take = (view: LedgerView, address: string, asset: Asset, quantity: bigint): void =>
  give(view, address, asset, -quantity);
