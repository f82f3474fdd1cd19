import type { CallbackData } from '../../contract/callbacks.ts';
import { type Tx, write } from '../../db/transaction.ts';
import { transition } from '../../db/transition.ts';
import { addFinding } from '../../findings/store.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { addErrorAfterPayment } from '../deposit/findings.ts';
import { releaseDeposits } from '../deposit/lifecycle.ts';
import type { Deposit } from '../deposit/store.ts';
import * as deposits from '../deposit/store.ts';
import type { RobotDeps } from '../deps.ts';
import { isSamePayment } from '../report/judge-report.ts';
import { nameTransaction } from '../report/name.ts';
import { expectationStatus } from './machine.ts';
import { endInquiries, endTimers } from './schedule.ts';
import type { Expectation } from './store.ts';
import * as expectations from './store.ts';

/** REF-8, D-17: a report ends the status queries. A deposit with its hash is credited, now or when it is final. */
export function receiveTransactionReport(
  deps: RobotDeps,
  { verificationUuid, txHash, vout }: CallbackData<'TX_REPORT'>,
): void {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  write(deps.db, tx => {
    addLateReport(deps, tx, expectation, txHash);
    endInquiries(deps, tx, verificationUuid);
    nameTransaction(deps, tx, expectation, { txHash, vout: vout ?? null, txHashSource: 'report' });
  });
}

/** D-27: the robot had seen the payment, and waited for its report until the time of the first status query. */
function addLateReport(deps: RobotDeps, tx: Tx, expectation: Expectation, txHash: string): void {
  const { verificationUuid, vaspId, symbol, createdAt } = expectation;
  const at = deps.clock.now(vaspId);
  const isLate = (deposit: Deposit): boolean =>
    deposits.isFor(deposit, vaspId) &&
    isSamePayment(expectation, deposit) &&
    deposit.awaitedAt !== null &&
    at >= Math.max(deposit.awaitedAt, createdAt) + deps.inquiry.waitMs;
  if (!deposits.waitingOfTx(tx, symbol, txHash).some(isLate)) return;
  addFinding(tx, {
    verificationUuid,
    vaspId,
    code: 'REPORT-LATE',
    field: 'txHash',
    expected: `a report within ${formatDuration(deps.inquiry.waitMs)} of the payment`,
    got: 'a report after the first status query was due',
    at,
  });
}

/** REF-4.6.11: after an error report the robot stops its status queries. `head`: the newest block, if it is known. */
export function receiveErrorReport(
  deps: RobotDeps,
  { verificationUuid, reason }: CallbackData<'ERROR_REPORT'>,
  head: { height: number } | undefined,
): void {
  const expectation = expectations.find(deps.db, verificationUuid);
  if (expectation?.status !== 'OPEN') return;
  write(deps.db, tx => {
    endTimers(deps, tx, verificationUuid);
    const at = deps.clock.now(expectation.vaspId);
    const cause = `error report: ${reason}`;
    transition(tx, expectationStatus, expectation, 'error-reported', { at, cause });
    expectations.patch(tx, verificationUuid, { endedHeight: head?.height ?? null });
    const paid = deposits.waitingOf(tx, expectation).find(deposit => deposits.isFor(deposit, expectation.vaspId));
    releaseDeposits(deps, tx, expectation);
    if (paid && deposits.byId(tx, paid.id)?.status === 'UNATTRIBUTED')
      addErrorAfterPayment(deps, tx, expectation, paid);
  });
}
