import type { TrustSet } from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import {
  type AccountRoot,
  accountReserve,
  currencyBytes,
  type LedgerView,
  type ReadView,
  type TrustLine,
  trustLineKey,
} from '../entries.ts';
import { toHex } from '../hash-tree.ts';
import { type Amount, amountOf, isXrp, quantityOf, rounded } from '../quantities.ts';
import type { Failure } from '../results.ts';
import { compareAccounts, type Transaction } from '../signature.ts';
import { addToOwnerDirectory, changeOwnerCount, removeFromOwnerDirectory } from './directory.ts';
import { type ApplyContext, has, sourceAccount, type Transactor } from './transactor.ts';

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
type Side = typeof LOW;

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

interface NewLine {
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

function createLine(view: LedgerView, line: NewLine): void {
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

function deleteLine(view: LedgerView, { key, entry }: OwnLine): void {
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
function hasSettings(line: OwnLine, accountFlags: number): boolean {
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

const TF = definitions.TRANSACTION_FLAGS.TrustSet;
/** 1 : 1, which is also what an absent quality means. */
const QUALITY_ONE = 1_000_000_000;
/** An account needs no reserve for its first two trust lines. */
const FREE_LINES = 2;

export const trustSet: Transactor<TrustSet> = { preflight, preclaim, apply };

/** Only one of two opposite flags counts. */
const wants = (tx: Transaction<TrustSet>, bit: number, opposite: number): boolean => has(tx, bit) && !has(tx, opposite);

/** The code of three letters "XRP" may not name a token. */
const BAD_CURRENCY = '0000000000000000000000005852500000000000';
export const isBadCurrency = (currency: string): boolean =>
  toHex(Buffer.from(currencyBytes(currency))) === BAD_CURRENCY;

function preflight(tx: Transaction<TrustSet>): Failure {
  const { json } = tx;
  const limit = json.LimitAmount as Amount | undefined;
  if (limit === undefined || isXrp(limit)) return 'temBAD_LIMIT';
  if (!('currency' in limit)) return 'temDISABLED';
  if (isBadCurrency(limit.currency)) return 'temBAD_CURRENCY';
  return quantityOf(limit) < 0n ? 'temBAD_LIMIT' : undefined;
}

function preclaim(context: ApplyContext<TrustSet>): Failure {
  const { tx, view } = context;
  const { issuer, currency } = tx.json.LimitAmount;
  if (has(tx, TF.tfSetfAuth) && !(sourceAccount(context).Flags & ACCOUNT_FLAGS.lsfRequireAuth))
    return 'tefNO_AUTH_REQUIRED';
  if (issuer === tx.account) return 'temDST_IS_SRC';
  const peer = view.account(issuer);
  const blocks = peer && peer.Flags & ACCOUNT_FLAGS.lsfDisallowIncomingTrustline;
  return blocks && !lineBetween(view, tx.account, issuer, currency) ? 'tecNO_PERMISSION' : undefined;
}

function apply(context: ApplyContext<TrustSet>): Failure {
  const { tx, view } = context;
  const { issuer, currency } = tx.json.LimitAmount;
  const peer = view.account(issuer);
  if (!peer) return 'tecNO_DST';
  const line = lineBetween(view, tx.account, issuer, currency);
  return line ? change(context, line, peer) : create(context);
}

/** Undefined: the transaction says nothing about it. 0: the quality is the usual one. */
function qualityField(tx: Transaction<TrustSet>, field: 'QualityIn' | 'QualityOut'): number | undefined {
  const value = tx.json[field];
  return value === QUALITY_ONE ? 0 : value;
}

function hasReserve({ fees, priorBalance }: ApplyContext<TrustSet>, ownerCount: number): boolean {
  return ownerCount < FREE_LINES || priorBalance >= accountReserve(fees, ownerCount + 1);
}

function create(context: ApplyContext<TrustSet>): Failure {
  const { tx, view } = context;
  const { issuer, currency } = tx.json.LimitAmount;
  const [qualityIn, qualityOut] = [qualityField(tx, 'QualityIn'), qualityField(tx, 'QualityOut')];
  const limit = quantityOf(tx.json.LimitAmount);
  if (limit === 0n && !qualityIn && !qualityOut && !has(tx, TF.tfSetfAuth)) return 'tecNO_LINE_REDUNDANT';
  if (!hasReserve(context, sourceAccount(context).OwnerCount)) return 'tecNO_LINE_INSUF_RESERVE';
  const account = sourceAccount(context);
  const mayFreeze = !(account.Flags & ACCOUNT_FLAGS.lsfNoFreeze);
  createLine(view, {
    account: tx.account,
    peer: issuer,
    currency,
    limit,
    balance: 0n,
    ...(qualityIn ? { qualityIn } : {}),
    ...(qualityOut ? { qualityOut } : {}),
    bits: own =>
      (has(tx, TF.tfSetfAuth) ? own.auth : 0) |
      (wants(tx, TF.tfSetNoRipple, TF.tfClearNoRipple) ? own.noRipple : 0) |
      (mayFreeze && wants(tx, TF.tfSetFreeze, TF.tfClearFreeze) ? own.freeze : 0),
  });
}

function change(context: ApplyContext<TrustSet>, before: OwnLine, peer: AccountRoot): Failure {
  const { tx, view } = context;
  const { own, theirs, account, key } = before;
  const source = sourceAccount(context);
  const flags = switchedFlags(tx, before, source);
  if (flags === undefined) return 'tecNO_PERMISSION';
  const { currency, value } = tx.json.LimitAmount;
  const entry = withQualities(tx, before, {
    ...before.entry,
    [own.limit]: amountOf({ currency, issuer: account }, quantityOf({ currency, issuer: account, value })),
    Flags: flags,
  });
  const line = ownLine(key, entry, account);
  const other = ownLine(key, entry, before.peer);
  const needed = { own: needsReserve(line, source), theirs: needsReserve(other, peer) };
  const reserves = (needed.own ? own.reserve : 0) | (needed.theirs ? theirs.reserve : 0);
  const after = { ...entry, Flags: ((flags & ~(own.reserve | theirs.reserve)) | reserves) >>> 0 };
  const isNew = needed.own && !hasFlag(before, own.reserve);
  if (isNew && !hasReserve(context, source.OwnerCount)) return 'tecINSUF_RESERVE_LINE';
  const sides = [
    [account, own.reserve, needed.own],
    [before.peer, theirs.reserve, needed.theirs],
  ] as const;
  for (const [owner, bit, isNeeded] of sides)
    if (isNeeded !== hasFlag(before, bit)) changeOwnerCount(view, owner, isNeeded ? 1 : -1);
  view.write(key, after);
  if (!needed.own && !needed.theirs) deleteLine(view, ownLine(key, after, account));
}

/** Undefined: rippling may not be switched off for a line on which the account owes. */
function switchedFlags(tx: Transaction<TrustSet>, line: OwnLine, { Flags }: AccountRoot): number | undefined {
  const { own, entry } = line;
  let flags = entry.Flags;
  if (wants(tx, TF.tfSetNoRipple, TF.tfClearNoRipple)) {
    if (balanceOf(line) < 0n) return undefined;
    flags |= own.noRipple;
  } else if (wants(tx, TF.tfClearNoRipple, TF.tfSetNoRipple)) flags &= ~own.noRipple;
  if (wants(tx, TF.tfSetFreeze, TF.tfClearFreeze) && !(Flags & ACCOUNT_FLAGS.lsfNoFreeze)) flags |= own.freeze;
  else if (wants(tx, TF.tfClearFreeze, TF.tfSetFreeze)) flags &= ~own.freeze;
  if (has(tx, TF.tfSetfAuth)) flags |= own.auth;
  return flags >>> 0;
}

function withQualities(tx: Transaction<TrustSet>, { own }: OwnLine, entry: OwnLine['entry']) {
  const changed: Record<string, unknown> = { ...entry };
  for (const [field, name] of [
    ['QualityIn', own.qualityIn],
    ['QualityOut', own.qualityOut],
  ] as const) {
    const quality = qualityField(tx, field);
    if (quality === 0) delete changed[name];
    else if (quality !== undefined) changed[name] = quality;
  }
  return changed as unknown as OwnLine['entry'];
}

/** A side whose settings differ from the default, or which holds something, counts as an owned object. */
const needsReserve = (line: OwnLine, { Flags }: AccountRoot): boolean =>
  hasSettings(line, Flags) || balanceOf(line) > 0n;
