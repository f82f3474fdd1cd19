import { verificationOf } from '../outcomes.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { order, queriesIn, type SceneContext } from './context.ts';

export async function errorReport(log: StepLog, context: SceneContext): Promise<void> {
  const { api, symbol } = context;
  const wanted = { user: 'taylor-robbins', amount: '0.25' };
  const { uuid, amount } = await order(log, context, 'report-error', wanted);
  await log.step('we report that the user canceled: VERIFIED becomes ERROR / USER-CANCELED', async () => {
    await verificationOf(api, symbol, amount, row => row.result === 'ERROR');
    const { result, reason } = await api.verification(uuid);
    expectEqual('GET', [result, reason], ['ERROR', 'USER-CANCELED']);
    const { verifications } = await api.list({ result: 'ERROR', rpp: 100 });
    const isListed = verifications.some(each => each.verificationUuid === uuid);
    expectEqual('whether the list of result=ERROR holds it', isListed, true);
  });
  await log.step('two hours pass: the robot does not ask', async () => {
    const { fired } = await api.advance('2h');
    expectEqual('the queries', queriesIn(fired, uuid, new Date(0).toISOString()), []);
  });
}
