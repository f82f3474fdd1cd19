import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { type IndependentVasp, startIndependentVasp } from '../support/plans/independent/vasp.ts';
import { fallen, PATIENT, planSandbox, registerVasp, runAgainst } from '../support/plans/run-plan.ts';

let robot: Robot;
let vasp: IndependentVasp;
let api: Client;
beforeAll(async () => {
  robot = await planSandbox(PATIENT);
  api = await registerVasp(robot, async apiKey => {
    vasp = await startIndependentVasp(robot.url, apiKey);
    return vasp;
  });
});
afterAll(async () => {
  await vasp?.stop();
  await robot?.close();
});

test('a VASP that uses nothing of the program passes the complete plan', async () => {
  const report = await runAgainst(api, { wait: '20s', inquiryWait: '20s' });
  expect([report.result, fallen(report)]).toEqual(['PASSED', []]);
}, 120_000);
