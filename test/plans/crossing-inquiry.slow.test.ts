import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { INQUIRY } from '../support/plans/mutant.ts';
import { PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { withResolvers } from '../support/with-resolvers.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));

/** Two status queries that are under way come 1.2 s after the error report. */
function asksWhileCanceled() {
  const { promise: canceled, resolve: isCanceled } = withResolvers<void>();
  const boundary: Boundary = {
    serving: next => async request => {
      const { callbackType } = (await request
        .clone()
        .json()
        .catch(() => ({}))) as { callbackType?: string };
      if (callbackType === 'ERROR_REPORT') isCanceled();
      return next(request);
    },
    asking: next => async request => {
      if (new URL(request.url).pathname !== INQUIRY) return next(request);
      await canceled;
      await delay(1_200);
      await next(request.clone());
      return next(request);
    },
  };
  return { boundary, waits: { inquiryMs: 1, inquiryIntervalMs: 60_000, retryMs: 20 } };
}

test('D5: two status queries that cross the error report are PASSED', async () => {
  const { modules } = await runPlan(robot, { modules: ['D5'], symbols: ['ETH'] }, asksWhileCanceled());
  const judged = modules[0]!.conditions.find(({ id }) => id === 'D5.no-inquiry');
  expect([judged!.result, judged!.got]).toEqual(['PASSED', '2 after the error report']);
});
