import type { Db } from '../../db/open.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { isAfterVerified, isAtVout, isSamePayment } from '../report/judge-report.ts';
import { countedHeight, type Deposit, isFor } from './store.ts';

/**
 * Which verification may a deposit be credited to? Nothing else decides it. A claim is an open verification whose
 * originating VASP has named the transaction, by report or status answer, and which the deposit pays: the money is for
 * this VASP, and recipient, tag, amount and `vout` are equal, in a block after VERIFIED (D-18, D-25). The first line that
 * fits decides:
 *
 * | Situation | The deposit goes to |
 * |---|---|
 * | it is not final, or in no block | nobody yet |
 * | it is credited | whom it is credited to, until a reorganisation takes the credit back: every other claim is ALREADY-USED (D-24) |
 * | there is no claim | nobody: the VASPs of the verifications that it fits are asked (REF-4.5), or it stays unattributed |
 * | several claims | of each VASP the newest counts, and of the VASPs the one that has named it first (D-50) |
 * | the claim has lost its credit, and afterwards the VASP has opened another verification of this payment, which names nothing yet | nobody yet: the other one may name it, until its status queries end (D-50) |
 * | otherwise | the claim |
 */

/** `deposit` is final and not credited. `candidates`: the verifications without a hash that it fits. */
export function payeeOf(db: Db, deposit: Deposit, candidates: () => readonly Expectation[]): Expectation | undefined {
  // A VASP keeps the place of its first claim.
  const newest = new Map(claimsOn(db, deposit).map(claim => [claim.vaspId, claim]));
  const [claim] = newest.values();
  if (!claim || claim.creditLostAt === null) return claim;
  const { vaspId, creditLostAt } = claim;
  const isLater = (other: Expectation) => other.vaspId === vaspId && other.createdAt >= creditLostAt;
  return candidates().some(isLater) ? undefined : claim;
}

/** In the order of their naming. */
export const claimsOn = (db: Db, deposit: Deposit): Expectation[] =>
  expectations.ofTxHash(db, deposit.symbol, deposit.txHash).filter(expectation => isPaidBy(expectation, deposit));

const isPaidBy = (expectation: Expectation, deposit: Deposit): boolean =>
  isFor(deposit, expectation.vaspId) &&
  isSamePayment(expectation, deposit) &&
  isAtVout(expectation, deposit.index) &&
  isAfterVerified(expectation, countedHeight(deposit));

/** REF-4.5.3: candidates of the sender come first. Exchanges often pay from another address: then all count. */
export function candidatesFor(deps: RobotDeps, deposit: Deposit): Expectation[] {
  const candidates = expectations
    .candidatesOf(deps.db, deposit)
    .filter(({ vaspId }) => isFor(deposit, vaspId))
    .filter(candidate => isAfterVerified(candidate, countedHeight(deposit)))
    .filter(candidate => isVerified(deps, candidate.verificationUuid));
  const ofSender = candidates.filter(({ originatorAccounts }) => originatorAccounts.includes(deposit.from));
  return ofSender.length > 0 ? ofSender : candidates;
}

/** Those whose window for status queries is open. */
export const askedFor = (deps: RobotDeps, deposit: Deposit): Expectation[] =>
  candidatesFor(deps, deposit).filter(({ vaspId, inquireUntil }) => deps.clock.now(vaspId) < (inquireUntil ?? 0));

/** The enclave may end a verification otherwise after the robot answered VERIFIED: late, or with another account. */
const isVerified = (deps: RobotDeps, verificationUuid: string): boolean =>
  deps.enclave.get(verificationUuid, deps.vaspId).result === 'VERIFIED';

/** Why no verification waits for this deposit, for people. */
export function whyNoCandidate(deps: RobotDeps, deposit: Deposit): string {
  const open = expectations.openAt(deps.db, deposit).filter(({ vaspId }) => isFor(deposit, vaspId));
  const equal = open.filter(({ amount }) => amount === deposit.amount);
  if (equal.length === 0)
    return open.length > 0
      ? 'no open verification of this address has this amount'
      : 'no verification is open for this address and tag';
  if (equal.every(expectation => !isAfterVerified(expectation, countedHeight(deposit))))
    return 'it was paid before the verification was VERIFIED';
  const unnamed = equal.find(({ txHash, lastInquiry }) => txHash === null && lastInquiry !== 'CANCELED');
  return unnamed
    ? `no report and no status answer has named it; the last answer was ${unnamed.lastInquiry ?? 'NO-ANSWER'}`
    : 'another transaction was named, or the transfer was cancelled';
}
