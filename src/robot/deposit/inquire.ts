import type { TransactionLookup } from '../../chains/port.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { Outcome, TimerPayloads } from '../../timers/registry.ts';
import type { CreditDeps, RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';
import * as expectations from '../expectation/store.ts';
import { lookUp } from '../report/look-up.ts';
import { type Naming, nameTransaction } from '../report/name.ts';
import { releaseDeposits } from './attribute.ts';
import { remarkContradiction } from './remarks.ts';

type Deps = CreditDeps & Pick<RobotDeps, 'chain' | 'db' | 'inquiry' | 'users'>;

const ENDS_INQUIRY: ReadonlySet<string> = new Set(['CONFIRMED', 'CANCELED']);
/** D-18: with PENDING and CANCELED there is no transaction. */
const NAMES_TRANSACTION: ReadonlySet<string> = new Set(['PROCESSING', 'WAIT-CONFIRM', 'CONFIRMED']);

const LOOK_AGAIN_MS = 24 * 60 * 60_000;

/** Timer `robot.deposit.inquire`: one status query, repeated after each interval until the window ends. D-17 */
export async function inquire(
  deps: Deps,
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
  const againAt = nextInquiryAt(deps, expectation);
  const isOver =
    ENDS_INQUIRY.has(answer?.transactionStatus ?? '') || againAt > (expectation.inquireUntil ?? againAt);
  return {
    apply: tx => applyAnswer(deps, tx, verificationUuid, answer, { found, isOver }),
    ...(isOver ? {} : { againAt, why: 'the status query is repeated', payload: { verificationUuid } }),
  };
}

/** Counted from the first query, so that slow answers do not push the last query out of the window. */
function nextInquiryAt({ clock, inquiry }: Deps, { vaspId, inquireUntil }: Expectation): number {
  const now = clock.now(vaspId);
  const firstAt = (inquireUntil ?? now) - inquiry.windowMs;
  const queries = Math.floor((now - firstAt) / inquiry.intervalMs) + 1;
  return firstAt + queries * inquiry.intervalMs;
}

/** REF-4.6: the same query at once. Throws the refusals of `Enclave.inquireTransaction`. */
export async function inquireNow(deps: Deps, verificationUuid: string): Promise<TransactionStatusResult> {
  const answer = await deps.enclave.inquireTransaction({ verificationUuid }, deps.vaspId);
  const expectation = expectations.find(deps.db, verificationUuid);
  const found = expectation && (await lookUpAnswered(deps, expectation, answer));
  const isOver = ENDS_INQUIRY.has(answer.transactionStatus);
  write(deps.db, tx => {
    applyAnswer(deps, tx, verificationUuid, answer, { found, isOver });
    if (isOver) deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
  });
  return answer;
}

/** D-16. Undefined: no valid answer, so it is repeated. `not-verified`: the enclave ended it otherwise. */
async function queryStatus(
  deps: Deps,
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
export function resumeInquiries(deps: Deps, tx: Tx, vaspId: string): void {
  const now = deps.clock.now(vaspId);
  for (const { verificationUuid } of expectations.openOf(tx, vaspId)) {
    const key = { kind: 'robot.deposit.inquire', key: verificationUuid } as const;
    const isDue = deps.timers.pendingOf([key]).some(({ dueAt }) => dueAt <= now);
    if (!isDue && !deps.timers.payloadOf(key.kind, key.key)?.isSuspended) continue;
    deps.timers.schedule(tx, key.kind, {
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
  deps: Deps,
  expectation: Expectation,
  { txHash }: TransactionStatusResult,
): Promise<TransactionLookup | undefined> {
  const named = txHash || expectation.txHash;
  return named ? lookUp(deps, expectation, named) : undefined;
}

function applyAnswer(
  deps: Deps,
  tx: Tx,
  verificationUuid: string,
  answer: TransactionStatusResult | undefined,
  { found, isOver }: { found: TransactionLookup | undefined; isOver: boolean },
): void {
  const expectation = expectations.find(tx, verificationUuid);
  if (!expectation) return;
  if (answer && found) remarkContradiction(deps, tx, expectation, answer, found.state);
  if (expectation.status !== 'OPEN') return;
  const patch = {
    lastInquiry: answer?.transactionStatus ?? ('NO-ANSWER' as const),
    ...(isOver ? { inquireUntil: deps.clock.now(expectation.vaspId) } : {}),
  };
  expectations.patch(tx, verificationUuid, patch);
  const current = { ...expectation, ...patch };
  const naming = answer && namingOf(current, answer);
  if (naming) nameTransaction(deps, tx, current, naming);
  else releaseDeposits(deps, tx, current);
}

/** A hash from a transaction report is never replaced by one from a status answer. */
const namingOf = (
  expectation: Expectation,
  { transactionStatus, txHash, vout }: TransactionStatusResult,
): Naming | undefined =>
  txHash && NAMES_TRANSACTION.has(transactionStatus) && expectation.txHashSource !== 'report'
    ? { txHash, vout: vout || null, txHashSource: 'status' }
    : undefined;
