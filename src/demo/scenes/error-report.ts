import { expectEqual, type Story } from '../story.ts';
import { queriesIn, type SceneSet, verify } from './set.ts';

export async function errorReport(story: Story, set: SceneSet): Promise<void> {
  const { api } = set;
  const { uuid } = await verify(story, set, 'taylor-robbins', '0.25');
  await story.step('we report that the user has cancelled: accepted', async () => {
    const answer = await api.reportError(uuid, 'ERROR', 'USER-CANCELED', 'User canceled');
    expectEqual('the answer', answer, { result: true });
  });
  await story.step('VERIFIED has become ERROR / USER-CANCELED, in GET and in the list', async () => {
    const { result, reason, message } = await api.verification(uuid);
    expectEqual('GET', [result, reason, message], ['ERROR', 'USER-CANCELED', 'User canceled']);
    const { verifications } = await api.list({ result: 'ERROR', rpp: 100 });
    const isListed = verifications.some(each => each.verificationUuid === uuid);
    expectEqual('whether the list of result=ERROR holds it', isListed, true);
  });
  await story.step('two hours pass: the robot asks nothing', async () => {
    const { fired } = await api.advance('2h');
    expectEqual('the queries', queriesIn(fired, uuid, new Date(0).toISOString()), []);
  });
}
