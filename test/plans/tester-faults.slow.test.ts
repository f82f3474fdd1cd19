import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from '../../src/client/client.ts';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { PATIENT, planSandbox, registerVasp, runAgainst } from '../support/plans/run-plan.ts';

let robot: Robot;
let vasp: { stop(): Promise<void> };
let api: Client;
beforeAll(async () => {
  robot = await planSandbox(PATIENT);
  api = await registerVasp(robot, async apiKey => {
    const joined = await joinSandbox({ url: robot.url, apiKey });
    vasp = joined;
    return joined;
  });
});
afterAll(async () => {
  await vasp?.stop();
  await robot?.close();
});

test.each(['W4.15', 'W4.16'])(
  '%s is skipped while an older fault of the tester hits the calls to the ledger',
  async module => {
    const { id } = await api.addFault({ target: 'devnet.XRP', mode: 'delay', delay: '1ms' });
    try {
      const { modules } = await runAgainst(api, { modules: [module], symbols: ['XRP'], wait: '20s' });
      expect(modules[0]!.skippedBecause).toBe(
        `Your fault ${id} at devnet.XRP hits the calls to the ledger: remove it.`,
      );
    } finally {
      await api.removeFault(id);
    }
  },
);
