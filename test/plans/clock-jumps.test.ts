import { expect, test } from 'vitest';
import type { ModuleReport } from '../../src/contract/plans.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import { inquiries } from '../../src/plans/modules/d8-inquiries.ts';
import type { RunWorld } from '../../src/plans/world.ts';

/** D8.rate after inquiries about one verification at these times of the sandbox's clock. */
async function rateAt(times: readonly number[], jumpMs: number, stoodMs: number) {
  const conditions = ['own-only', 'known-only', 'rate'].map(word => ({ id: `D8.${word}`, result: 'SKIPPED' }));
  const report = { id: 'D8', symbol: 'ETH', conditions } as unknown as ModuleReport;
  const rows = times.map((at, index) => ({
    id: index + 1,
    direction: 'IN',
    operation: 'inquire-transaction',
    verificationUuid: 'one',
    request: '{}',
    response: '{}',
    status: 200,
    at,
  }));
  const exchanges = {
    newest: () => 0,
    after: (_: string, { after }: { after: number }) => rows.filter(({ id }) => id > after),
  };
  const world = {
    settings: {},
    exchanges,
    symbolOf: new Map(),
    watch: {},
    clockJumpMs: () => jumpMs,
    longestStallWithin: () => stoodMs,
  } as unknown as RunWorld;
  const ctx = new ModuleContext({ world, report, position: 0, onChange: () => {} });
  await inquiries.late?.(ctx, {});
  return report.conditions.find(({ id }) => id === 'D8.rate');
}

test.each([
  [[0, 6_000, 12_000], 0, 4_000, 'PASSED', 'not more'],
  [[0, 6_000, 12_000], -8_000, 0, 'PASSED', 'not more'],
  [[0, 1_000, 2_000], 0, 0, 'FAILED', '3 within 2000 ms'],
  [[0, 1_000, 2_000], 0, 2_900, 'FAILED', '3 within 2000 ms'],
  [[0, 2_200, 2_428], 0, 3_700, 'PASSED', 'not more, beside up to 3700 ms in which the sandbox itself stood still'],
  [Array.from({ length: 12 }, (_, index) => 2_000 * index), 0, 2_000, 'FAILED', '7 within 12000 ms'],
  [
    [0, 6_000, 4_000],
    -8_000,
    0,
    'REVIEW',
    "3 within 4000 ms, and the clock of the sandbox's machine jumped by -8000 ms during the run",
  ],
])('inquiries at %j with a jump of %i ms and a stall of %i ms: %s', async (times, jumpMs, stoodMs, result, got) => {
  expect(await rateAt(times, jumpMs, stoodMs)).toMatchObject({ result, got, expected: 'at most 2 within 5 s' });
});
