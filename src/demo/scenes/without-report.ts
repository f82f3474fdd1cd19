import { expectEqual, type Story } from '../story.ts';
import { balanceAt, pay, queriesIn, type SceneSet, verify } from './set.ts';

export async function withoutReport(story: Story, set: SceneSet): Promise<void> {
  const { api, vasp } = set;
  const verification = await verify(story, set, 'taylor-robbins', '0.75');
  const { uuid, to, amount } = verification;
  const txHash = await pay(story, set, verification);
  vasp.setStatus(uuid, 'CONFIRMED', txHash);
  await story.step('nine minutes pass: the robot waits, the balance is 0', async () => {
    const { fired } = await api.advance('9m');
    expectEqual('the queries', queriesIn(fired, uuid, await createdAt(set, uuid)), []);
    expectEqual('the balance', await balanceAt(set, to), '0');
  });
  await story.step(
    'one minute more: the robot asks, we answer CONFIRMED with the hash',
    async () => {
      const { fired, now } = await api.advance('61s');
      expectEqual('the queries after minutes', queriesIn(fired, uuid, await createdAt(set, uuid)), [10]);
      return now;
    },
    now => `the sandbox’s clock says ${now}`,
  );
  await story.step(`the deposit is credited: the balance is ${amount}`, async () => {
    expectEqual('the balance', await balanceAt(set, to), amount);
    const { fired } = await api.advance('2h');
    expectEqual('later queries', queriesIn(fired, uuid, await createdAt(set, uuid)), []);
  });
}

const EVERY_FIVE_MINUTES_FOR_AN_HOUR = [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70];

/** Neither deposit nor report: the whole hour of queries. */
export async function unanswered(story: Story, set: SceneSet): Promise<void> {
  const { uuid } = await verify(story, set, 'taylor-robbins', '0.5');
  set.vasp.setStatus(uuid, 'PROCESSING');
  await story.step(
    'three hours pass: asked after 10 minutes, every 5 minutes for an hour, then no more',
    async () => {
      const { fired } = await set.api.advance('3h');
      const asked = queriesIn(fired, uuid, await createdAt(set, uuid));
      expectEqual('the queries after minutes', asked, EVERY_FIVE_MINUTES_FOR_AN_HOUR);
      return asked;
    },
    asked => `asked ${asked.length} times, after ${asked.join(', ')} minutes; each time: PROCESSING`,
  );
}

const createdAt = async ({ api }: SceneSet, uuid: string): Promise<string> =>
  (await api.verification(uuid)).createdAt;
