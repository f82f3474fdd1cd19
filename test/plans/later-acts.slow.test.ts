import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { ACCOUNT, REPORT, USER } from '../support/plans/mutant.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** A VASP whose act is refused or denied at first, and which does it right later, is sound. */

const robot = await forFile(planSandbox(PATIENT));

// biome-ignore lint/suspicious/noExplicitAny: requests of any shape
type Body = any;

/** Before each act at `path` the VASP makes it wrong, and waits. */
const firstWrong = (path: string, ms: number, change: (body: Body) => void, elsewhere = path): Boundary => ({
  asking: next => async request => {
    if (new URL(request.url).pathname !== path) return next(request);
    const { method, headers } = request;
    const body = await request.clone().json();
    change(body);
    await next(new Request(new URL(elsewhere, request.url), { method, headers, body: JSON.stringify(body) }));
    await delay(ms);
    return next(request);
  },
});
const without = (member: string) => (body: Body) => {
  delete body[member];
};
const right = () => {};

const FIRST: Record<string, (ms: number) => Boundary> = {
  'names another network': ms =>
    firstWrong(ACCOUNT, ms, body => {
      body.network = 'XRPL';
    }),
  'asks about another account': ms =>
    firstWrong(ACCOUNT, ms, body => {
      body.payload.ivms101.beneficiary.accountNumber = ['rD2ucwCoBbbdmroNWsJfzkJzH8LvRTzcTF:345678912'];
    }),
  'leaves the account number of the account verification out': ms =>
    firstWrong(ACCOUNT, ms, body => {
      delete body.payload.ivms101.beneficiary.accountNumber;
    }),
  'leaves a member of the user verification out': ms => firstWrong(USER, ms, without('assetInfo')),
  'calls an address that does not exist': ms => firstWrong(USER, ms, right, '/v1/verification'),
  'leaves the hash of its report out': ms => firstWrong(REPORT, ms, without('txHash')),
};
const NAMES = Object.keys(FIRST);
const KYT = '/v1/risk-assessment/providerA-kyt';

const SHORTEST_MS = 200;
const LONGEST_MS = 8_000;
/** More than the longest one. */
const WAIT = '12s';
const MODULES = ['W2.a', 'W2.e', 'W3.a', 'W3.n', 'W3.x', 'W4.1', 'W4.3'];

const PAUSES = fc.sample(fc.noBias(fc.integer({ min: SHORTEST_MS, max: LONGEST_MS })), NAMES.length);

test.concurrent.each(NAMES.map((name, index) => [name, PAUSES[index]!] as const))(
  'one that first %s, and does it right %i ms later, passes',
  async (name, ms) => {
    const settings = { modules: MODULES, symbols: ['XRP'], wait: WAIT };
    const report = await runPlan(robot, settings, { boundary: FIRST[name]!(ms) });
    expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
  },
  300_000,
);

test.each(['R2', 'R6'])('one whose first request for an assessment is refused passes %s', async module => {
  const boundary = firstWrong(KYT, SHORTEST_MS, body => {
    body.network = 1;
  });
  const report = await runPlan(robot, { modules: [module], symbols: ['ETH'], wait: WAIT }, { boundary });
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});

/** It asks no second time. */
const givesUp: Boundary = {
  asking: next => async request => {
    const answer = await next(request);
    return answer.status === 429 ? Response.json({}, { status: 400 }) : answer;
  },
};

test.each([
  ['cannot store its call', { status: 503, code: 'STORAGE-UNAVAILABLE' }],
  ['takes no more calls in this second', { status: 429, code: 'RATE-LIMITED' }],
])('one that gives up when the sandbox %s passes at the next start', async (_, answer) => {
  const vasp = await joinSandbox({ url: robot.url, boundary: givesUp });
  onTestFinished(() => vasp.stop());
  await robot.api.addFault({ target: 'answer.verify-user', mode: 'status', ...answer, times: 1 });
  const report = await runAgainst(robot.api, { modules: ['W4.1'], symbols: ['XRP'], wait: '3s' });
  expect([report.result, report.modules[0]!.starts]).toEqual(['PASSED', 2]);
});
