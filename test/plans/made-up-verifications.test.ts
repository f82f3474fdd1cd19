import { afterAll, expect, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { PATIENT, planSandbox, runAgainst } from '../support/plans/run-plan.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(planSandbox(PATIENT));
const vasp = await joinSandbox({ url: robot.url });
afterAll(() => vasp.stop());

/** Their calls are about verifications that the run has made up, and about some that exist. */
const MODULES = ['C1', 'C5', 'D2.f', 'D7.j', 'S3', 'S6'];

test('why explains each verification that an exchange of a run names', async () => {
  const { modules } = await runAgainst(robot.api, { modules: MODULES, symbols: ['ETH'] });
  const named = new Set(modules.flatMap(({ exchanges }) => exchanges.flatMap(each => each.verificationUuid ?? [])));
  expect(named.size).toBeGreaterThan(0);
  for (const uuid of named) expect((await robot.api.why(uuid)).verificationUuid).toBe(uuid);
}, 60_000);
