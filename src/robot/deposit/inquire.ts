import type { TransactionLookup } from '../../chains/port.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import type { RobotDeps } from '../deps.ts';
import { endInquiries, inquireAgain } from '../expectation/schedule.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { lookUp } from '../report/look-up.ts';
import { type Naming, nameTransaction } from '../report/name.ts';
import { addContradiction } from './findings.ts';
import { releaseDeposits } from './lifecycle.ts';

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

/**
 * The VASP is active again: status queries that waited for that follow now. One that is due may have found the VASP
 * suspended a moment ago, and its result would wait.
 */
export function resumeInquiries(deps: RobotDeps, tx: Tx, vaspId: string): void {
  const now = deps.clock.now(vaspId);
  for (const { verificationUuid } of expectations.openOf(tx, vaspId)) {
    const pending = deps.timers.find('robot.deposit.inquire', verificationUuid);
    if (!pending || (pending.dueAt > now && !pending.payload.isSuspended)) continue;
    deps.timers.schedule(tx, 'robot.deposit.inquire', {
      key: verificationUuid,
      owner: vaspId,
      dueAt: now,
      why: 'the VASP is active again',
      payload: { verificationUuid },
    });
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
  if (answer && found) addContradiction(deps, tx, expectation, answer, found.state);
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
