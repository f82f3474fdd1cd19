import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { planSandbox, runPlan } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

/** What a VASP has not done is not judged, and the report says why. */

/** Longer than the module. */
const SLOW_MS = 20_000;

const robot = await forFile(planSandbox());

test('W4.11: without a payment that could fail nothing is judged, also at the end of the run', async () => {
  const paying = <T extends object>(ledger: T): T => ({ ...ledger, sign: () => delay(SLOW_MS) });
  const { modules } = await runPlan(robot, { modules: ['W4.11'], symbols: ['ETH'] }, { boundary: { paying } });
  const [{ result, skippedBecause, conditions }] = modules as [(typeof modules)[0]];
  expect([result, skippedBecause]).toEqual(['SKIPPED', expect.stringContaining('no payment that could fail')]);
  expect(conditions.map(each => each.result)).toEqual(['SKIPPED', 'SKIPPED', 'SKIPPED']);
}, 90_000);
