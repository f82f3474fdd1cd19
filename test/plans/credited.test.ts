import { expect, test } from 'vitest';
import { judgeCredited } from '../../src/plans/steps/report-verdicts.ts';
import type { Ordered } from '../../src/plans/steps/withdrawals.ts';
import { singleModule } from '../support/plans/single-module.ts';

const OWN = { verificationUuid: 'own', amount: '1', status: 'CREDITED' };
const OTHER = { verificationUuid: 'other', amount: '2', status: 'CREDITED' };

/** `payments`: to the same user of the robot, of which each changes his balance. */
async function judged(payments: readonly object[]): Promise<string> {
  const all = payments.map((each, index) => ({ ...each, symbol: 'ETH', address: '0xa', txHash: String(index) }));
  const verdict = { verificationUuid: 'own', report: { verdict: 'WRONG-VOUT', got: '2' } };
  const api = {
    receivedPayments: async () => ({ payments: all }),
    // Fifty and more may be newer.
    verifications: async ({ verificationUuid }: { verificationUuid?: string }) => ({
      verifications: [verdict].filter(each => each.verificationUuid === verificationUuid),
    }),
  };
  const { ctx, report } = singleModule('W4.1', ['credited'], { api });
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
