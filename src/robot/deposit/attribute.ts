import { attributeHistory } from '../../db/history.ts';
import type { Tx } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { RobotDeps } from '../deps.ts';
import { expectationStatus } from '../expectation/machine.ts';
import type { Expectation } from '../expectation/store.ts';
import { depositStatus } from './machine.ts';
import { onChain } from './on-chain.ts';
import type { Deposit } from './store.ts';

/**
 * The policy of REF-4.5 and D-18. A final deposit belongs to the verification whose originating VASP named its hash;
 * without a name it waits for one (report, status query); what is left to one candidate in the end is its.
 */

/** A deposit that has become final: credit it, or say what it waits for. */
export function attribute(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const named = deps.expectations.ofTxHash(deposit.symbol, deposit.txHash);
  const match = named.find(expectation => isSamePayment(expectation, deposit));
  if (match) return credit(deps, tx, deposit, match, `the hash was named by ${match.txHashSource}`);
  if (named[0]) return markUnattributed(deps, tx, deposit, differenceTo(named[0], deposit));
  const candidates = candidatesFor(deps, deposit);
  if (candidates.length === 0) return markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
  awaitReport(deps, tx, deposit, candidates);
}

/** The originating VASP has named a hash: whatever final deposit has it and fits is credited. */
export function attributeNamed(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  if (expectation.txHash === null || expectation.status !== 'OPEN') return;
  for (const deposit of deps.deposits.waitingOfTx(expectation.symbol, expectation.txHash)) {
    if (isSamePayment(expectation, deposit))
      return credit(deps, tx, deposit, expectation, `the hash was named by ${expectation.txHashSource}`);
    markUnattributed(deps, tx, deposit, differenceTo(expectation, deposit));
  }
}

/** REF-4.5.3, REF-4.5.4: credits when, after the queries, one deposit and one candidate are left for each other. */
export function attributeLast(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  if (expectation.txHash !== null || expectation.status !== 'OPEN') return;
  const fitting = deps.deposits.waitingOf(expectation).filter(deposit => {
    const [first, ...others] = candidatesFor(deps, deposit);
    return first?.verificationUuid === expectation.verificationUuid && others.length === 0;
  });
  const ofSender = fitting.filter(deposit => isSentBy(expectation, deposit));
  const [only, ...rivals] = ofSender.length > 0 ? ofSender : fitting;
  if (only && rivals.length === 0)
    credit(deps, tx, only, expectation, 'sender, recipient and amount leave one candidate');
}

const isSentBy = ({ originatorAccounts }: Expectation, deposit: Deposit): boolean =>
  (JSON.parse(originatorAccounts) as string[]).includes(deposit.from);

function isSamePayment(expectation: Expectation, deposit: Deposit): boolean {
  return (
    expectation.symbol === deposit.symbol &&
    expectation.account === deposit.account &&
    expectation.tag === deposit.tag &&
    expectation.amount === deposit.amount
  );
}

/**
 * The expectation awaits its money no more, or awaits another transaction: what waited for it alone is nobody's, and
 * never comes to a later verification of the same amount.
 */
export function releaseDeposits(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  for (const deposit of deps.deposits.waitingOf(expectation))
    if (candidatesFor(deps, deposit).length === 0)
      markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
}

/** It may have ended otherwise after the robot said VERIFIED: too late, another account, an error report. */
export const isVerified = (deps: RobotDeps, verificationUuid: string): boolean =>
  deps.enclave.get(verificationUuid, deps.vaspId).result === 'VERIFIED';

/** REF-4.5.3: the sender tells candidates apart where it is one of theirs; exchanges often pay from elsewhere. */
function candidatesFor(deps: RobotDeps, deposit: Deposit): Expectation[] {
  const candidates = deps.expectations
    .candidatesOf(deposit)
    .filter(candidate => isVerified(deps, candidate.verificationUuid));
  const ofSender = candidates.filter(candidate => isSentBy(candidate, deposit));
  return ofSender.length > 0 ? ofSender : candidates;
}

function credit(deps: RobotDeps, tx: Tx, deposit: Deposit, expectation: Expectation, cause: string): void {
  const { verificationUuid, vaspId } = expectation;
  const at = deps.clock.now(vaspId);
  const patch = { verificationUuid, vaspId, note: `credited: ${cause}` };
  transition(tx, depositStatus, deposit, 'credited', { patch, at, cause, detail: onChain(deposit) });
  attributeHistory(tx, 'deposit', String(deposit.id), verificationUuid);
  transition(tx, expectationStatus, expectation, 'credited', {
    at,
    cause: `${deposit.txHash} has paid ${deposit.amount} ${deposit.symbol}`,
  });
  deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
  deps.enclave.markCredited(verificationUuid, deps.vaspId);
}

function markUnattributed(deps: RobotDeps, tx: Tx, deposit: Deposit, note: string): void {
  if (deposit.status === 'UNATTRIBUTED') return deps.deposits.patch(tx, deposit.id, { note });
  const at = deposit.vaspId === null ? deps.clock.machineNow() : deps.clock.now(deposit.vaspId);
  transition(tx, depositStatus, deposit, 'nobody-expects-it', {
    patch: { note },
    at,
    cause: note,
    detail: onChain(deposit),
  });
}

/** REF-4.5.2, D-17: ten minutes for the report, then the candidates are asked. */
function awaitReport(deps: RobotDeps, tx: Tx, deposit: Deposit, candidates: Expectation[]): void {
  const note = `waits for the report; candidates: ${candidates.length}`;
  if (deposit.status === 'UNATTRIBUTED')
    transition(tx, depositStatus, deposit, 'is-expected', {
      patch: { note },
      at: deps.clock.machineNow(),
      cause: note,
    });
  else deps.deposits.patch(tx, deposit.id, { note });
  for (const { verificationUuid, vaspId } of candidates) scheduleInquiry(deps, tx, verificationUuid, vaspId);
}

/** D-17: the first query after the waiting time, the window counted from it. */
export function scheduleInquiry(deps: RobotDeps, tx: Tx, verificationUuid: string, vaspId: string): void {
  const { waitMs, windowMs } = deps.inquiry;
  const dueAt = deps.clock.now(vaspId) + waitMs;
  deps.expectations.patch(tx, verificationUuid, { inquireUntil: dueAt + windowMs });
  deps.timers.schedule(tx, 'robot.deposit.inquire', {
    key: verificationUuid,
    owner: vaspId,
    dueAt,
    why: 'no transaction report has arrived',
    payload: { verificationUuid },
  });
}

function differenceTo(expectation: Expectation, deposit: Deposit): string {
  if (expectation.account !== deposit.account || expectation.tag !== deposit.tag)
    return 'unattributed: paid to another address or tag than verified';
  return `unattributed: ${expectation.amount} was verified, ${deposit.amount} was paid`;
}

function whyNoCandidate(deps: RobotDeps, deposit: Deposit): string {
  const open = deps.expectations.openAt(deposit);
  if (open.some(expectation => expectation.amount !== deposit.amount))
    return 'unattributed: the amount is of no verification at this address';
  if (open.length > 0) return 'unattributed: another transaction was reported, or the transfer was cancelled';
  return 'unattributed: nothing VERIFIED is open at this address and tag';
}
