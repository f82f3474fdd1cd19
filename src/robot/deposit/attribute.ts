import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { RobotDeps } from '../deps.ts';
import { expectationStatus } from '../expectation/machine.ts';
import { scheduleInquiry } from '../expectation/schedule-inquiry.ts';
import type { Expectation } from '../expectation/store.ts';
import { markCredited, markExpected, markUnattributed } from './lifecycle.ts';
import type { Deposit } from './store.ts';

/**
 * REF-4.5, D-18: which verification a deposit pays. A final deposit pays the verification whose originating VASP named
 * its hash, by report or status answer. Where no hash is named until the status queries end, the deposit pays the one
 * verification that fits it.
 */

/** Of a deposit that has just become final: credits it, or notes why it has to wait. */
export function attribute(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const named = deps.expectations.ofTxHash(deposit.symbol, deposit.txHash);
  const match = named.find(expectation => isSamePayment(expectation, deposit));
  if (match) return credit(deps, tx, deposit, match, causeOfHash(match));
  if (named[0]) return markUnattributed(deps, tx, deposit, differenceOf(named[0], deposit));
  const candidates = candidatesFor(deps, deposit);
  if (candidates.length === 0) return markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
  awaitReport(deps, tx, deposit, candidates);
}

/** The originating VASP has named a hash: credits the final deposit that has it, if the payment is the same. */
export function attributeNamed(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  if (expectation.txHash === null || expectation.status !== 'OPEN') return;
  for (const deposit of deps.deposits.waitingOfTx(expectation.symbol, expectation.txHash)) {
    if (isSamePayment(expectation, deposit))
      return credit(deps, tx, deposit, expectation, causeOfHash(expectation));
    markUnattributed(deps, tx, deposit, differenceOf(expectation, deposit));
  }
}

/** REF-4.5.3, REF-4.5.4: credits where one deposit and one verification fit each other and no other. */
export function attributeLast(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  if (expectation.txHash !== null || expectation.status !== 'OPEN') return;
  const fitting = deps.deposits.waitingOf(expectation).filter(deposit => {
    const [first, ...others] = candidatesFor(deps, deposit);
    return first?.verificationUuid === expectation.verificationUuid && others.length === 0;
  });
  const ofSender = fitting.filter(deposit => isSentBy(expectation, deposit));
  const [only, ...rivals] = ofSender.length > 0 ? ofSender : fitting;
  if (only && rivals.length === 0)
    credit(deps, tx, only, expectation, 'only this verification fits its sender, recipient and amount');
}

/**
 * The expectation is no longer open, or expects another hash. A deposit that waited for it alone becomes unattributed,
 * so that a later verification of the same amount never gets it.
 */
export function releaseDeposits(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  for (const deposit of deps.deposits.waitingOf(expectation))
    if (candidatesFor(deps, deposit).length === 0)
      markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
}

/** The enclave may end a verification otherwise after the robot answered VERIFIED: late, or with another account. */
export const isVerified = (deps: RobotDeps, verificationUuid: string): boolean =>
  deps.enclave.get(verificationUuid, deps.vaspId).result === 'VERIFIED';

/** REF-4.5.3: candidates of the sender come first. Exchanges often pay from another address: then all count. */
function candidatesFor(deps: RobotDeps, deposit: Deposit): Expectation[] {
  const candidates = deps.expectations
    .candidatesOf(deposit)
    .filter(candidate => isVerified(deps, candidate.verificationUuid));
  const ofSender = candidates.filter(candidate => isSentBy(candidate, deposit));
  return ofSender.length > 0 ? ofSender : candidates;
}

const isSentBy = ({ originatorAccounts }: Expectation, deposit: Deposit): boolean =>
  originatorAccounts.includes(deposit.from);

function isSamePayment(expectation: Expectation, deposit: Deposit): boolean {
  return (
    expectation.symbol === deposit.symbol &&
    expectation.account === deposit.account &&
    expectation.tag === deposit.tag &&
    expectation.amount === deposit.amount
  );
}

function credit(deps: RobotDeps, tx: Tx, deposit: Deposit, expectation: Expectation, cause: string): void {
  const { verificationUuid, vaspId } = expectation;
  markCredited(deps, tx, deposit, expectation, cause);
  transition(tx, expectationStatus, expectation, 'credited', {
    at: deps.clock.now(vaspId),
    cause: `${deposit.txHash} has paid ${deposit.amount} ${deposit.symbol}`,
  });
  deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
  deps.enclave.markCredited(verificationUuid, deps.vaspId);
}

/** REF-4.5.2, D-17: a report may come within ten minutes. Then the status of each candidate is queried. */
function awaitReport(deps: RobotDeps, tx: Tx, deposit: Deposit, candidates: Expectation[]): void {
  const fits = candidates.length === 1 ? '1 verification fits' : `${candidates.length} verifications fit`;
  markExpected(deps, tx, deposit, `waits for the transaction report: ${fits}`);
  for (const candidate of candidates) scheduleInquiry(deps, tx, candidate);
}

const causeOfHash = ({ txHashSource }: Expectation): string =>
  `the originating VASP named its hash in a ${txHashSource === 'report' ? 'transaction report' : 'status answer'}`;

function differenceOf(expectation: Expectation, deposit: Deposit): string {
  if (expectation.account !== deposit.account || expectation.tag !== deposit.tag)
    return 'paid to another address or tag than verified';
  return `${expectation.amount} was verified, ${deposit.amount} was paid`;
}

function whyNoCandidate(deps: RobotDeps, deposit: Deposit): string {
  const open = deps.expectations.openAt(deposit);
  if (open.some(expectation => expectation.amount !== deposit.amount))
    return 'no open verification of this address has this amount';
  if (open.length > 0) return 'another transaction was reported, or the transfer was cancelled';
  return 'no verification is open for this address and tag';
}
