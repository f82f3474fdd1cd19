import { expect, test } from 'vitest';
import type { ModuleReport } from '../../src/contract/plans.ts';
import { ModuleContext } from '../../src/plans/context.ts';
import { judgeCredited } from '../../src/plans/steps/report-verdicts.ts';
import type { Ordered } from '../../src/plans/steps/withdrawals.ts';
import type { RunWorld } from '../../src/plans/world.ts';

const OWN = { verificationUuid: 'own', amount: '1', status: 'CREDITED' };
const OTHER = { verificationUuid: 'other', amount: '2', status: 'CREDITED' };

/** `payments`: to the same user of the robot, of which each changes his balance. */
async function judged(payments: readonly object[]): Promise<string> {
  const report = { id: 'W4.1', symbol: 'ETH', conditions: [{ id: 'W4.1.credited' }] } as unknown as ModuleReport;
  const all = payments.map((each, index) => ({ ...each, symbol: 'ETH', address: '0xa', txHash: String(index) }));
  const verdict = { verificationUuid: 'own', report: { verdict: 'WRONG-VOUT', got: '2' } };
  const world = {
    settings: {},
    sandboxMs: 0,
    exchanges: { newest: () => 0, after: () => [] },
    selfDelay: () => () => 0,
    isLedgerFree: () => true,
    isEmbedded: () => true,
    signal: new AbortController().signal,
    api: {
      receivedPayments: async () => ({ payments: all }),
      // Fifty and more may be newer.
      verifications: async ({ verificationUuid }: { verificationUuid?: string }) => ({
        verifications: [verdict].filter(each => each.verificationUuid === verificationUuid),
      }),
    },
  } as unknown as RunWorld;
  const ctx = new ModuleContext<'credited'>({ world, report, position: 0, onChange: () => {} });
  const ordered = { account: '0xa', amount: '1', symbol: 'ETH', earlier: [] } as unknown as Ordered;
  await judgeCredited(ctx, ordered, 'own');
  return report.conditions[0]!.result;
}

test.each([
  ['its payment is credited', [OWN], 'PASSED'],
  ['that of an earlier module is credited, too', [OTHER, OWN], 'PASSED'],
  ['only that of an earlier module is credited', [OTHER, { ...OWN, status: 'CONFIRMED' }], 'FAILED'],
  ['its payment is credited to another verification', [{ ...OWN, verificationUuid: 'other' }], 'FAILED'],
])('D-18: a withdrawal of which %s', async (_, payments, result) => {
  expect(await judged(payments)).toBe(result);
});
