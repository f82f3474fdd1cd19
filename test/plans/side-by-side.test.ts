import { expect, test } from 'vitest';
import { failedConditions, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { withResolvers } from '../support/with-resolvers.ts';

const signal = () => {
  const { promise: given, resolve: give } = withResolvers<void>();
  return { give, given };
};

test('an answer about the other symbol is no answer to the own question, whichever comes first', async () => {
  await using robot = await planSandbox(PATIENT);
  const lastOfEth = signal();
  const afterOtherOfXrp = signal();
  const boundary = {
    serving: (next: (request: Request) => Promise<Response> | Response) => async (request: Request) => {
      if (!request.url.endsWith('/verify-account')) return next(request);
      const text = await request.clone().text();
      const { symbol } = JSON.parse(text) as { symbol: string };
      if (symbol === 'XRP') afterOtherOfXrp.give();
      if (symbol === 'ZZZT' && !text.includes('"0x')) await lastOfEth.given;
      if (symbol === 'ETH' && text.includes('Okafor')) {
        lastOfEth.give();
        await afterOtherOfXrp.given;
      }
      return next(request);
    },
  };
  const report = await runPlan(robot, { modules: ['D1.d', 'D1.e', 'D1.f'] }, { boundary });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});
