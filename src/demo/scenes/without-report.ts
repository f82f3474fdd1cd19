import { found } from '../outcomes.ts';
import { expectEqual, type StepLog } from '../step-log.ts';
import { balanceAt, order, queriesIn, type SceneContext } from './context.ts';

export async function withoutReport(log: StepLog, context: SceneContext): Promise<void> {
  const { api, symbol } = context;
  const wanted = { user: 'taylor-robbins', amount: '0.75' };
  const { uuid, to, amount } = await order(log, context, 'send-without-report', wanted);
  await log.step(
    `we pay ${amount} ${symbol} and do not report it: the robot sees the payment`,
    async () => {
      const deposit = await found('the payment', async () => {
        const { deposits } = await api.deposits();
        return deposits.find(each => each.symbol === symbol && each.amount === amount);
      });
      return deposit.txHash;
    },
    txHash => `to ${to}\ntransaction ${txHash}`,
  );
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
  const wanted = { user: 'taylor-robbins', amount: '0.5' };
  const { uuid } = await order(log, context, 'verify-user', wanted);
  await log.step(
    'three hours pass: the robot asks after 10 minutes, then every 5 minutes for an hour',
    async () => {
      const { fired } = await context.api.advance('3h');
      const minutes = queriesIn(fired, uuid, await createdAt(context, uuid));
      expectEqual('the queries after minutes', minutes, EVERY_FIVE_MINUTES_FOR_AN_HOUR);
      return minutes;
    },
    minutes => `${minutes.length} queries, after ${minutes.join(', ')} minutes; every answer: PENDING`,
  );
}

const createdAt = async ({ api }: SceneContext, uuid: string): Promise<string> =>
  (await api.verification(uuid)).createdAt;
