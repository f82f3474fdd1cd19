import { expectEqual, type StepLog } from '../step-log.ts';
import { queriesIn, type SceneContext, verify } from './context.ts';

export async function errorReport(log: StepLog, context: SceneContext): Promise<void> {
  const { api } = context;
  const { uuid } = await verify(log, context, 'taylor-robbins', '0.25');
  await log.step('we report that the user canceled: accepted', async () => {
    const answer = await api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
    expectEqual('the answer', answer, { result: true });
  });
  await log.step('the result VERIFIED became ERROR / USER-CANCELED, in GET and in the list', async () => {
    const { result, reason, message } = await api.verification(uuid);
    expectEqual('GET', [result, reason, message], ['ERROR', 'USER-CANCELED', 'User canceled']);
    const { verifications } = await api.list({ result: 'ERROR', rpp: 100 });
    const isListed = verifications.some(each => each.verificationUuid === uuid);
    expectEqual('whether the list of result=ERROR holds it', isListed, true);
  });
  await log.step('two hours pass: the robot does not ask', async () => {
    const { fired } = await api.advance('2h');
    expectEqual('the queries', queriesIn(fired, uuid, new Date(0).toISOString()), []);
  });
}
