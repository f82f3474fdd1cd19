import { describe, expect, test } from 'vitest';
import type { RunReport } from '../../src/contract/plans.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { all, answers, asks, balance, pays, status } from '../support/plans/break-a-rule.ts';
import { CUSTOMERS } from '../support/plans/customer.ts';
import { ACCOUNT, asksEdited, ERROR, isType, REPORT } from '../support/plans/mutant.ts';
import { PATIENT, planSandbox, registerVasp, runAgainst, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** What a condition that fails says has happened. */

const robot = await forFile(planSandbox(PATIENT));

const conditionOf = ({ modules }: RunReport, id: string) =>
  modules.flatMap(({ conditions }) => conditions).find(each => each.id === id);

const sameBalance = answers('/driver', body => ('value' in body ? { value: '1' } : body));
const oneUnitLess = pays((to, units) => [to, units - 1n]);
const otherPosition = asksEdited(REPORT, body => {
  body.vout = '7';
});
const noResult = answers('/verify-account', () => ({ code: 'NO-CUSTOMER', message: 'No such customer.' }));

const noStatus = all(
  status('/transaction-status', 500),
  asks(ERROR, () => undefined),
);
const refusedAccount: Boundary = {
  asking: next => async request => {
    if (new URL(request.url).pathname !== ACCOUNT) return next(request);
    const { keyType: _, ...body } = (await request.clone().json()) as Record<string, unknown>;
    await next(resent(request, ACCOUNT, JSON.stringify(body)));
    return Response.json({ accountVerificationResult: 'VERIFIED', verifiedAt: '2026-03-03T12:45:34.085Z' });
  },
};

const CASES: readonly [string, Boundary, Record<string, { result: string; got: unknown }>][] = [
  [
    'credits nothing',
    sameBalance,
    {
      'D7.a.next-credited': { result: 'FAILED', got: '+0 ETH' },
      'D7.b.not-credited': { result: 'SKIPPED', got: null },
      'D7.b.next-credited': { result: 'FAILED', got: '+0 ETH' },
      'D7.d.next-credited': { result: 'FAILED', got: '+0 ETH' },
    },
  ],
  [
    'pays one unit too little',
    oneUnitLess,
    {
      'W4.2.paid': {
        result: 'NOT-RECEIVED',
        got: expect.stringMatching(/^no such payment, but 0\.\d+ ETH to .* within 6 s$/),
      },
      'W4.7.paid': { result: 'FAILED', got: expect.stringMatching(/^no such payment, but 0\.\d+ ETH to /) },
    },
  ],
  [
    'reports another position',
    otherPosition,
    { 'W4.1.credited': { result: 'FAILED', got: expect.stringMatching(/^not credited; WRONG-VOUT: .* \(vout 0\)$/) } },
  ],
  [
    'answers 200 without a result',
    noResult,
    { 'D1.g.stranger': { result: 'FAILED', got: '200 NO-CUSTOMER without a result' } },
  ],
  [
    'tells no status of its payments',
    noStatus,
    {
      'W4.9.status': { result: 'PASSED', got: 'no hash' },
      'W4.11.told': { result: 'FAILED', got: 'neither within 6 s, and the status 500' },
      'W4.11.status': { result: 'SKIPPED', got: 'The status query was not answered with 200: see W4.2.' },
    },
  ],
  [
    'goes on after a refused account verification',
    refusedAccount,
    {
      'W4.1.account-first': {
        result: 'FAILED',
        got: expect.stringMatching(/^there was none\. 1 call was refused, the last one verify-account, answered 400 /),
      },
    },
  ],
];

/** Its report leaves with another path or another body. */
const misreports = (change: (request: Request) => Promise<Request>): Boundary => ({
  asking: next => async request => next(new URL(request.url).pathname === REPORT ? await change(request) : request),
});
const resent = ({ url, method, headers }: Request, path: string, body: string) =>
  new Request(new URL(path, url), { method, headers, body });

const REFUSED: readonly [string, Boundary, string][] = [
  [
    'a wrong path',
    misreports(async request => resent(request, '/v1/verification/tx', await request.text())),
    'POST /v1/verification/tx, answered 404 NOT-FOUND',
  ],
  [
    'a body that is too long',
    misreports(async request => resent(request, REPORT, 'x'.repeat(300_000))),
    'report-transaction, answered 413 PAYLOAD-TOO-LARGE',
  ],
  [
    'a body that is no JSON',
    misreports(async request => resent(request, REPORT, '{')),
    'report-transaction, answered 400 BAD-REQUEST',
  ],
];

describe.concurrent('a VASP', () => {
  test.each(REFUSED)('that reports with %s has called, and is told what refused it', async (_, boundary, got) => {
    const report = await runPlan(robot, { modules: ['W4.1'], symbols: ['ETH'] }, { boundary });
    expect(conditionOf(report, 'W4.1.reported')).toMatchObject({
      result: 'NOT-RECEIVED',
      got: expect.stringContaining(got),
      exchanges: [expect.any(String)],
    });
  });

  test('that goes no further after a denied account verification is told that it was denied', async () => {
    const other = `0x${'5'.repeat(40)}`;
    const otherAccount = asksEdited(ACCOUNT, ({ payload }) => {
      payload.ivms101.beneficiary.accountNumber = [other];
    });
    const report = await runPlan(
      robot,
      { modules: ['W4.1'], symbols: ['ETH'], wait: '6s' },
      { boundary: otherAccount },
    );
    const denied = 'verify-account, answered 200 DENIED / UNKNOWN-ADDRESS';
    expect(conditionOf(report, 'W4.1.reported')?.got).toContain(denied);
    expect(report.causes.map(({ title }) => title)).toEqual([
      expect.stringMatching(`^The robot answers DENIED / UNKNOWN-ADDRESS: \`accountNumber\` is ${other} instead of 0x`),
    ]);
  });

  test.each(CASES)(
    'that %s: its conditions say so',
    async (_, boundary, expected) => {
      const modules = [...new Set(Object.keys(expected).map(id => id.slice(0, id.lastIndexOf('.'))))];
      const settings = { modules, symbols: ['ETH'], wait: '6s' };
      const report = await runPlan(robot, settings, { boundary });
      for (const [id, condition] of Object.entries(expected))
        expect(conditionOf(report, id), id).toMatchObject(condition);
    },
    180_000,
  );

  test('without an address is not judged about its security', async () => {
    const { api } = await registerVasp(robot, async () => ({ endpoints: {}, token: 'a-token' }));
    const settings = { plan: 'security', customers: CUSTOMERS, symbols: ['ETH'] };
    const report = await runAgainst(api, settings);
    expect(report.modules.map(({ id, result }) => [id, result])).toEqual(
      ['S7', 'S8', 'S6', 'S1', 'S2', 'S3', 'S4', 'S5'].map(id => [id, 'SKIPPED']),
    );
    expect(report.modules[3]?.skippedBecause).toBe(
      'The VASP has no endpoint for verifyAccount. Add it to the registration.',
    );
  });

  test('whose balance no wrong payment explains is not told that it has credited one', async () => {
    const boundary = balance(body => (isType('TX_REPORT')(body) ? 5 : 0));
    const report = await runPlan(robot, { modules: ['D7.a'], symbols: ['ETH'] }, { boundary });
    const { result, got, cause } = conditionOf(report, 'D7.a.not-credited')!;
    expect([result, got, cause]).toEqual(['FAILED', expect.stringMatching(/^\+0\.\d+ ETH$/), undefined]);
  });

  test('gets both messages about an assessment with the same time of its own clock', async () => {
    const report = await runPlan(robot, { modules: ['W4.4', 'R8'], symbols: ['ETH'], wait: '6s' });
    const [, monitored] = report.modules;
    const times = monitored!.exchanges
      .map(({ request }) => request ?? '')
      .filter(request => request.includes('PROVIDER_A_KYT_RESULT'))
      .map(request => JSON.parse(request).data.riskAssessment.providerAKYT.createdAt);
    expect(times).toEqual([times[1], times[0]]);
    expect(times).toHaveLength(2);
  });
});
