import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { fallen, PATIENT, planSandbox, runPlan } from '../support/plans/run-plan.ts';

/** A VASP that takes its time and does everything right. */

let robot: Robot;
beforeAll(async () => {
  robot = await planSandbox(PATIENT);
});
afterAll(() => robot?.close());

const LATE_MS = 2_500;

const actsLate: Boundary = {
  serving: next => async request => {
    const isOrder = request.method === 'POST' && new URL(request.url).pathname === '/driver';
    if (!isOrder) return next(request);
    const { action } = (await request.clone().json()) as { action: string };
    if (action === 'balance') return next(request);
    void delay(LATE_MS).then(() => next(request));
    return Response.json({}, { status: 202 });
  },
};

const asksLate: Boundary = {
  asking: next => async request => {
    if (request.url.endsWith('/tx/inquiry')) await delay(LATE_MS);
    return next(request);
  },
};

describe.concurrent('it passes', () => {
  test.each(['W3.i', 'W4.1', 'W4.2', 'W4.5', 'C7', 'R4'])('%s, acting late', async module => {
    const settings = { modules: [module], symbols: ['ETH'], wait: '20s' };
    const report = await runPlan(robot, settings, { boundary: actsLate });
    expect([report.result, fallen(report)]).toEqual(['PASSED', []]);
  });

  test('D4, asking late', async () => {
    const settings = { modules: ['D4'], symbols: ['ETH'], wait: '20s', inquiryWait: '20s' };
    const report = await runPlan(robot, settings, { boundary: asksLate });
    expect([report.result, fallen(report)]).toEqual(['PASSED', []]);
  });
});
