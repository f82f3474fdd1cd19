import { compareAccounts } from '../addresses.ts';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { type TrustLine, trustLineKey } from '../entries.ts';
import type { LedgerView, ReadView } from '../ledger-view.ts';
import { amountOf, quantityOf, rounded } from '../quantities.ts';
import { addToOwnerDirectory, changeOwnerCount, removeFromOwnerDirectory } from './owned-entries.ts';

const LSF = definitions.LEDGER_ENTRY_FLAGS.RippleState;

/** The fields and the lsf bits of one account of a trust line. `sign`: of the balance from its view. */
const sideOf = (name: 'Low' | 'High') =>
  ({
    limit: `${name}Limit`,
    qualityIn: `${name}QualityIn`,
    qualityOut: `${name}QualityOut`,
    reserve: LSF[`lsf${name}Reserve`],
    auth: LSF[`lsf${name}Auth`],
    noRipple: LSF[`lsf${name}NoRipple`],
    freeze: LSF[`lsf${name}Freeze`],
    sign: name === 'Low' ? 1n : -1n,
  }) as const;
const [LOW, HIGH] = [sideOf('Low'), sideOf('High')];
export type Side = typeof LOW;

/** A trust line from the view of one of its accounts. */
export interface OwnLine {
  readonly key: string;
  readonly entry: TrustLine;
  readonly account: string;
  readonly peer: string;
  readonly own: Side;
  readonly theirs: Side;
}

export const ownLine = (key: string, entry: TrustLine, account: string): OwnLine => {
  const isLow = entry.LowLimit.issuer === account;
  const peer = isLow ? entry.HighLimit.issuer : entry.LowLimit.issuer;
  return { key, entry, account, peer, own: isLow ? LOW : HIGH, theirs: isLow ? HIGH : LOW };
};

export function lineBetween(view: ReadView, account: string, peer: string, currency: string): OwnLine | undefined {
  const key = trustLineKey(account, peer, currency);
  const entry = view.read(key) as TrustLine | undefined;
  return entry && ownLine(key, entry, account);
}

/** The peer's tokens that the account holds; negative: it owes them. */
export const balanceOf = ({ entry, own }: OwnLine): bigint => quantityOf(entry.Balance) * own.sign;
export const limitOf = ({ entry }: OwnLine, side: Side): bigint => quantityOf(entry[side.limit]);
export const hasFlag = ({ entry }: OwnLine, bit: number): boolean => (entry.Flags & bit) !== 0;

/** The issuer in the balance of every trust line: nobody. */
const NOBODY = 'rrrrrrrrrrrrrrrrrrrrBZbvji';

export interface NewLine {
  /** Its side is set, and it pays the reserve. */
  readonly account: string;
  readonly peer: string;
  readonly currency: string;
  readonly limit: bigint;
  /** From the view of the account. */
  readonly balance: bigint;
  readonly qualityIn?: number;
  readonly qualityOut?: number;
  /** lsf bits of the account's side that are set beside the reserve. */
  readonly bits: (own: Side) => number;
}

export function createLine(view: LedgerView, line: NewLine): void {
  const { account, peer, currency, limit, balance, qualityIn, qualityOut, bits } = line;
  const key = trustLineKey(account, peer, currency);
  const [own, theirs] = compareAccounts(account, peer) > 0 ? [HIGH, LOW] : [LOW, HIGH];
  const [low, high] = own === LOW ? [account, peer] : [peer, account];
  const peerRipples = (view.account(peer)?.Flags ?? 0) & ACCOUNT_FLAGS.lsfDefaultRipple;
  view.write(key, {
    LedgerEntryType: 'RippleState',
    Flags: (own.reserve | bits(own) | (peerRipples ? 0 : theirs.noRipple)) >>> 0,
    Balance: amountOf({ currency, issuer: NOBODY }, balance * own.sign),
    [own.limit]: amountOf({ currency, issuer: account }, limit),
    [theirs.limit]: amountOf({ currency, issuer: peer }, 0n),
    LowNode: addToOwnerDirectory(view, low, key),
    HighNode: addToOwnerDirectory(view, high, key),
    ...(qualityIn ? { [own.qualityIn]: qualityIn } : {}),
    ...(qualityOut ? { [own.qualityOut]: qualityOut } : {}),
  });
  changeOwnerCount(view, account, 1);
}

export function deleteLine(view: LedgerView, { key, entry }: OwnLine): void {
  removeFromOwnerDirectory(view, entry.LowLimit.issuer, entry.LowNode, key);
  removeFromOwnerDirectory(view, entry.HighLimit.issuer, entry.HighNode, key);
  view.erase(key);
}

/**
 * Moves tokens along one trust line, which is created where there is none. A line without a balance, a limit or another
 * setting that differs from its default is deleted.
 */
export function credit(
  view: LedgerView,
  { from, to, currency }: { from: string; to: string; currency: string },
  quantity: bigint,
): void {
  const line = lineBetween(view, from, to, currency);
  if (!line) return createForReceiver(view, from, to, currency, quantity);
  const before = balanceOf(line);
  const asset = { currency, issuer: NOBODY };
  const after = rounded(asset, before - quantity, 'nearest');
  const { entry, own, theirs } = line;
  const isUnused = hasFlag(line, own.reserve) && !hasSettings(line, view.account(from)?.Flags ?? 0);
  const isFreed = before > 0n && after <= 0n && isUnused;
  const Flags = isFreed ? (entry.Flags & ~own.reserve) >>> 0 : entry.Flags;
  if (isFreed) changeOwnerCount(view, from, -1);
  const changed = { ...entry, Flags, Balance: amountOf(asset, after * own.sign) };
  view.write(line.key, changed);
  if (isFreed && after === 0n && !(Flags & theirs.reserve)) deleteLine(view, { ...line, entry: changed });
}

function createForReceiver(view: LedgerView, from: string, to: string, currency: string, quantity: bigint): void {
  const ripples = (view.account(to)?.Flags ?? 0) & ACCOUNT_FLAGS.lsfDefaultRipple;
  const bits = (own: Side) => (ripples ? 0 : own.noRipple);
  const balance = rounded({ currency, issuer: NOBODY }, quantity, 'nearest');
  createLine(view, { account: to, peer: from, currency, limit: 0n, balance, bits });
}

/** Beside its balance something of the own side differs from the default. */
export function hasSettings(line: OwnLine, accountFlags: number): boolean {
  const { own, entry } = line;
  const ripples = (accountFlags & ACCOUNT_FLAGS.lsfDefaultRipple) !== 0;
  return (
    entry[own.qualityIn] !== undefined ||
    entry[own.qualityOut] !== undefined ||
    hasFlag(line, own.noRipple) === ripples ||
    hasFlag(line, own.freeze) ||
    limitOf(line, own) > 0n
  );
}
