import { expect, test } from 'vitest';
import type { ConditionReport, ModuleReport, RunReport } from '../../src/contract/plans.ts';
import type { LoggedExchange } from '../../src/plans/evidence.ts';
import { usageText } from '../../src/plans/outcome.ts';
import { watchSilence } from '../../src/plans/run-module.ts';
import { judgeDelivery } from '../../src/plans/steps/answers.ts';
import { awaitCall } from '../../src/plans/steps/driver-acts.ts';
import { PremiseMissing, Stop } from '../../src/plans/stop.ts';
import type { RunWorld } from '../../src/plans/world.ts';
import { singleModule } from '../support/plans/single-module.ts';

const LIMIT_MS = 1000;

/** The conditions of a callback that was answered like this. */
function judged(
  exchange: Partial<LoggedExchange>,
  judge: typeof judgeDelivery = judgeDelivery,
  { startsLeft = 0, severity = 'FAILURE' } = {},
): Record<string, ConditionReport> {
  const { ctx, report } = singleModule(
    'C1',
    ['in-time', 'status'],
    { timeoutMs: { callback: LIMIT_MS }, target: { url: () => 'http://127.0.0.1/callback' } },
    { startsLeft, severity },
  );
  const row = { id: 1, operation: 'callback', direction: 'OUT', error: null, stallMs: null, ...exchange };
  judge(ctx, row as LoggedExchange, 'callback');
  return Object.fromEntries(report.conditions.map(each => [each.id.slice(3), each]));
}

const CUT_OFF = { status: null, error: 'timeout of 1000ms exceeded' };

test.each([
  [{ status: 200, durationMs: 1000 }, 'PASSED', '1000 ms', 'PASSED'],
  [{ status: 200, durationMs: 1001 }, 'FAILED', '1001 ms', 'SKIPPED'],
  [{ ...CUT_OFF, durationMs: 1001 }, 'FAILED', 'no answer within 1000 ms, then the sandbox hung up', 'SKIPPED'],
  [
    { status: 200, durationMs: 1184, stallMs: 300 },
    'REVIEW',
    '1184 ms, of which the sandbox itself was late by 300 ms',
    'PASSED',
  ],
  [
    { status: 200, durationMs: 1600, stallMs: 300 },
    'FAILED',
    '1600 ms, of which the sandbox itself was late by 300 ms',
    'SKIPPED',
  ],
])('%j: in-time is %s', (exchange, result, got, status) => {
  const conditions = judged(exchange);
  expect(conditions['in-time']).toMatchObject({ result, got });
  expect(conditions.status?.result).toBe(status);
});

test('a cut-off call of a sandbox that stood still longer than the limit is no failure of the VASP in time', () => {
  const conditions = judged({ ...CUT_OFF, durationMs: 2500, stallMs: 1600 });
  expect(conditions['in-time']?.result).toBe('REVIEW');
  expect(conditions.status?.result).not.toBe('FAILED');
});

test.each([
  ['within the extended limit', { status: 200, durationMs: 1184, stallMs: 300 }],
  ['not at all', { ...CUT_OFF, durationMs: 2500, stallMs: 1600 }],
])('a call that was answered %s while the sandbox itself was late: the module starts again', (_, exchange) => {
  expect(() => judged(exchange, judgeDelivery, { startsLeft: 1 })).toThrow(PremiseMissing);
  expect(judged({ status: 200, durationMs: 1000 }, judgeDelivery, { startsLeft: 1 })['in-time']?.result).toBe('PASSED');
});

test.each([
  [199, 0, 'WARNING'],
  [200, 0, 'SKIPPED'],
  [200, 1, 'the module starts again'],
])(
  'no advice about an answer for which the sandbox itself was late by %i ms, with %i starts left: %s',
  (stallMs, startsLeft, how) => {
    const advise = () =>
      judged(
        { status: 200, durationMs: 600, stallMs },
        (ctx, logged) => ctx.omitsAdvice('status', logged) || ctx.check('status', false, { from: [logged!] }),
        { startsLeft, severity: 'WARNING' },
      ).status?.result;
    if (startsLeft > 0) expect(advise).toThrow(PremiseMissing);
    else expect(advise()).toBe(how);
  },
);

test('another status than 200 names its cause', () => {
  expect(judged({ status: 201, durationMs: 5 }).status).toMatchObject({
    result: 'FAILED',
    got: '201',
    cause: { address: 'callback', kind: 'status-201', title: 'Callbacks are answered 201 instead of 200' },
  });
});

test.each([
  [{ ...CUT_OFF, durationMs: 2500, stallMs: 1600 }, 'REVIEW'],
  [{ ...CUT_OFF, durationMs: 1001 }, 'FAILED'],
  [{ status: 500, durationMs: 2500, stallMs: 1600 }, 'FAILED'],
])('%j: any condition that fails by it is %s', (exchange, result) => {
  const { status } = judged(exchange, (ctx, logged) =>
    ctx.check('status', false, { expected: 'a hash', got: 'none', from: [logged!] }),
  );
  expect(status?.result).toBe(result);
  if (result === 'REVIEW') expect(status?.got).toContain('the sandbox itself was late by 1600 ms');
});

test('the report tells by how much time limits were extended', () => {
  const module = (exchanges: object[]) => ({ exchanges }) as unknown as ModuleReport;
  const report = (stalls: object[]) =>
    ({ evidence: { exchanges: 2, bytes: 1024 }, modules: [module(stalls)] }) as unknown as RunReport;
  expect(usageText(report([{}, {}]))).toBe('2 exchanges of 1 KB kept');
  expect(usageText(report([{ stallMs: 80 }, { stallMs: 5_002 }]))).toBe(
    '2 exchanges of 1 KB kept, the sandbox itself was late during 2 calls, at most by 5002 ms, by which it extended their time limits',
  );
});

const ORDERED = { instruction: 'Withdraw.', action: 'withdraw', parameters: {}, since: 0, isDriven: true } as const;

test.each([
  [1_000, 1, 'the module starts again'],
  [1_000, 0, 'REVIEW'],
  [999, 1, 'NOT-RECEIVED'],
])(
  'a call that does not come after one had to wait for %i ms, with %i starts left: %s',
  async (waitMs, startsLeft, how) => {
    const world = { timeoutMs: { verifyAccount: 1_000 }, sandboxMs: 1_000, longestWaitSince: () => waitMs };
    const { ctx, report } = singleModule('W3.ab', ['once'], world, { startsLeft });
    const acting = { ...ORDERED, waitMs: 0, failure: undefined };
    const awaiting = awaitCall(ctx, 'once', acting, { operation: 'verify-user', differences: () => [] });
    const startsAgain = how === 'the module starts again';
    await expect(awaiting).rejects.toThrow(startsAgain ? PremiseMissing : Stop);
    expect(report.conditions[0]!.result).toBe(startsAgain ? 'SKIPPED' : how);
  },
);

test.each([
  ['what came again', { ifServed: true }, 999, 0, 'FAILED'],
  ['what came again', { ifServed: true }, 1_000, 0, 'REVIEW'],
  ['what came again', { ifServed: true }, 1_000, 1, 'the module starts again'],
  ['what was wrong', {}, 3_000, 1, 'FAILED'],
] as const)(
  'a condition that fails by %s (%j), after a call had to wait for %i ms, with %i starts left: %s',
  (_, shown, waitMs, startsLeft, how) => {
    const world = { timeoutMs: { verifyAccount: 1_000 }, longestWaitSince: () => waitMs };
    const { ctx, report } = singleModule('W4.1', ['one-verification'], world, { startsLeft });
    const judge = () => ctx.check('one-verification', false, { got: '2', ...shown });
    if (how === 'the module starts again') expect(judge).toThrow(PremiseMissing);
    else judge();
    const { result, got } = report.conditions[0]!;
    expect(result).toBe(how === 'the module starts again' ? 'SKIPPED' : how);
    if (how === 'REVIEW') expect(got).toContain('had to wait for up to 1000 ms');
  },
);

test.each([
  ['late', {}, 12],
  ['cut off while the sandbox itself was late', { stallMs: 1_600 }, undefined],
  ['answered while the sandbox itself was late', { status: 200, error: null, stallMs: 1_600 }, undefined],
])('a run in which every call was %s: unanswered calls: %o', (_, outcome, unanswered) => {
  const call = { operation: 'callback', direction: 'OUT', ...CUT_OFF, durationMs: 2_500, stallMs: null };
  let calls: object[] = [];
  const exchanges = { newest: () => 0, after: () => calls.splice(0) };
  let now = 0;
  const world = { exchanges, vaspId: '1', timeoutMs: { callback: LIMIT_MS } } as unknown as RunWorld;
  const silence = watchSilence(world, () => now);
  calls = Array.from({ length: 12 }, (_, index) => ({ ...call, ...outcome, id: index + 1 }));
  now = 10_000;
  expect(silence.calls()).toBe(unanswered);
});
