import { callbackOf } from '../outcomes.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { balanceAt, ourAddress, type SceneContext, withdraw } from './context.ts';
import { refused, robotVerifies, robotVerifiesAccount, statusOf } from './robot-pays.ts';

const USER = 'risk-low';
const WITHDRAWAL = '/vega/robot/v1.0/action/withdrawal';

/** REF-4.6: the robot pays back what it received, once, and reports it. */
export async function deposit(log: StepLog, context: SceneContext): Promise<void> {
  const { api } = context;
  await withdraw(log, context, { user: USER, amount: '1.2' });
  await log.step(
    'the robot verifies our account: we answer VERIFIED',
    async () => {
      const { accountVerificationResult } = await robotVerifiesAccount(context);
      expectEqual('accountVerificationResult', accountVerificationResult, 'VERIFIED');
    },
    () => `at ${ourAddress(context)}`,
  );
  const paid = await robotVerifies(log, context, USER, '0.9');
  const { uuid } = paid;
  await log.step('we request the withdrawal: PENDING, its amount is reserved', async () => {
    const { transactionStatus } = await api.letRobotWithdraw(uuid);
    expectEqual('transactionStatus', transactionStatus, 'PENDING');
    expectEqual('the balance', await balanceAt(context, paid.from), '0.3');
  });
  const txHash = await log.step(
    'the robot reports its transaction by callback',
    async () => (await callbackOf(api, uuid, 'TX_REPORT')).txHash,
    hash => `transaction ${hash}`,
  );
  await log.step('we ask for its status: CONFIRMED, with the same hash', async () => {
    const status = await statusOf(context, paid, 'CONFIRMED');
    expectEqual('txHash', status.txHash, txHash);
  });
  await log.step('we request it again, twice at once: still the same transfer', async () => {
    const same = { verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash };
    const answers = await Promise.all([api.letRobotWithdraw(uuid), api.letRobotWithdraw(uuid)]);
    expectEqual('both answers', answers, [same, same]);
    expectEqual('the balance', await balanceAt(context, paid.from), '0.3');
  });
  const { uuid: tooMuch } = await robotVerifies(log, context, USER, '0.31');
  const body = { verificationUuid: tooMuch };
  await refused(
    log,
    'a withdrawal of more than the robot received',
    WITHDRAWAL,
    body,
    context,
    'INSUFFICIENT-BALANCE',
  );
}

/** PROD-5: users whose transfers never arrive. */
export async function transfersThatFail(log: StepLog, context: SceneContext): Promise<void> {
  const { api } = context;
  await withdraw(log, context, { user: 'transfer-pending', amount: '0.21' });
  const pending = await robotVerifies(log, context, 'transfer-pending', '0.2');
  await log.step('one day after the request the withdrawal is still PENDING', async () => {
    await api.letRobotWithdraw(pending.uuid);
    await api.advance('24h');
    const { transactionStatus, txHash } = await api.inquireTransaction(pending.uuid);
    expectEqual('status and hash', [transactionStatus, txHash], ['PENDING', undefined]);
  });
  await withdraw(log, context, { user: 'transfer-canceled', amount: '0.22' });
  const canceled = await robotVerifies(log, context, 'transfer-canceled', '0.2');
  await log.step(
    'the transfer fails: CANCELED, an error report, and the amount is available again',
    async () => {
      const { transactionStatus } = await api.letRobotWithdraw(canceled.uuid);
      expectEqual('transactionStatus', transactionStatus, 'CANCELED');
      const report = await callbackOf(api, canceled.uuid, 'ERROR_REPORT');
      expectEqual('the result', (await api.verification(canceled.uuid)).result, 'ERROR');
      expectEqual('the balance', await balanceAt(context, canceled.from), '0.22');
      return report.message;
    },
    message => message,
  );
}

/** REF-4.6: the robot reports what it is ordered to report. */
export async function forcedReports(log: StepLog, context: SceneContext): Promise<void> {
  const { api } = context;
  const { uuid } = await robotVerifies(log, context, USER, '0.1');
  await log.step('the robot reports a hash that does not exist: TX_REPORT', async () => {
    await api.letRobotReport(uuid, 'nowhere');
    expectEqual('txHash', (await callbackOf(api, uuid, 'TX_REPORT')).txHash, 'nowhere');
  });
  await log.step(
    'the robot reports that the user canceled: ERROR_REPORT, result ERROR for both',
    async () => {
      await api.letRobotReportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
      const report = await callbackOf(api, uuid, 'ERROR_REPORT');
      expectEqual('the callback', [report.result, report.reason], ['ERROR', 'USER-CANCELED']);
      const { result, reason } = await api.verification(uuid);
      expectEqual('GET', [result, reason], ['ERROR', 'USER-CANCELED']);
    },
  );
  await refused(
    log,
    'a withdrawal after the error report',
    WITHDRAWAL,
    { verificationUuid: uuid },
    context,
    'NOT-VERIFIED',
  );
}
