import { OWN_MONEY } from '../../chains/payments.ts';
import {
  type Chain,
  ChainUnreachable,
  type InnerTransaction,
  type Sender,
  type TransactionLookup,
  type TransactionState,
} from '../../chains/port.ts';
import { type AssetSymbol, nodeHash, toCoins } from '../../contract/assets.ts';
import { NOT_FOUND_AFTER_MS } from '../../contract/plan-list.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/verification.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import type { RobotDeps } from '../deps.ts';
import {
  endInquiries,
  findReplacedHeads,
  inquireAgain,
  lookUpAgain,
  nextLookUp,
  orderLookUp,
} from '../expectation/schedule.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { judgeReport, mayChange, type NamedTransfer, NOT_JUDGED, setVerdict } from '../report/judge-report.ts';
import * as submissions from '../submission-store.ts';
import { isOwnMoney } from '../transfer/send.ts';
import * as cursors from './cursor-store.ts';
import { addContradiction } from './findings.ts';
import { creditNamed, markNotCredited, recordTransfer, releaseDeposits } from './lifecycle.ts';
import * as readBlocks from './read-block-store.ts';
import type { Deposit } from './store.ts';
import * as deposits from './store.ts';

/** The deposits of the robot come from the reader. What went elsewhere, or nowhere, is looked up here. */

/** Timer `robot.report.look-up`: D-24, until the verdict cannot change any more. */
export async function lookUpReport(
  deps: RobotDeps,
  { verificationUuid }: { verificationUuid: string },
): Promise<Outcome> {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN' || expectation.txHash === null) return {};
  const { symbol, account, tag, amount, txHash } = expectation;
  const chain = await deps.chain(symbol);
  const before = cursors.find(deps.db, chain.symbol);
  const found = await lookUp(deps, expectation, txHash);
  const record = found && (await recorder(deps, symbol, txHash, found));
  const ask = <T>(work: () => Promise<T>) => whenReached(chain.onBehalfOf(expectation.vaspId, work));
  // The named transaction may stand in a block that was not read yet.
  const isNew = !deposits.ofTx(deps.db, { symbol, txHash }).some(deposit => deposit.account === account);
  const paid = isNew && found?.state.status === 'final' ? [{ account, tag, amount, height: found.state.height }] : [];
  const noteReplacedHead = found && (await ask(() => findReplacedHeads(deps, chain, paid)));
  const replacing = found && (await ask(() => replacementOf(chain, expectation, found)));
  if (!found || !noteReplacedHead) return { againAt: nextLookUp(deps, expectation) };
  return {
    apply(tx) {
      const cursor = cursors.find(tx, chain.symbol);
      // D-33: what a chain has said before it started over is not so on the new one.
      if (before && cursor?.genesis !== before.genesis) return;
      noteReplacedHead(tx);
      record?.(tx);
      const current = expectations.find(tx, verificationUuid);
      if (current?.status !== 'OPEN' || current.txHash !== txHash) return;
      const judged = applyLookUp(deps, tx, current, found, replacing);
      if (!judged || !mayChange(judged)) return;
      // A block that was read meanwhile may hold it.
      const isOld = found.state.status === 'pending' && cursor?.hash !== before?.hash;
      if (isOld) orderLookUp(deps, tx, judged);
      else lookUpAgain(deps, tx, judged);
    },
  };
}

/** Undefined: the chain cannot be reached now. */
async function lookUp(
  deps: RobotDeps,
  { symbol, account, vaspId }: Pick<Expectation, 'symbol' | 'account' | 'vaspId'>,
  txHash: string,
): Promise<TransactionLookup | undefined> {
  const chain = await deps.chain(symbol);
  const found = await whenReached(chain.onBehalfOf(vaspId, () => chain.lookup(txHash, account)));
  const isOwn = isOwnMoney(deps, chain);
  return (
    found && {
      ...found,
      transfers: found.transfers.map(transfer => (isOwn(transfer) ? { ...transfer, via: OWN_MONEY } : transfer)),
    }
  );
}

const whenReached = <T>(answer: Promise<T>): Promise<T | undefined> =>
  answer.catch(error => {
    if (error instanceof ChainUnreachable) return undefined;
    throw error;
  });

/** D-26: the reader does not see every payment out of a contract. The look-up has found it. */
async function recorder(
  deps: RobotDeps,
  symbol: AssetSymbol,
  txHash: string,
  { state, at, transfers }: TransactionLookup,
): Promise<(tx: Tx) => void> {
  const { accounts, ownerOf } = await deps.users.watched(symbol);
  const own = transfers.filter(({ to, via }) => accounts.has(to.account) && via !== OWN_MONEY);
  return tx => {
    if (!('height' in state) || cursors.isStopped(tx, symbol)) return;
    const { height, blockHash, status } = state;
    // The reader has read another block in the place of this one meanwhile, and would not look at it again.
    const isBehind = height <= (cursors.find(tx, symbol)?.height ?? -1);
    if (isBehind && !readBlocks.isRead(tx, symbol, { height, hash: blockHash })) return;
    const block = {
      txHash: nodeHash(symbol, txHash),
      height,
      blockHash,
      at: at ?? deps.clock.machineNow(),
      final: status === 'final',
    };
    for (const transfer of own) recordTransfer(deps, tx, symbol, { ...transfer, ...block }, ownerOf(transfer.to));
  };
}

/** Credits, or keeps the verdict. Returns the judged expectation; undefined: it is credited. */
function applyLookUp(
  deps: RobotDeps,
  tx: Tx,
  expectation: Expectation,
  { state, transfers, inner = [], escrowed, sender, missing }: TransactionLookup,
  replacing: Replacing | undefined,
): Expectation | undefined {
  if (creditNamed(deps, tx, expectation)) return undefined;
  const { txHash, namedAt, vaspId } = expectation;
  if (sender)
    expectations.patch(tx, expectation.verificationUuid, {
      senderAccount: sender.account,
      senderSequence: sender.sequence,
    });
  const height = 'height' in state ? state.height : 0;
  const finding = judgeReport(expectation, {
    txHash: txHash!,
    isOfAnother: isOfAnother(tx, expectation),
    state,
    waitsFor: sender && missing !== undefined ? { number: sender.sequence, missing } : undefined,
    transfers: namedTransfers(deps, expectation, { txHash: txHash!, transfers }, height),
    inner: inner.map(each => ({ txHash: each.txHash, transfers: namedTransfers(deps, expectation, each, height) })),
    escrowed: escrowed && {
      account: escrowed.to.account,
      tag: escrowed.to.tag ?? null,
      amount: toCoins(expectation.symbol, escrowed.amount),
    },
    replacement: replacing && {
      ...replacing,
      transfers: namedTransfers(deps, expectation, replacing, replacing.state.height),
    },
    isOverdue: deps.clock.now(vaspId) >= (namedAt ?? 0) + NOT_FOUND_AFTER_MS,
  });
  const judged = setVerdict(deps, tx, expectation, finding);
  if (!mayChange(judged)) markNotCredited(deps, tx, judged);
  return judged;
}

/** The deposit knows whose it is longer than the submission is kept. */
function isOfAnother(tx: Tx, { symbol, txHash, vaspId }: Expectation): boolean {
  const submitter = submissions.vaspOf(tx, symbol, txHash!);
  if (submitter !== undefined) return submitter !== vaspId;
  const known = deposits.ofTx(tx, { symbol, txHash: txHash! });
  return known.some(row => row.verificationUuid === null && !deposits.isFor(row, vaspId));
}

/** A deposit knows more than the chain: its first block, and the verification that has used it. */
function namedTransfers(
  deps: RobotDeps,
  { symbol, vaspId }: Expectation,
  { txHash, transfers }: InnerTransaction,
  height: number,
): NamedTransfer[] {
  const byKey = new Map<string, NamedTransfer>();
  const add = (transfer: NamedTransfer) => byKey.set(`${transfer.account} ${transfer.index}`, transfer);
  for (const { index, to, amount, via } of transfers) {
    const tag = to.tag ?? null;
    const usedBy = via === OWN_MONEY ? 'the robot, which got it for its amounts and fees' : null;
    add({ index, account: to.account, tag, amount: toCoins(symbol, amount), height, waits: false, usedBy });
  }
  for (const deposit of deposits.ofTx(deps.db, { symbol, txHash })) {
    const { index, account, tag, amount } = deposit;
    const height = deposits.countedHeight(deposit);
    const waits = deposit.status === 'CONFIRMED';
    add({ index, account, tag, amount, height, waits, usedBy: usedBy(deposit, vaspId) });
  }
  return [...byKey.values()].sort((one, other) => (one.index ?? 0) - (other.index ?? 0));
}

function usedBy(deposit: Deposit, vaspId: string): string | null {
  if (deposit.verificationUuid === null) return null;
  return deposit.vaspId === vaspId ? `verification ${deposit.verificationUuid}` : 'a verification of another VASP';
}

interface Replacing extends InnerTransaction {
  state: Extract<TransactionState, { blockHash: string }>;
}

/**
 * D-36: a node forgets a transaction whose number another one has used, so its sender is remembered from the time when a
 * node knew it. Undefined: the number is free, or nothing is known of the sender. Throws `ChainUnreachable`.
 */
async function replacementOf(
  chain: Chain,
  expectation: Expectation,
  { state, sender = senderOf(expectation) }: TransactionLookup,
): Promise<Replacing | undefined> {
  if (!sender || 'blockHash' in state) return undefined;
  const txHash = await chain.findTransactionByNonce(sender);
  if (txHash === undefined || txHash.toLowerCase() === expectation.txHash?.toLowerCase()) return undefined;
  const other = await chain.lookup(txHash, expectation.account);
  return 'blockHash' in other.state ? { txHash, state: other.state, transfers: other.transfers } : undefined;
}

const senderOf = ({ senderAccount, senderSequence }: Expectation): Sender | undefined =>
  senderAccount === null || senderSequence === null ? undefined : { account: senderAccount, sequence: senderSequence };

interface Naming {
  txHash: string;
  vout: string | null;
  txHashSource: 'report' | 'status';
}

/** D-18: the originating VASP has named its transaction. It is credited at once, or looked up. */
export function nameTransaction(deps: RobotDeps, tx: Tx, expectation: Expectation, naming: Naming): void {
  const patch = isSame(expectation, naming)
    ? naming
    : { ...naming, ...NOT_LOOKED_UP, namedAt: deps.clock.now(expectation.vaspId) };
  const named = { ...expectation, ...patch };
  expectations.patch(tx, expectation.verificationUuid, patch);
  if (!creditNamed(deps, tx, named)) orderLookUp(deps, tx, named);
  releaseDeposits(deps, tx, expectation);
}

const isSame = ({ txHash, vout }: Expectation, naming: Naming): boolean =>
  txHash === naming.txHash && vout === naming.vout;

/** What is known of the transaction that was named before. */
const NOT_LOOKED_UP = { creditLostAt: null, senderAccount: null, senderSequence: null, ...NOT_JUDGED };

/** D-18: with PENDING and CANCELED there is no transaction. */
const NAMES_TRANSACTION: ReadonlySet<string> = new Set(['PROCESSING', 'WAIT-CONFIRM', 'CONFIRMED']);

const LOOK_AGAIN_MS = 24 * 60 * 60_000;

/** Timer `robot.deposit.inquire`: one status query, repeated after each interval until the window ends. D-17 */
export async function inquire(
  deps: RobotDeps,
  { verificationUuid }: TimerPayloads['robot.deposit.inquire'],
): Promise<Outcome<TimerPayloads['robot.deposit.inquire']>> {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN') return {};
  const answer = await queryStatus(deps, verificationUuid);
  if (answer === 'not-verified') return {};
  if (answer === 'suspended')
    return {
      againAt: deps.clock.now(expectation.vaspId) + LOOK_AGAIN_MS,
      why: 'the VASP is suspended: the status query follows when it is active again',
      payload: { verificationUuid, isSuspended: true },
    };
  const found = answer && (await lookUpAnswered(deps, expectation, answer));
  return {
    apply(tx) {
      const current = applyAnswer(deps, tx, expectation, answer, found);
      if (current && !inquireAgain(deps, tx, current)) endInquiry(deps, tx, current);
    },
  };
}

/** REF-4.6: the same query at once. Throws the refusals of `Enclave.inquireTransaction`. */
export async function inquireNow(deps: RobotDeps, verificationUuid: string): Promise<TransactionStatusResult> {
  const expectation = expectations.find(deps.db, verificationUuid);
  const answer = await deps.enclave.inquireTransaction({ verificationUuid }, deps.vaspId);
  const found = expectation && (await lookUpAnswered(deps, expectation, answer));
  if (expectation) write(deps.db, tx => applyAnswer(deps, tx, expectation, answer, found));
  return answer;
}

/** D-16. Undefined: no valid answer, so it is repeated. `not-verified`: the enclave ended it otherwise. */
async function queryStatus(
  deps: RobotDeps,
  verificationUuid: string,
): Promise<TransactionStatusResult | 'suspended' | 'not-verified' | undefined> {
  try {
    return await deps.enclave.inquireTransaction({ verificationUuid }, deps.vaspId);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (error.kind === 'vasp-not-active') return 'suspended';
    return error.kind === 'no-answer' ? undefined : 'not-verified';
  }
}

/** The state on the chain of the hash in the answer, or of the hash that was named before. */
async function lookUpAnswered(
  deps: RobotDeps,
  expectation: Expectation,
  { txHash }: TransactionStatusResult,
): Promise<TransactionLookup | undefined> {
  const named = txHash || expectation.txHash;
  return named ? lookUp(deps, expectation, named) : undefined;
}

/** `asked`: as it was before the question. Returns the expectation while queries may follow. */
function applyAnswer(
  deps: RobotDeps,
  tx: Tx,
  asked: Expectation,
  answer: TransactionStatusResult | undefined,
  found: TransactionLookup | undefined,
): Expectation | undefined {
  const { verificationUuid } = asked;
  const expectation = expectations.find(tx, verificationUuid);
  if (!expectation) return undefined;
  // What has happened since the question is not in the answer.
  const isAsAsked = asked.status === expectation.status && asked.txHash === expectation.txHash;
  if (answer && found && isAsAsked) addContradiction(deps, tx, expectation, answer, found.state);
  if (expectation.status !== 'OPEN') return undefined;
  const patch = { lastInquiry: answer?.transactionStatus ?? ('NO-ANSWER' as const) };
  expectations.patch(tx, verificationUuid, patch);
  const current = { ...expectation, ...patch };
  const naming = answer && namingOf(current, answer);
  if (naming) nameTransaction(deps, tx, current, naming);
  if (isLast(answer, asked, current)) return void endInquiry(deps, tx, current);
  if (!naming) releaseDeposits(deps, tx, current);
  const after = expectations.find(tx, verificationUuid);
  return after?.status === 'OPEN' && after.txHashSource !== 'report' ? after : undefined;
}

/** CONFIRMED says nothing of a payment that was seen after the question. */
const isLast = (answer: TransactionStatusResult | undefined, asked: Expectation, current: Expectation): boolean =>
  answer?.transactionStatus === 'CANCELED' ||
  (answer?.transactionStatus === 'CONFIRMED' && asked.inquireUntil === current.inquireUntil);

/** D-17: nobody is asked any more. */
function endInquiry(deps: RobotDeps, tx: Tx, expectation: Expectation): void {
  const inquireUntil = deps.clock.now(expectation.vaspId);
  expectations.patch(tx, expectation.verificationUuid, { inquireUntil });
  endInquiries(deps, tx, expectation.verificationUuid);
  releaseDeposits(deps, tx, { ...expectation, inquireUntil });
}

/** A hash from a transaction report is never replaced by one from a status answer. */
const namingOf = (
  expectation: Expectation,
  { transactionStatus, txHash, vout }: TransactionStatusResult,
): Naming | undefined =>
  txHash && NAMES_TRANSACTION.has(transactionStatus) && expectation.txHashSource !== 'report'
    ? { txHash, vout: vout || null, txHashSource: 'status' }
    : undefined;
