import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Answers } from '../../src/client/client.ts';
import type { RunReport } from '../../src/contract/plans.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { all } from '../support/plans/break-a-rule.ts';
import { INQUIRY } from '../support/plans/mutant.ts';
import { PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** D14: payments without a report that the first status query does not settle. */

const robot = await forFile(planSandbox(PATIENT));

/** The first report of the robot comes when no status query waits any more. */
function getsOneReportLate(): Boundary {
  let isOrdered = false;
  return {
    asking: next => async request => {
      if (new URL(request.url).pathname === INQUIRY && !isOrdered) {
        isOrdered = true;
        const { headers } = request;
        const body = JSON.stringify({ target: 'callback.TX_REPORT', mode: 'delay', delay: '1h', times: 1 });
        await fetch(new URL('/sandbox/v1/faults', request.url), { method: 'PUT', headers, body });
      }
      return next(request);
    },
  };
}

/** It asks no more after PENDING. */
function believesPending(): Boundary {
  const pending = new Map<string, Response>();
  return {
    asking: next => async request => {
      if (new URL(request.url).pathname !== INQUIRY) return next(request);
      const { verificationUuid } = (await request.clone().json()) as { verificationUuid: string };
      const known = pending.get(verificationUuid);
      if (known) return known.clone();
      const answer = await next(request);
      if ((await answer.clone().text()).includes('"PENDING"')) pending.set(verificationUuid, answer.clone());
      return answer;
    },
  };
}

const D14 = { modules: ['D14'], symbols: ['ETH'], wait: '8s', inquiryWait: '8s' };
const inFlightOf = ({ conditions }: RunReport['modules'][number]) =>
  conditions.find(({ id }) => id === 'D14.in-flight')!.result;

test('D14 starts again when the report did not come while a status query waited', async () => {
  // All credits of both starts come within the wait, also on a busy machine.
  const patient = { ...D14, wait: '20s', inquiryWait: '20s' };
  const { modules } = await runPlan(robot, patient, { boundary: getsOneReportLate() });
  expect(modules.map(each => [each.result, inFlightOf(each)])).toEqual([['PASSED', 'PASSED']]);
  expect(modules[0]!.starts).toBeGreaterThan(1);
});

/** It notices that the time was moved as late as it may: when it has just answered a verification. */
function noticesLate(): Boundary {
  let answered = () => {};
  return {
    asking: next => async request => {
      if (new URL(request.url).pathname !== '/sandbox/v1/clock') return next(request);
      await Promise.race([new Promise<void>(resolve => (answered = resolve)), delay(1_500)]);
      return next(request);
    },
    serving: next => async request => {
      const answer = await next(request);
      if (new URL(request.url).pathname === '/verify-user') answered();
      return answer;
    },
  };
}

test('D14 waits long enough for a VASP that still lagged behind a move of the time when it began', async () => {
  const boundary = all(noticesLate(), getsOneReportLate());
  const { modules } = await runPlan(robot, D14, { boundary });
  expect(modules.map(each => [each.result, inFlightOf(each)])).toEqual([['PASSED', 'PASSED']]);
});

/** As one that looks at the sender: it asks about a verification when the robot has paid it. */
const asksWhenPaid: Boundary = {
  asking: next => async request => {
    const { pathname, origin } = new URL(request.url);
    if (pathname !== INQUIRY) return next(request);
    const { verificationUuid } = (await request.clone().json()) as { verificationUuid: string };
    const path = `${origin}/sandbox/v1/transfers?verificationUuid=${verificationUuid}`;
    const { transfers } = (await (await fetch(path, { headers: request.headers })).json()) as {
      transfers: { transactionStatus: string }[];
    };
    if (transfers[0]?.transactionStatus !== 'CONFIRMED') throw new Error('It is not paid yet.');
    return next(request);
  },
};

test('D14 judges no credit after PENDING of a VASP that asks only when the payment is there', async () => {
  const { modules } = await runPlan(robot, { ...D14, wait: '4s' }, { boundary: asksWhenPaid });
  const judged = modules[0]!.conditions.find(({ id }) => id === 'D14.after-pending');
  expect(judged).toMatchObject({ result: 'SKIPPED', got: expect.stringContaining('PENDING before') });
  expect(modules[0]!.result).toBe('PASSED');
});

test('D14 waits for no status query of a VASP that was told the hash while the payment was on its way', async () => {
  let told: string | undefined;
  const asksUntilSent: Boundary = {
    asking: next => async request => {
      const { origin, pathname } = new URL(request.url);
      if (pathname !== INQUIRY) return next(request);
      const { verificationUuid } = (await request.clone().json()) as { verificationUuid: string };
      const listed = await next(new Request(`${origin}/sandbox/v1/faults`, { headers: request.headers }));
      const { faults } = (await listed.json()) as Answers['faults'];
      if (!faults.some(each => each.mode === 'outdated' && each.verificationUuid === verificationUuid))
        return next(request);
      // The payment stays on its way.
      await robot.control('XRP', 'hold', { on: true });
      try {
        for (;;) {
          const answer = await next(request.clone());
          const { transactionStatus } = (await answer.clone().json()) as { transactionStatus?: string };
          told = transactionStatus;
          if (told !== 'PENDING') return answer;
          await delay(3);
        }
      } finally {
        await robot.control('XRP', 'hold', { on: false });
      }
    },
  };
  // Longer than the test.
  const settings = { modules: ['D14'], symbols: ['XRP'], wait: '20s', inquiryWait: '10m' };
  // Before the payment.
  const waits = { inquiryMs: 40, inquiryIntervalMs: 40, retryMs: 20 };
  const { modules } = await runPlan(robot, settings, { boundary: asksUntilSent, waits });
  expect([told, ...modules.map(({ result }) => result)]).toEqual(['PROCESSING', 'PASSED']);
});

test('D14 does not start again where the VASP has failed already', async () => {
  const boundary = all(believesPending(), getsOneReportLate());
  const { modules } = await runPlan(robot, D14, { boundary });
  expect(modules.map(each => [each.result, each.starts, inFlightOf(each)])).toEqual([['FAILED', undefined, 'SKIPPED']]);
}, 60_000);
