import { robotAccountRequest } from '../../sandbox/scenarios/requests.ts';
import { expectEqual, type Story } from '../story.ts';
import { ourAddress, refused, robotReceives, robotVerifies, statusOf } from './robot-pays.ts';
import { balanceAt, type SceneSet } from './set.ts';

const USER = 'risk-low';
const WITHDRAWAL = '/vega/robot/v1.0/action/withdrawal';

/** REF-4.6: what the robot has received it pays back, once, and tells. */
export async function deposit(story: Story, set: SceneSet): Promise<void> {
  const { api, vasp, info, symbol } = set;
  await robotReceives(story, set, USER, '1.2');
  await story.step(
    'the robot verifies our account: we answer VERIFIED',
    async () => {
      const wish = { vaspId: info.vasp.vaspId, symbol, to: ourAddress(set) };
      const { accountVerificationResult } = await api.letRobotVerifyAccount(robotAccountRequest(wish));
      expectEqual('accountVerificationResult', accountVerificationResult, 'VERIFIED');
    },
    () => `at ${ourAddress(set)}`,
  );
  const paid = await robotVerifies(story, set, USER, '0.9');
  const { uuid } = paid;
  await story.step('the withdrawal is asked for: PENDING, its amount reserved', async () => {
    const { transactionStatus } = await api.letRobotWithdraw(uuid);
    expectEqual('transactionStatus', transactionStatus, 'PENDING');
    expectEqual('the balance', await balanceAt(set, paid.from), '0.3');
  });
  const txHash = await story.step(
    'its transaction is reported by callback',
    async () => (await vasp.callbackOf(uuid, 'TX_REPORT')).txHash,
    told => `transaction ${told}`,
  );
  await story.step('we ask for its status: CONFIRMED, with the same hash', async () => {
    const status = await statusOf(set, paid, 'CONFIRMED');
    expectEqual('txHash', status.txHash, txHash);
  });
  await story.step('the withdrawal again, twice at once: the same transfer, no other', async () => {
    const same = { verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash };
    const answers = await Promise.all([api.letRobotWithdraw(uuid), api.letRobotWithdraw(uuid)]);
    expectEqual('both answers', answers, [same, same]);
    expectEqual('the balance', await balanceAt(set, paid.from), '0.3');
  });
  const { uuid: tooMuch } = await robotVerifies(story, set, USER, '0.31');
  const body = { verificationUuid: tooMuch };
  await refused(story, 'more than it has received', WITHDRAWAL, body, set, 'INSUFFICIENT-BALANCE');
}

/** PROD-5: users whose transfers do not come. */
export async function transfersThatFail(story: Story, set: SceneSet): Promise<void> {
  const { api, vasp } = set;
  await robotReceives(story, set, 'transfer-pending', '0.2');
  const pending = await robotVerifies(story, set, 'transfer-pending', '0.2');
  await story.step('a day after the withdrawal was asked for it is still PENDING', async () => {
    await api.letRobotWithdraw(pending.uuid);
    await api.advance('24h');
    const { transactionStatus, txHash } = await api.inquireTransaction(pending.uuid);
    expectEqual('status and hash', [transactionStatus, txHash], ['PENDING', undefined]);
  });
  await robotReceives(story, set, 'transfer-canceled', '0.2');
  const canceled = await robotVerifies(story, set, 'transfer-canceled', '0.2');
  await story.step(
    'the transfer fails: CANCELED, an error report, and the balance is free again',
    async () => {
      const { transactionStatus } = await api.letRobotWithdraw(canceled.uuid);
      expectEqual('transactionStatus', transactionStatus, 'CANCELED');
      const report = await vasp.callbackOf(canceled.uuid, 'ERROR_REPORT');
      expectEqual('the result', (await api.verification(canceled.uuid)).result, 'ERROR');
      expectEqual('the balance', await balanceAt(set, canceled.from), '0.2');
      return report.message;
    },
    message => message,
  );
}

/** REF-4.6: the robot says what it is told to say. */
export async function forcedReports(story: Story, set: SceneSet): Promise<void> {
  const { api, vasp } = set;
  const { uuid } = await robotVerifies(story, set, USER, '0.1');
  await story.step('it reports a hash that exists nowhere: TX_REPORT', async () => {
    await api.letRobotReport(uuid, 'nowhere');
    expectEqual('txHash', (await vasp.callbackOf(uuid, 'TX_REPORT')).txHash, 'nowhere');
  });
  await story.step('it reports that the user has cancelled: ERROR_REPORT, ERROR on both sides', async () => {
    await api.letRobotReportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
    const told = await vasp.callbackOf(uuid, 'ERROR_REPORT');
    expectEqual('the callback', [told.result, told.reason], ['ERROR', 'USER-CANCELED']);
    const { result, reason } = await api.verification(uuid);
    expectEqual('GET', [result, reason], ['ERROR', 'USER-CANCELED']);
  });
  await refused(
    story,
    'no withdrawal after that',
    WITHDRAWAL,
    { verificationUuid: uuid },
    set,
    'NOT-VERIFIED',
  );
}
