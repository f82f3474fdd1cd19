import type { TrustSet } from 'xrpl';
import { ACCOUNT_FLAGS, definitions } from '../definitions.ts';
import { type AccountRoot, currencyBytes } from '../entries.ts';
import { accountReserve } from '../fees.ts';
import { toHex } from '../hash.ts';
import { type Amount, amountOf, isXrp, quantityOf } from '../quantities.ts';
import type { Failure } from '../results.ts';
import type { Transaction } from '../transaction.ts';
import { changeOwnerCount } from './owned-entries.ts';
import { type ApplyContext, has, sourceAccount, type Transactor } from './transactor.ts';
import {
  balanceOf,
  createLine,
  deleteLine,
  hasFlag,
  hasSettings,
  lineBetween,
  type OwnLine,
  ownLine,
  type Side,
} from './trust-line.ts';

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
  changeReserve(context, account, own, before, needed.own);
  changeReserve(context, before.peer, theirs, before, needed.theirs);
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

function changeReserve(
  { view }: ApplyContext<TrustSet>,
  account: string,
  side: Side,
  before: OwnLine,
  isNeeded: boolean,
): void {
  if (isNeeded !== hasFlag(before, side.reserve)) changeOwnerCount(view, account, isNeeded ? 1 : -1);
}
