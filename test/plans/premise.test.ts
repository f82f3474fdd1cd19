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

test('a ledger that others move on while it is held blames no sound VASP', async () => {
  const mined = setInterval(() => void mine().catch(() => {}), 100);
  try {
    const { modules } = await runAgainst(api, { modules: ['W4.6'], symbols: ['ETH'], wait: '20s' });
    const conditions = modules.flatMap(module => module.conditions);
    expect(conditions.filter(({ result }) => result === 'FAILED').map(({ id, got }) => [id, got])).toEqual(
      [],
    );
    // PASSED only where a busy machine has sent nothing yet when the status is asked.
    expect(['REVIEW', 'PASSED']).toContain(conditions.find(({ id }) => id === 'W4.6.not-confirmed')?.result);
  } finally {
    clearInterval(mined);
  }
});

const lateCallbacks = (times: number) =>
  api.addFault({ target: 'callback.VERIFICATION_RESULT', mode: 'delay', delay: '2500ms', times });

test.each(['W3.k', 'C7'])('%s starts again when the callback did not come first', async module => {
  await lateCallbacks(1);
  const { modules } = await runAgainst(api, { modules: [module], symbols: ['ETH'], wait: '20s' });
  expect(modules.map(({ result, starts }) => [result, starts])).toEqual([['PASSED', 2]]);
});

test('a callback that never comes first is trouble of the sandbox, and the VASP is not judged', async () => {
  await lateCallbacks(9);
  const report = await runAgainst(api, { modules: ['W3.k'], symbols: ['ETH'], wait: '20s' });
  expect(report.modules.map(({ result, starts, note }) => [result, starts, note])).toEqual([
    ['ERROR', 5, expect.stringMatching(/^The callback did not come before .* started 5 times/)],
  ]);
  expect([report.result, report.counts.failed]).toEqual(['ERROR', 0]);
}, 60_000);

const mine = () =>
  fetch(`${robot.url}/devnet/ethereum`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'evm_mine', params: [] }),
  });
