import type { IncomingTransfer } from '../../chains/port.ts';
import { type AssetSymbol, addressText, toBaseUnits, toCoins } from '../../contract/assets.ts';
import { isClosing } from '../../db/closing.ts';
import { attributeHistory, newestHistory } from '../../db/history.ts';
import type { Db } from '../../db/open.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { recordBegin, transition } from '../../db/transition.ts';
import type { EventOf } from '../../kernel/machine.ts';
import * as balances from '../balance/store.ts';
import type { RobotDeps } from '../deps.ts';
import { expectationStatus } from '../expectation/machine.ts';
import { endTimers, orderInquiry, orderLookUp } from '../expectation/schedule.ts';
import type { Expectation, Payment } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import * as reconciliation from '../reconciliation/store.ts';
import {
  isAfterVerified,
  isAtVout,
  isSamePayment,
  mayChange,
  paymentText,
  setVerdict,
} from '../report/judge-report.ts';
import * as submissions from '../submission-store.ts';
import { lookUp, wakeUnsigned } from '../transfer/lifecycle.ts';
import { addPaidAfterEnd } from './findings.ts';
import { depositMachine, depositStatus } from './machine.ts';
import * as deposits from './store.ts';
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
function payeeOf(db: Db, deposit: Deposit, candidates: () => readonly Expectation[]): Expectation | undefined {
  // A VASP keeps the place of its first claim.
  const newest = new Map(claimsOn(db, deposit).map(claim => [claim.vaspId, claim]));
  const [claim] = newest.values();
  if (!claim || claim.creditLostAt === null) return claim;
  const { vaspId, creditLostAt } = claim;
  const isLater = (other: Expectation) => other.vaspId === vaspId && other.createdAt >= creditLostAt;
  return candidates().some(isLater) ? undefined : claim;
}

/** In the order of their naming. */
const claimsOn = (db: Db, deposit: Deposit): Expectation[] =>
  expectations.ofTxHash(db, deposit).filter(expectation => isPaidBy(expectation, deposit));

const isPaidBy = (expectation: Expectation, deposit: Deposit): boolean =>
  isFor(deposit, expectation.vaspId) &&
  isSamePayment(expectation, deposit) &&
  isAtVout(expectation, deposit.index) &&
  isAfterVerified(expectation, countedHeight(deposit));

const verifiedFor = (deps: RobotDeps, payment: Payment): Expectation[] =>
  expectations.candidatesOf(deps.db, payment).filter(candidate => isVerified(deps, candidate));

/** REF-4.5.3: candidates of the sender come first. Exchanges often pay from another address: then all count. */
export function candidatesFor(
  deps: RobotDeps,
  deposit: Deposit,
  verified: readonly Expectation[] = verifiedFor(deps, deposit),
): Expectation[] {
  const candidates = verified
    .filter(({ vaspId }) => isFor(deposit, vaspId))
    .filter(candidate => isAfterVerified(candidate, countedHeight(deposit)));
  const ofSender = candidates.filter(({ originatorAccounts }) => originatorAccounts.includes(deposit.from));
  return ofSender.length > 0 ? ofSender : candidates;
}

/** Those whose window for status queries is open. */
const askedFor = (deps: RobotDeps, deposit: Deposit, verified?: readonly Expectation[]): Expectation[] =>
  candidatesFor(deps, deposit, verified).filter(
    ({ vaspId, inquireUntil }) => deps.clock.now(vaspId) < (inquireUntil ?? 0),
  );

/** The enclave may end a verification otherwise after the robot answered VERIFIED: late, or with another account. A reset deletes it. */
const isVerified = (deps: RobotDeps, { verificationUuid }: Expectation): boolean =>
  lookUp(deps, verificationUuid)?.result === 'VERIFIED';

/** Why no verification waits for this deposit, for people. */
function whyNoCandidate(deps: RobotDeps, deposit: Deposit): string {
  const open = expectations.openAt(deps.db, deposit).filter(({ vaspId }) => isFor(deposit, vaspId));
  const equal = open.filter(({ amount }) => amount === deposit.amount);
  if (!equal.some(each => isVerified(deps, each)))
    return open.length > 0
      ? 'no open verification of this address has this amount'
      : 'no verification is open for this address and tag';
  if (equal.every(expectation => !isAfterVerified(expectation, countedHeight(deposit))))
    return 'it was paid before the verification was VERIFIED';
  const isAsked = ({ txHash, lastInquiry }: Expectation) => txHash === null && lastInquiry !== 'CANCELED';
  const unnamed = equal.find(each => isAsked(each) && isVerified(deps, each));
  return unnamed
    ? `no report and no status answer has named it; the last answer was ${unnamed.lastInquiry ?? 'NO-ANSWER'}`
    : 'another transaction was named, or the transfer was cancelled';
}

/** Every change of a deposit's status, with its entry in the history. */

/** `owner`: the VASP that added the user who is paid. Only that VASP sees the deposit, or the one that has submitted it. */
function beginDeposit(
  tx: Tx,
  symbol: AssetSymbol,
  { txHash, index, via, from, to, amount, height, blockHash, at }: IncomingTransfer,
  owner: string | undefined,
): Deposit {
  const vaspId = owner ?? submissions.vaspOf(tx, symbol, txHash) ?? null;
  const deposit = deposits.insert(tx, {
    status: depositMachine.initial,
    symbol,
    txHash,
    index,
    via: via ?? null,
    // The accounts of the users of a forgotten VASP stay the robot's.
    from: vaspId !== null && isClosing(tx, vaspId) ? '' : from,
    account: to.account,
    tag: to.tag ?? null,
    amount: toCoins(symbol, amount),
    height,
    firstHeight: height,
    blockHash,
    note: 'not final yet',
    vaspId,
    at,
    afterHistory: newestHistory(tx),
  });
  const cause = `${deposit.amount} ${symbol} in ${txHash}`;
  recordBegin(tx, depositStatus, deposit, at, cause, chainDetail(deposit));
  return deposit;
}

/** `at`: default the time of the machine. */
const move = (
  deps: RobotDeps,
  tx: Tx,
  deposit: Deposit,
  event: EventOf<typeof depositMachine>,
  { at = deps.clock.machineNow(), ...change }: { cause: string; at?: number; patch?: Partial<Deposit> },
): Deposit => transition(tx, depositStatus, deposit, event, { at, ...change, detail: chainDetail(deposit) });

const markFinal = (deps: RobotDeps, tx: Tx, deposit: Deposit): Deposit =>
  move(deps, tx, deposit, 'final', { cause: `final in block ${deposit.blockHash}` });

/** With a credit, the credit is taken back: the deposit belongs to no verification until it stands in a block again. */
export function markReorganised(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const removed = `block ${deposit.blockHash} was removed by a reorganisation`;
  const note =
    deposit.status === 'CREDITED'
      ? `taken back: ${removed}. It was credited to ${deposit.verificationUuid === null ? 'nobody' : `verification ${deposit.verificationUuid}`}`
      : removed;
  const patch = { note, verificationUuid: null, creditedAt: null };
  balances.moveDeposit(tx, deposit, move(deps, tx, deposit, 'reorganised', { patch, cause: note }));
}

/** D-18: it pays this verification, for good. Without one the sandbox has paid it for the VASP. */
function markCredited(
  deps: RobotDeps,
  tx: Tx,
  deposit: Deposit,
  { verificationUuid, vaspId }: { verificationUuid: string | null; vaspId: string },
  cause: string,
): void {
  const at = deps.clock.now(vaspId);
  const patch = { verificationUuid, vaspId, note: `credited: ${cause}`, creditedAt: at };
  const moved = move(deps, tx, deposit, 'credited', { patch, at, cause });
  balances.moveDeposit(tx, deposit, moved);
  if (verificationUuid === null) return;
  const row = { machine: 'deposit', rowKey: String(deposit.id) } as const;
  attributeHistory(tx, row, verificationUuid, deposit.afterHistory);
}

function markUnattributed(deps: RobotDeps, tx: Tx, deposit: Deposit, why: string): void {
  const note = `unattributed: ${why}`;
  if (deposit.status === 'UNATTRIBUTED') return deposits.patch(tx, deposit.id, { note });
  const at = deposit.vaspId === null ? deps.clock.machineNow() : deps.clock.now(deposit.vaspId);
  move(deps, tx, deposit, 'nobody-expects-it', { patch: { note }, at, cause: note });
}

/** The transfer on the chain. */
const chainDetail = ({ symbol, txHash, from, account, tag, amount, height, blockHash }: Deposit) => ({
  symbol,
  txHash,
  from: addressText(from),
  to: addressText(account, tag),
  amount,
  height,
  blockHash,
});

/** Of a deposit that has just become final: credits it, or notes why it has to wait. */
function attribute(deps: RobotDeps, tx: Tx, deposit: Deposit): void {
  const payee = payeeOf(tx, deposit, () => candidatesFor(deps, deposit));
  if (payee) return credit(deps, tx, deposit, payee);
  const named = expectations.ofTxHash(tx, deposit);
  for (const expectation of named) orderLookUp(deps, tx, expectation);
  if (!PAYMENTS.has(deposit.via)) {
    // It is credited only when the originating VASP names its hash.
    const note = `unexplained: ${deposit.via} delivered it, which is no payment`;
    return void move(deps, tx, deposit, 'unexplained', { patch: { note }, cause: note });
  }
  const candidates = candidatesFor(deps, deposit);
  if (candidates.length > 0) return awaitName(deps, tx, deposit, candidates);
  markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
  if (named.length === 0) addPaidAfterEnd(deps, tx, deposit);
}

/** Credits the final deposits of a named transaction. True: one of them to this verification. */
export function creditNamed(deps: RobotDeps, tx: Tx, { verificationUuid, symbol, txHash, status }: Expectation) {
  if (txHash === null || status !== 'OPEN') return false;
  for (const deposit of deposits.waitingOfTx(tx, { symbol, txHash })) {
    const payee = payeeOf(tx, deposit, () => askedFor(deps, deposit));
    if (payee) credit(deps, tx, deposit, payee);
    if (payee?.verificationUuid === verificationUuid) return true;
  }
  return false;
}

/** Credits a payment of the sandbox itself, which no verification names. False: it is not final. */
export const creditFunding = (deps: RobotDeps, symbol: AssetSymbol, txHash: string, vaspId: string): boolean =>
  write(deps.db, tx => {
    const [deposit] = deposits.waitingOfTx(tx, { symbol, txHash });
    if (!deposit) return false;
    const funded = { verificationUuid: null, vaspId };
    markCredited(deps, tx, deposit, funded, 'the sandbox paid it, so that the robot can pay you');
    wakeUnsigned(deps, tx, deposit);
    return true;
  });

/** The verdict says why the named transaction is not credited: so do its deposits that nobody else can get. */
export function markNotCredited(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  const { symbol, txHash, vaspId, verdict } = expectation;
  for (const deposit of deposits.waitingOfTx(tx, { symbol, txHash: txHash! }))
    if (deposit.status === 'UNATTRIBUTED' && isFor(deposit, vaspId))
      markUnattributed(deps, tx, deposit, `${verdict} for the verification that named it`);
}

/** The note of a deposit for this VASP: it names the VASP's own verification. */
export function noteFor(deps: RobotDeps, deposit: Deposit, vaspId: string): string {
  const { status, note } = deposit;
  if (status !== 'UNATTRIBUTED') return note;
  const named = expectations.ofTxHash(deps.db, deposit);
  const own = named.find(each => each.vaspId === vaspId && !mayChange(each));
  if (!own) return note;
  const { verdict, verificationUuid, verdictExpected, verdictGot } = own;
  return `unattributed: ${verdict} for ${verificationUuid}: expected ${verdictExpected}; got ${verdictGot}`;
}

/** The expectation expects this payment no more: others may get it. Without any it becomes unattributed. */
export function releaseDeposits(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  const waiting = deposits.waitingOf(tx, expectation);
  const verified = waiting.length > 0 ? verifiedFor(deps, expectation) : [];
  for (const deposit of waiting) {
    const asked = askedFor(deps, deposit, verified);
    const payee = payeeOf(tx, deposit, () => asked);
    if (payee) credit(deps, tx, deposit, payee);
    else if (asked.length === 0) markUnattributed(deps, tx, deposit, whyNoCandidate(deps, deposit));
  }
}

/**
 * Exchanges pay out of contracts, and an escrow names recipient and tag as a payment does. Other transactions of the XRP
 * Ledger deliver money by the way: nobody is asked.
 */
const PAYMENTS: ReadonlySet<string | null> = new Set([null, 'contract', 'EscrowFinish']);

function credit(deps: RobotDeps, tx: Tx, deposit: Deposit, expectation: Expectation): void {
  const { verificationUuid, vaspId } = expectation;
  markCredited(deps, tx, deposit, expectation, causeOfHash(expectation));
  wakeUnsigned(deps, tx, deposit);
  const payment = paymentText(expectation);
  setVerdict(deps, tx, expectation, { verdict: 'CREDITED', expected: payment, got: payment });
  transition(tx, expectationStatus, expectation, 'credited', {
    at: deps.clock.now(vaspId),
    cause: `${deposit.txHash} has paid ${deposit.amount} ${deposit.symbol}`,
  });
  expectations.patch(tx, verificationUuid, { creditLostAt: null });
  endTimers(deps, tx, verificationUuid);
  deps.enclave.setCredited(verificationUuid, true, deps.vaspId);
  for (const other of claimsOn(tx, deposit)) orderLookUp(deps, tx, other);
}

/** REF-4.5.2, D-17: a report may come within ten minutes. Then the status of each candidate is queried. */
function awaitName(deps: RobotDeps, tx: Tx, deposit: Deposit, candidates: Expectation[]): void {
  const fits = candidates.length === 1 ? '1 verification fits' : `${candidates.length} verifications fit`;
  const note = `waits for the originating VASP to name it: ${fits}`;
  if (deposit.status === 'UNATTRIBUTED') move(deps, tx, deposit, 'is-expected', { patch: { note }, cause: note });
  else deposits.patch(tx, deposit.id, { note });
  for (const candidate of candidates) orderInquiry(deps, tx, candidate);
  const [vaspId, ...others] = new Set(candidates.map(each => each.vaspId));
  if (deposit.awaitedAt === null && vaspId !== undefined && others.length === 0)
    deposits.patch(tx, deposit.id, { awaitedAt: deps.clock.now(vaspId) });
}

const causeOfHash = ({ txHashSource }: Expectation): string =>
  `the originating VASP named its hash in a ${txHashSource === 'report' ? 'transaction report' : 'status answer'}`;

/** A transfer to the robot becomes a deposit. False: it was known, by chain, transaction, account and index. */
export function recordTransfer(
  deps: RobotDeps,
  tx: Tx,
  symbol: AssetSymbol,
  transfer: IncomingTransfer,
  owner: string | undefined,
): boolean {
  const deposit = deposits.find(tx, symbol, transfer) ?? samePayout(tx, symbol, transfer);
  if (deposit) {
    seenAgain(deps, tx, deposit, transfer);
    return false;
  }
  const begun = beginDeposit(tx, symbol, transfer, owner);
  wakeUnsigned(deps, tx, begun);
  if (transfer.via === CONTRACT) noteMovement(tx, symbol, transfer);
  if (transfer.final) attribute(deps, tx, markFinal(deps, tx, begun));
  return true;
}

/** `via` of a payout. */
const CONTRACT = 'contract';

type Block = Pick<IncomingTransfer, 'height' | 'blockHash' | 'final'>;

/** The deposit stands in this block: for the first time, still, or again after a reorganisation. */
export function seenAgain(deps: RobotDeps, tx: Tx, deposit: Deposit, { height, blockHash, final }: Block): void {
  if (deposit.blockHash !== blockHash) deposits.patch(tx, deposit.id, { height, blockHash });
  let current: Deposit = { ...deposit, height, blockHash };
  if (current.via === CONTRACT) noteMovement(tx, current.symbol, movementOf(current));
  if (current.status === 'REORGANISED' || current.status === 'TAKEN-BACK') {
    current = move(deps, tx, current, 'seen', { cause: `in block ${blockHash}` });
    wakeUnsigned(deps, tx, current);
  }
  if (current.status === 'SEEN' && final) attribute(deps, tx, markFinal(deps, tx, current));
}

/** The same payout, found once with its position and once only by the balance. */
function samePayout(
  tx: Tx,
  symbol: AssetSymbol,
  { txHash, index, to, amount, via }: IncomingTransfer,
): Deposit | undefined {
  if (via !== CONTRACT) return undefined;
  const others = deposits
    .ofTx(tx, { symbol, txHash })
    .filter(deposit => deposit.via === CONTRACT && deposit.account === to.account);
  if (index === null) return others[0];
  const text = toCoins(symbol, amount);
  const byBalance = others.find(deposit => deposit.index === null && deposit.amount === text);
  if (!byBalance) return undefined;
  reconciliation.removeMovement(tx, { symbol, txHash, account: to.account, index: null });
  deposits.patch(tx, byBalance.id, { index });
  return { ...byBalance, index };
}

type Payout = Pick<IncomingTransfer, 'txHash' | 'index' | 'to' | 'amount' | 'height'>;

const movementOf = ({ symbol, txHash, index, account, amount, height }: Deposit): Payout => ({
  txHash,
  index,
  to: { account },
  amount: toBaseUnits(symbol, amount),
  height,
});

/** From now on the payout explains a change of the balance. It takes the place of a surplus. */
function noteMovement(tx: Tx, symbol: AssetSymbol, payout: Payout): void {
  const { txHash, index, to, amount, height } = payout;
  const { account } = to;
  if (reconciliation.hasMovement(tx, { symbol, txHash, account, index })) return;
  reconciliation.saveMovement(tx, symbol, { txHash, account, height, amount }, index);
  const surplus = reconciliation.surplusAt(tx, symbol, account, height);
  if (!surplus) return;
  const left = toBaseUnits(symbol, surplus.amount) - amount;
  reconciliation.reduceSurplus(tx, surplus.id, left > 0n ? toCoins(symbol, left) : null);
}
