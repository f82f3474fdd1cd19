import { expect, test } from 'vitest';
import type { RunReport } from '../../../src/contract/plans.ts';
import { startIndependent } from '../../support/plans/independent/pool.ts';
import { failedConditions, PATIENT, planSandbox, runAgainst } from '../../support/plans/run-plan.ts';
import { until } from '../../support/until.ts';
import { forFile } from '../../support/world/for-file.ts';
import { textsOf } from './play-wrong-vasps.ts';

const robot = await forFile(planSandbox(PATIENT));
const right = await forFile(startIndependent(robot));

function expectPassed(report: RunReport): void {
  const failed = failedConditions(report);
  expect([report.result, failed], textsOf(report, failed)).toEqual(['PASSED', []]);
}

test('REF-3: one that sees a payment after twelve blocks passes, on a chain without blocks of its own', async () => {
  await right.vasp.become(undefined, { confirmations: 12 });
  const settings = { modules: ['R6', 'C4', 'D4'], symbols: ['ETH'], wait: '20s', inquiryWait: '20s' };
  const report = await runAgainst(right.api, settings);
  await right.vasp.become(undefined);
  expectPassed(report);
}, 60_000);

test('REF-3: one that sees a payment after three blocks passes the complete plan, on a chain with a block each second', async () => {
  await using seconds = await planSandbox({ ...PATIENT, ETH_BLOCK_TIME: '1s' });
  const { vasp, api } = await startIndependent(seconds);
  await vasp.become(undefined, { confirmations: 3 });
  const report = await runAgainst(api, { symbols: ['ETH'], wait: '20s', inquiryWait: '20s' });
  await vasp.stop();
  expectPassed(report);
}, 600_000);

/** The library for the XRP Ledger would close the new connection 100 ms after the loss of the old one. */
test.each(['20ms', '50ms', '80ms'])(
  'REF-4.6.2: one whose node takes %s for each answer after it has lost one reports the payment',
  async delay => {
    const played = runAgainst(right.api, { modules: ['W4.15'], symbols: ['XRP'], wait: '20s' });
    await until(async () => (await right.api.faults()).faults.some(({ target }) => target === 'devnet.submit'));
    await right.api.addFault({ target: 'devnet.XRP', mode: 'delay', delay });
    const report = await played;
    await right.api.call('DELETE', '/sandbox/v1/faults');
    expectPassed(report);
  },
  60_000,
);

test('the right one passes the complete plan', async () => {
  const report = await runAgainst(right.api, { wait: '20s', inquiryWait: '20s' });
  expectPassed(report);
}, 300_000);
