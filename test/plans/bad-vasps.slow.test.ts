import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { answers } from '../support/plans/break-a-rule.ts';
import { planSandbox, runAgainst, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** A quarter of the usual time limits, for the VASP that hangs. */
const robot = await forFile(planSandbox());
const strict = await forFile(
  planSandbox({
    VASP_TIMEOUT_USER: '1250ms',
    VASP_TIMEOUT_ACCOUNT: '250ms',
    VASP_TIMEOUT_TRANSACTION: '250ms',
    VASP_TIMEOUT_CALLBACK: '250ms',
  }),
);

const SETTINGS = { modules: ['W2.a', 'W4.1', 'D1.a', 'C1', 'S2'], symbols: ['ETH'], wait: '1s', inquiryWait: '1s' };
const isDescription = (request: Request) => request.method === 'GET';

const BAD: Record<string, Boundary> = {
  hangs: {
    serving: next => async request => {
      if (!isDescription(request)) await delay(500);
      return next(request);
    },
  },
  'answers nonsense': {
    serving: next => async request =>
      isDescription(request) ? next(request) : new Response('<html>It works!</html>', { status: 200 }),
  },
  'breaks in the middle': {
    serving: next => async request => {
      if (isDescription(request)) return next(request);
      throw new Error('broken');
    },
  },
};

const toEnclave = (path: string, verificationUuid: string, request: Request) =>
  new Request(new URL(path, request.url), {
    method: 'POST',
    headers: request.headers,
    body: JSON.stringify({ verificationUuid }),
  });

/** Conduct of an originator that is odd. Not every condition fails by it. */
const ODD: Record<string, Boundary> = {
  'calls everything twice': {
    asking: next => async request => {
      await next(request.clone());
      return next(request);
    },
  },
  'asks about verifications of others': {
    asking: next => async request => {
      if (request.method === 'POST')
        for (const path of ['/v1/verifications/tx/inquiry', '/v1/risk-assessment/providerA-kyt'])
          await next(toEnclave(path, '4e4c6a9e-8c0b-4d3f-9f0e-6a9b8b1c2d3e', request));
      return next(request);
    },
  },
};

test.each(Object.entries(ODD))('a VASP that %s gets a verdict', async (_, boundary) => {
  const report = await runPlan(robot, SETTINGS, { boundary });
  expect(report.counts.passed).toBeGreaterThan(0);
  expect(report.modules.map(({ status }) => status)).not.toContain('INTERRUPTED');
});

test.each(Object.entries(BAD))('a VASP that %s fails, without an exception', async (name, boundary) => {
  const report = await runPlan(name === 'hangs' ? strict : robot, SETTINGS, { boundary });
  expect(report.result).toBe('FAILED');
  expect(report.modules.map(({ status }) => status)).not.toContain('INTERRUPTED');
});

const BALANCES: [unknown, string][] = [
  [100.5, 'the value 100.5: it is no text'],
  ['1e2', 'the value "1e2": it is no decimal text'],
  [`0.${'0'.repeat(18)}1`, 'the value "0.0000000000000000001": it has more decimals'],
  ['100.', 'the value "100.": it is no decimal text'],
  [undefined, 'no `value`'],
];

test.each(BALANCES)('a driver that answers a balance of %s fails, and is named', async (value, got) => {
  const boundary = answers('/driver', body => ('value' in body ? { value } : body));
  const modules = ['D3', 'D5', 'D7.a', 'C2'];
  const report = await runPlan(robot, { ...SETTINGS, modules }, { boundary });
  const expected = expect.stringMatching(/decimal text with at most 18 decimals/);
  const conditions = report.modules
    .filter(({ id }) => modules.includes(id))
    .map(each => each.conditions.find(({ result }) => result !== 'SKIPPED'));
  expect(conditions).toMatchObject([
    { id: 'D3.credited', result: 'FAILED', expected, got },
    { id: 'D5.not-credited', result: 'FAILED', expected, got },
    { id: 'D7.a.not-credited', result: 'FAILED', expected, got },
    { id: 'C2.once', result: 'FAILED', expected, got },
  ]);
});

test('a driver that fails when it is asked for a balance fails, and is named', async () => {
  const boundary: Boundary = {
    serving: next => async request => {
      const isAsked =
        new URL(request.url).pathname === '/driver' && (await request.clone().text()).includes('"balance"');
      return isAsked ? new Response('', { status: 500 }) : next(request);
    },
  };
  const report = await runPlan(robot, { ...SETTINGS, modules: ['D3'] }, { boundary });
  expect(report.modules[0]!.conditions.find(({ result }) => result === 'FAILED')).toMatchObject({
    id: 'D3.credited',
    got: 'the driver endpoint answered 500',
  });
});

test('without any VASP the run ends with a verdict', async () => {
  const report = await runAgainst(robot.api, SETTINGS);
  expect(report.endedAt).not.toBeNull();
  expect(report.counts.passed).toBe(0);
});
