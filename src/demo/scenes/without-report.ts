import { expectEqual, type StepLog } from '../step-log.ts';
import { balanceAt, pay, queriesIn, type SceneContext, verify } from './context.ts';

export async function withoutReport(log: StepLog, context: SceneContext): Promise<void> {
  const { api, vasp } = context;
  const verification = await verify(log, context, 'taylor-robbins', '0.75');
  const { uuid, to, amount } = verification;
  const txHash = await pay(log, context, verification);
  vasp.setStatus(uuid, 'CONFIRMED', txHash);
  await log.step('nine minutes pass: the robot waits, the balance is 0', async () => {
    const { fired } = await api.advance('9m');
    expectEqual('the queries', queriesIn(fired, uuid, await createdAt(context, uuid)), []);
    expectEqual('the balance', await balanceAt(context, to), '0');
  });
  await log.step(
    'one more minute passes: the robot asks, we answer CONFIRMED with the hash',
    async () => {
      const { fired, now } = await api.advance('61s');
      expectEqual('the queries after minutes', queriesIn(fired, uuid, await createdAt(context, uuid)), [10]);
      return now;
    },
    now => `the sandbox time is ${now}`,
  );
  await log.step(`the deposit is credited: the balance is ${amount}`, async () => {
    expectEqual('the balance', await balanceAt(context, to), amount);
    const { fired } = await api.advance('2h');
    expectEqual('later queries', queriesIn(fired, uuid, await createdAt(context, uuid)), []);
  });
}

const EVERY_FIVE_MINUTES_FOR_AN_HOUR = [10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60, 65, 70];

/** No deposit and no report: one hour of queries. */
export async function unanswered(log: StepLog, context: SceneContext): Promise<void> {
  const { uuid } = await verify(log, context, 'taylor-robbins', '0.5');
  context.vasp.setStatus(uuid, 'PROCESSING');
  await log.step(
    'three hours pass: the robot asks after 10 minutes, then every 5 minutes for an hour',
    async () => {
      const { fired } = await context.api.advance('3h');
      const minutes = queriesIn(fired, uuid, await createdAt(context, uuid));
      expectEqual('the queries after minutes', minutes, EVERY_FIVE_MINUTES_FOR_AN_HOUR);
      return minutes;
    },
    minutes => `${minutes.length} queries, after ${minutes.join(', ')} minutes; every answer: PROCESSING`,
  );
}

const createdAt = async ({ api }: SceneContext, uuid: string): Promise<string> =>
  (await api.verification(uuid)).createdAt;
