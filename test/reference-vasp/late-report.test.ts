import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Ledger } from '../../src/reference-vasp/ledgers/port.ts';
import type { Send } from '../../src/reference-vasp/vasp.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';

/** A payment is not final when it is looked at first. */
function finalAtSecondLook(ledger: Ledger): Ledger {
  const seen = new Set<string>();
  return {
    ...ledger,
    async paymentsOf(hash) {
      if (seen.has(hash)) return ledger.paymentsOf(hash);
      seen.add(hash);
      return undefined;
    },
  };
}

const WINDOW_MS = 400;
const readsReportsLate =
  (next: Send): Send =>
  async request => {
    if ((await request.clone().text()).includes('"TX_REPORT"')) await delay(2 * WINDOW_MS);
    return next(request);
  };

test('WIRE-3.4: a payment that is reported when no inquiry follows any more is credited when it is final', async () => {
  await using robot = await planSandbox(PATIENT);
  const vasp = await joinSandbox({
    url: robot.url,
    waits: { inquiryMs: 10_000, inquiryWindowMs: WINDOW_MS, retryMs: 20 },
    boundary: { paying: finalAtSecondLook, serving: readsReportsLate },
  });
  const report = await runAgainst(robot.api, { modules: ['D3'], symbols: ['ETH'], wait: '5s' });
  await vasp.stop();
  expect([report.result, failedConditions(report)]).toEqual(['PASSED', []]);
});
