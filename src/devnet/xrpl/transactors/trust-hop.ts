import { ACCOUNT_FLAGS } from '../definitions.ts';
import type { LedgerView, ReadView } from '../ledger-view.ts';
import { isGloballyFrozen, PARITY } from './holdings.ts';
import { balanceOf, hasFlag, limitOf, lineBetween, type OwnLine } from './trust-line.ts';

/** One step of a payment: tokens move along a trust line from one of its accounts to the other one. */
export interface Hop {
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  /** From the view of the account that sends. */
  readonly line: OwnLine;
  /** The value that the receiver gives to incoming tokens, in billionths: at most their face value. */
  readonly qualityIn: bigint;
}

export function hopBetween(view: ReadView, from: string, to: string, currency: string): Hop | undefined {
  const line = lineBetween(view, from, to, currency);
  if (!line) return undefined;
  const quality = BigInt((line.entry[line.theirs.qualityIn] as number | undefined) ?? PARITY);
  const redeems = balanceOf(line) > 0n;
  return { from, to, currency, line, qualityIn: redeems || quality > PARITY ? PARITY : quality };
}

/** The receiver's tokens that the sender holds, and as much of its own as the receiver trusts it for. */
export function mostThrough({ line }: Hop): bigint {
  const room = limitOf(line, line.theirs) + (balanceOf(line) < 0n ? balanceOf(line) : 0n);
  const held = balanceOf(line) > 0n ? balanceOf(line) : 0n;
  return held + (room > 0n ? room : 0n);
}

/** `alone`: between an issuer and its holder nothing is frozen. */
export function canPass(view: LedgerView, hop: Hop, alone?: 'alone'): boolean {
  const { line } = hop;
  if (!alone && (isGloballyFrozen(view, hop.to) || hasFlag(line, line.theirs.freeze))) return false;
  const sender = view.account(hop.from);
  const needsAuth = ((sender?.Flags ?? 0) & ACCOUNT_FLAGS.lsfRequireAuth) !== 0;
  if (needsAuth && !hasFlag(line, line.own.auth) && balanceOf(line) === 0n) return false;
  return mostThrough(hop) > 0n;
}

/** False: the account between the two has switched rippling off on both lines. */
export const ripplesThrough = (first: Hop, second: Hop): boolean =>
  !(hasFlag(first.line, first.line.theirs.noRipple) && hasFlag(second.line, second.line.own.noRipple));
