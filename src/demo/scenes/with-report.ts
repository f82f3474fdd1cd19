import { accountRequest } from '../../sandbox/scenarios/requests.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { balanceAt, type SceneContext, withdraw } from './context.ts';

export async function withReport(log: StepLog, context: SceneContext): Promise<void> {
  const { api, info, symbol } = context;
  const user = context.user('garrit-studio');
  const address = user.accounts[symbol];
  await log.step(
    `account verification of ${user.id}: VERIFIED`,
    async () => {
      const input = { robotVaspId: info.robot.vaspId, user, symbol };
      const { accountVerificationResult } = await api.verifyAccount(accountRequest(input));
      expectEqual('accountVerificationResult', accountVerificationResult, 'VERIFIED');
    },
    () => `at ${address}`,
  );
  const { uuid, to, amount, txHash } = await withdraw(log, context, { user: user.id, amount: '1.5' });
  await log.step(
    `the balance is ${amount}, and the deposit belongs to this verification`,
    async () => {
      expectEqual('the balance', await balanceAt(context, to), amount);
      const deposit = (await api.deposits()).deposits.find(each => each.txHash === txHash);
      expectEqual('the deposit', [deposit?.status, deposit?.verificationUuid], ['CREDITED', uuid]);
      return deposit?.note;
    },
    note => note,
  );
  await log.step('the verification holds the transaction hash, in GET and in the list', async () => {
    const stored = await api.verification(uuid);
    expectEqual('GET', [stored.result, stored.txHash], ['VERIFIED', txHash]);
    expectEqual('the list', (await api.list({ txHash })).verifications, [stored]);
  });
  await log.step('we report another hash: 400 ALREADY-REPORTED', async () => {
    const body = { verificationUuid: uuid, txHash: 'another' };
    const answer = await api.call<{ code: string }>('POST', '/v1/verifications/tx', body);
    expectEqual('the answer', [answer.status, answer.body.code], [400, 'ALREADY-REPORTED']);
  });
}
