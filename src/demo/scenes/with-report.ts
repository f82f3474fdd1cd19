import { accountRequest } from '../../sandbox/scenarios/requests.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { balanceAt, pay, type SceneContext, verify } from './context.ts';

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
  const verification = await verify(log, context, user.id, '1.5');
  const { uuid, to, amount } = verification;
  const txHash = await pay(log, context, verification);
  await log.step('before the report the balance is still 0', async () => {
    await api.advance('0s');
    expectEqual('the balance', await balanceAt(context, to), '0');
  });
  await log.step('we report the transaction: accepted', async () => {
    expectEqual('the answer', await api.reportTransaction(uuid, txHash), { result: true });
  });
  await log.step(
    `the deposit is credited: the balance is ${amount}`,
    async () => {
      await api.advance('0s');
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
