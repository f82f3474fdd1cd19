import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import type { CheckValues } from '../../src/cli/check/options.ts';
import { openSandbox } from '../../src/cli/check/run.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { type Boundary, type ReferenceVasp, startReferenceVasp } from '../../src/reference-vasp/vasp.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { answers } from '../support/plans/break-a-rule.ts';
import { INQUIRY, REPORT } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** A VASP that takes its time and does everything right. */

const robot = await forFile(planSandbox(PATIENT));

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

/** Each call to this address is under way for as long. */
const takesLong = (path: string, ms: number): Boundary => ({
  asking: next => async request => {
    if (new URL(request.url).pathname === path) await delay(ms);
    return next(request);
  },
});

describe.concurrent('it passes', () => {
  test.each(['W3.i', 'W4.1', 'W4.2', 'W4.5', 'C7', 'R4'])('%s, acting late', async module => {
    const settings = { modules: [module], symbols: ['ETH'], wait: '20s' };
    const report = await runPlan(robot, settings, { boundary: actsLate });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  });

  test('D4, asking late', async () => {
    const settings = { modules: ['D4'], symbols: ['ETH'], wait: '20s', inquiryWait: '20s' };
    const report = await runPlan(robot, settings, { boundary: takesLong(INQUIRY, LATE_MS) });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  });

  test('REF-3: W4.2, saying for a while that nothing is sent', async () => {
    let queries = 0;
    const boundary = answers('/transaction-status', body => {
      queries++;
      return queries > 2 ? body : { ...body, transactionStatus: 'PENDING', txHash: '' };
    });
    const report = await runPlan(robot, { modules: ['W4.2'], symbols: ['ETH'], wait: '20s' }, { boundary });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  });

  test('WIRE-2.7: W4.5, taking nearly half of the wait for each of its three reports', async () => {
    const settings = { modules: ['W4.5'], symbols: ['ETH'], wait: '4s' };
    const report = await runPlan(robot, settings, { boundary: takesLong(REPORT, 1_800) });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  });

  /** As on a busy machine, where the robot pays late. */
  test.each([
    ['D4', '2s'],
    ['D6', '2s'],
    ['D14', '8s'],
  ])('REF-4.5.4: %s, asking first before the payment', async (module, wait) => {
    const settings = { modules: [module], symbols: ['ETH'], wait, inquiryWait: '20s' };
    const waits = { inquiryMs: 0, inquiryIntervalMs: 0, retryMs: 20 };
    const report = await runPlan(robot, settings, { waits });
    const conditions = report.modules.flatMap(each => each.conditions);
    const unlike = conditions
      .filter(({ result }) => result !== 'PASSED')
      .map(({ id, result, got }) => [id, result, got]);
    expect(unlike).toEqual([]);
  });
});

/** The library lets a payment live for 20 ledgers. */
const sendsLate: Boundary = {
  paying: ledger => ({
    ...ledger,
    async send(signed) {
      await delay(LATE_MS);
      await ledger.send(signed);
    },
  }),
};

test('a VASP that sends a payment some seconds after it has signed it, in the sandbox of `check`', async () => {
  const sandbox = await openSandbox({ port: '0' } as CheckValues);
  const vasp = await joinSandbox({ url: sandbox.api.url, boundary: sendsLate });
  const report = await runAgainst(sandbox.api, { modules: ['W4.1'], symbols: ['XRP'], wait: '20s' });
  await vasp.stop();
  await sandbox.close();
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});

test('a VASP that listens after the run has begun', async () => {
  const databasePath = scratchDatabase()('vasp.sqlite');
  const start = (port: number) => startReferenceVasp({ url: robot.url, databasePath, port });
  let vasp: ReferenceVasp = await start(0);
  await vasp.funded;
  await vasp.stop();
  await robot.api.registerVasp(robot.info.vasp.vaspId, {
    name: 'A VASP',
    endpoints: vasp.endpoints,
    authorization: { header: 'Authorization', token: vasp.token },
  });
  const running = runAgainst(robot.api, { modules: ['D1.a', 'W2.a'], symbols: ['ETH'], wait: '60s' });
  await delay(LATE_MS);
  vasp = await start(Number(new URL(vasp.url).port));
  const report = await running;
  await vasp.stop();
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});
