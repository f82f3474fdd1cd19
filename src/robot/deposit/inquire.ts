import { Refusal } from '../../contract/refusals.ts';
import type { TransactionStatusResult } from '../../contract/transaction-status.ts';
import { type Tx, write } from '../../db/transaction.ts';
import type { Outcome } from '../../timers/registry.ts';
import type { RobotDeps } from '../deps.ts';
import type { Expectation } from '../expectation/store.ts';
import { attributeLast, attributeNamed, isVerified, releaseDeposits } from './attribute.ts';

const ENDS_INQUIRY: ReadonlySet<string> = new Set(['CONFIRMED', 'CANCELED']);

/** Timer `robot.deposit.inquire`: one status query, repeated after each interval until the window ends. D-17 */
export async function inquire(
  deps: RobotDeps,
  { verificationUuid }: { verificationUuid: string },
): Promise<Outcome> {
  const expectation = deps.expectations.find(verificationUuid);
  if (expectation?.status !== 'OPEN' || !isVerified(deps, verificationUuid)) return {};
  const answer = await queryStatus(deps, verificationUuid);
  const againAt = nextInquiryAt(deps, expectation);
  const isOver =
    ENDS_INQUIRY.has(answer?.transactionStatus ?? '') || againAt > (expectation.inquireUntil ?? againAt);
  return {
    apply: tx => {
      applyAnswer(deps, tx, verificationUuid, answer);
      if (isOver && !answer) attributeWithoutAnswer(deps, tx, verificationUuid);
    },
    ...(isOver ? {} : { againAt, why: 'the status query is repeated' }),
  };
}

/** Counted from the first query, so that slow answers do not push the last query out of the window. */
function nextInquiryAt({ clock, inquiry }: RobotDeps, { vaspId, inquireUntil }: Expectation): number {
  const now = clock.now(vaspId);
  const firstAt = (inquireUntil ?? now) - inquiry.windowMs;
  const queries = Math.floor((now - firstAt) / inquiry.intervalMs) + 1;
  return firstAt + queries * inquiry.intervalMs;
}

/** REF-4.6: the same query at once. Throws the refusals of `Enclave.inquireTransaction`. */
export async function inquireNow(
  deps: RobotDeps,
  verificationUuid: string,
): Promise<TransactionStatusResult> {
  const answer = await deps.enclave.inquireTransaction({ verificationUuid }, deps.vaspId);
  write(deps.db, tx => {
    applyAnswer(deps, tx, verificationUuid, answer);
    if (ENDS_INQUIRY.has(answer.transactionStatus))
      deps.timers.cancel(tx, 'robot.deposit.inquire', verificationUuid);
  });
  return answer;
}

/** D-16. Undefined: the VASP gave no valid answer. The query is repeated. */
async function queryStatus(
  deps: RobotDeps,
  verificationUuid: string,
): Promise<TransactionStatusResult | undefined> {
  try {
    return await deps.enclave.inquireTransaction({ verificationUuid }, deps.vaspId);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
}

function applyAnswer(
  deps: RobotDeps,
  tx: Tx,
  verificationUuid: string,
  answer: TransactionStatusResult | undefined,
): void {
  const expectation = deps.expectations.find(verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  const patch = {
    lastInquiry: answer?.transactionStatus ?? ('NO-ANSWER' as const),
    ...hashOf(expectation, answer),
  };
  deps.expectations.patch(tx, verificationUuid, patch);
  const current = { ...expectation, ...patch };
  attributeNamed(deps, tx, current);
  if (answer && answer.transactionStatus !== 'CANCELED') attributeLast(deps, tx, current);
  releaseDeposits(deps, tx, current);
}

/** A hash from a transaction report is never replaced by one from a status answer. */
const hashOf = (expectation: Expectation, answer: TransactionStatusResult | undefined) =>
  answer?.txHash && expectation.txHashSource !== 'report'
    ? { txHash: answer.txHash, txHashSource: 'status' as const }
    : {};

/** The window ended without an answer. One verification may fit the deposit all the same: REF-4.5.3. */
function attributeWithoutAnswer(deps: RobotDeps, tx: Tx, verificationUuid: string): void {
  const expectation = deps.expectations.find(verificationUuid);
  if (expectation) attributeLast(deps, tx, expectation);
}
