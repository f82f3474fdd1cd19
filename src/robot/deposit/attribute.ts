import type { AssetSymbol } from '../../contract/assets.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import type { CreditDeps, RobotDeps } from '../deps.ts';
import { expectationStatus } from '../expectation/machine.ts';
import { scheduleInquiry } from '../expectation/open.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { isAfterVerified, isAtVout, isSamePayment, paymentText } from '../report/judge-report.ts';
import { mayChange, scheduleLookUp, setVerdict } from '../report/verdict.ts';
import { wakeUnsigned } from '../transfer/schedule-wallet.ts';
import { markCredited, markExpected, markUnattributed, markUnexplained } from './lifecycle.ts';
import { remarkPaidAfterEnd } from './remarks.ts';
import * as deposits from './store.ts';
import { type Deposit, isFor } from './store.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'db' | 'inquiry'>;

/**
 * D-18: which verification a deposit pays. A final deposit pays the verification whose originating VASP named its hash,
 * by report or status answer. Nothing else credits. REF-4.5 only says which VASP is asked.
 */

/** Of a deposit that has just become final: credits it, or notes why it has to wait. */
export function attribute(deps: Deps, tx: Tx, deposit: Deposit): void {
  const named = expectations.ofTxHash(tx, deposit.symbol, deposit.txHash);
  const payee = named.find(expectation => isPaidBy(expectation, deposit));
  if (payee) return credit(deps, tx, deposit, payee);
  for (const expectation of named) scheduleLookUp(deps, tx, expectation);
  if (!isPayment(deposit)) return markUnexplained(deps, tx, deposit);
  const candidates = candidatesFor(deps, deposit);
  if (candidates.length > 0) return awaitName(deps, tx, deposit, candidates);
  markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
  if (named.length === 0) remarkPaidAfterEnd(deps, tx, deposit);
}

/** Credits a final deposit of the transaction that the originating VASP has named. False: none fits. */
export function creditNamed(deps: Deps, tx: Tx, expectation: Expectation): boolean {
  const { symbol, txHash, status } = expectation;
  if (txHash === null || status !== 'OPEN') return false;
  const deposit = deposits.waitingOfTx(tx, symbol, txHash).find(each => isPaidBy(expectation, each));
  if (!deposit) return false;
  credit(deps, tx, deposit, expectation);
  return true;
}

/** Credits a payment of the sandbox itself, which no verification names. False: it is not final. */
export const creditFunding = (deps: Deps, symbol: AssetSymbol, txHash: string, vaspId: string): boolean =>
  write(deps.db, tx => {
    const [deposit] = deposits.waitingOfTx(tx, symbol, txHash);
    if (!deposit) return false;
    const funded = { verificationUuid: null, vaspId };
    markCredited(deps, tx, deposit, funded, 'the sandbox paid it, so that the robot can pay you');
    wakeUnsigned(deps, tx, deposit);
    return true;
  });

/** The verdict says why the named transaction is not credited: so do its deposits that nobody else can get. */
export function markNotCredited(deps: Deps, tx: Tx, expectation: Expectation): void {
  const { symbol, txHash } = expectation;
  for (const deposit of deposits.waitingOfTx(tx, symbol, txHash!))
    if (deposit.status === 'UNATTRIBUTED' && isFor(deposit, expectation.vaspId))
      markUnattributed(deps, tx, deposit, `${expectation.verdict} for the verification that named it`);
}

/** The note of a deposit for this VASP: it names the VASP's own verification. */
export function noteFor(deps: Deps, { symbol, txHash, status, note }: Deposit, vaspId: string): string {
  if (status !== 'UNATTRIBUTED') return note;
  const named = expectations.ofTxHash(deps.db, symbol, txHash);
  const own = named.find(each => each.vaspId === vaspId && !mayChange(each));
  if (!own) return note;
  const { verdict, verificationUuid, verdictExpected, verdictGot } = own;
  return `unattributed: ${verdict} for ${verificationUuid}: expected ${verdictExpected}; got ${verdictGot}`;
}

/** The expectation expects this hash no more. A deposit without a candidate becomes unattributed. */
export function releaseDeposits(deps: Deps, tx: Tx, expectation: Expectation): void {
  for (const deposit of deposits.waitingOf(tx, expectation)) {
    const isAwaited = candidatesFor(deps, deposit).some(candidate => isAsked(deps, candidate));
    if (!isAwaited) markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
  }
}

/** The enclave may end a verification otherwise after the robot answered VERIFIED: late, or with another account. */
const isVerified = (deps: Deps, verificationUuid: string): boolean =>
  deps.enclave.get(verificationUuid, deps.vaspId).result === 'VERIFIED';

/** REF-4.5.3: candidates of the sender come first. Exchanges often pay from another address: then all count. */
export function candidatesFor(deps: Deps, deposit: Deposit): Expectation[] {
  const candidates = expectations
    .candidatesOf(deps.db, deposit)
    .filter(({ vaspId }) => isFor(deposit, vaspId))
    .filter(candidate => isAfterVerified(candidate, deposit.firstHeight))
    .filter(candidate => isVerified(deps, candidate.verificationUuid));
  const ofSender = candidates.filter(candidate => isSentBy(candidate, deposit));
  return ofSender.length > 0 ? ofSender : candidates;
}

const isSentBy = ({ originatorAccounts }: Expectation, deposit: Deposit): boolean =>
  originatorAccounts.includes(deposit.from);

/**
 * Exchanges pay out of contracts, and an escrow names recipient and tag as a payment does. Other transactions of the XRP
 * Ledger deliver money by the way: nobody is asked.
 */
const PAYMENTS: ReadonlySet<string | null> = new Set([null, 'contract', 'EscrowFinish']);
const isPayment = ({ via }: Deposit): boolean => PAYMENTS.has(via);

const isAsked = ({ clock }: Deps, { vaspId, inquireUntil }: Expectation): boolean =>
  clock.now(vaspId) < (inquireUntil ?? 0);

const isPaidBy = (expectation: Expectation, deposit: Deposit): boolean =>
  isFor(deposit, expectation.vaspId) &&
  isSamePayment(expectation, deposit) &&
  isAtVout(expectation, deposit.index) &&
  isAfterVerified(expectation, deposit.firstHeight);

function credit(deps: Deps, tx: Tx, deposit: Deposit, expectation: Expectation): void {
  const { verificationUuid, vaspId } = expectation;
  markCredited(deps, tx, deposit, expectation, causeOfHash(expectation));
  wakeUnsigned(deps, tx, deposit);
  const payment = paymentText(expectation);
  setVerdict(deps, tx, expectation, { verdict: 'CREDITED', expected: payment, got: payment });
  transition(tx, expectationStatus, expectation, 'credited', {
    at: deps.clock.now(vaspId),
    cause: `${deposit.txHash} has paid ${deposit.amount} ${deposit.symbol}`,
  });
  deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
  deps.timers.cancel(tx, 'robot.report.look-up', verificationUuid);
  deps.enclave.setCredited(verificationUuid, true, deps.vaspId);
}

/** REF-4.5.2, D-17: a report may come within ten minutes. Then the status of each candidate is queried. */
function awaitName(deps: Deps, tx: Tx, deposit: Deposit, candidates: Expectation[]): void {
  const fits = candidates.length === 1 ? '1 verification fits' : `${candidates.length} verifications fit`;
  markExpected(deps, tx, deposit, `waits for the originating VASP to name it: ${fits}`);
  for (const candidate of candidates) scheduleInquiry(deps, tx, candidate);
}

const causeOfHash = ({ txHashSource }: Expectation): string =>
  `the originating VASP named its hash in a ${txHashSource === 'report' ? 'transaction report' : 'status answer'}`;

function whyNoCandidate(deps: Deps, deposit: Deposit): string {
  const open = expectations.openAt(deps.db, deposit).filter(({ vaspId }) => isFor(deposit, vaspId));
  const equal = open.filter(({ amount }) => amount === deposit.amount);
  if (equal.length === 0)
    return open.length > 0
      ? 'no open verification of this address has this amount'
      : 'no verification is open for this address and tag';
  if (equal.every(expectation => !isAfterVerified(expectation, deposit.firstHeight)))
    return 'it was paid before the verification was VERIFIED';
  const unnamed = equal.find(({ txHash, lastInquiry }) => txHash === null && lastInquiry !== 'CANCELED');
  return unnamed
    ? `no report and no status answer has named it; the last answer was ${unnamed.lastInquiry ?? 'NO-ANSWER'}`
    : 'another transaction was named, or the transfer was cancelled';
}
