import { accountRequest } from '../../sandbox/scenarios/requests.ts';
import { expectEqual, type Story } from '../story.ts';
import { balanceAt, pay, type SceneSet, verify } from './set.ts';

export async function withReport(story: Story, set: SceneSet): Promise<void> {
  const { api, info, symbol } = set;
  const user = set.user('garrit-studio');
  const address = user.accounts[symbol];
  await story.step(
    `account verification of ${user.id}: VERIFIED`,
    async () => {
      const wish = { robotVaspId: info.robot.vaspId, user, symbol };
      const { accountVerificationResult } = await api.verifyAccount(accountRequest(wish));
      expectEqual('accountVerificationResult', accountVerificationResult, 'VERIFIED');
    },
    () => `at ${address}`,
  );
  const verification = await verify(story, set, user.id, '1.5');
  const { uuid, to, amount } = verification;
  const txHash = await pay(story, set, verification);
  await story.step('without the report the balance is still 0', async () => {
    await api.advance('0s');
    expectEqual('the balance', await balanceAt(set, to), '0');
  });
  await story.step('we report the transaction: accepted', async () => {
    expectEqual('the answer', await api.reportTransaction(uuid, txHash), { result: true });
  });
  await story.step(
    `the deposit is credited: the balance is ${amount}`,
    async () => {
      await api.advance('0s');
      expectEqual('the balance', await balanceAt(set, to), amount);
      const deposit = (await api.deposits()).deposits.find(each => each.txHash === txHash);
      expectEqual('the deposit', [deposit?.status, deposit?.verificationUuid], ['CREDITED', uuid]);
      return deposit?.note;
    },
    note => note,
  );
  await story.step('the verification names the transaction, in GET and in the list', async () => {
    const stored = await api.verification(uuid);
    expectEqual('GET', [stored.result, stored.txHash], ['VERIFIED', txHash]);
    expectEqual('the list', (await api.list({ txHash })).verifications, [stored]);
  });
  await story.step('another hash comes too late: 400 ALREADY-REPORTED', async () => {
    const body = { verificationUuid: uuid, txHash: 'another' };
    const answer = await api.call<{ code: string }>('POST', '/v1/verifications/tx', body);
    expectEqual('the answer', [answer.status, answer.body.code], [400, 'ALREADY-REPORTED']);
  });
}
