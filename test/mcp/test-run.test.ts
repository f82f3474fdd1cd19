import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';
import { answer, call, connected, overHttp } from '../support/mcp/agent.ts';
import { status } from '../support/plans/break-a-rule.ts';
import { PATIENT } from '../support/plans/run-plan.ts';
import { builtCli } from '../support/process/build.ts';
import { gate } from '../support/timers/test-timers.ts';

let robot: Robot;
beforeAll(async () => {
  robot = await createRobot({ env: { XRPL_CLOSE_INTERVAL: '50ms', ...PATIENT } });
});
afterAll(() => robot.close());

/** The reference VASP answers no question before the gate opens. */
async function slowVasp() {
  const questions = gate();
  const vasp = await joinSandbox({
    url: robot.url,
    boundary: {
      serving: next => async request => {
        if (new URL(request.url).pathname === '/verify-user') await questions.opened;
        return next(request);
      },
    },
  });
  onTestFinished(() => vasp.stop());
  return questions;
}

const D3 = { plan: 'deposit', modules: ['D3'], symbols: ['ETH'], unattended: true };

test('read_test_run waits for the end of the run', async () => {
  const questions = await slowVasp();
  const agent = await overHttp(robot.url);
  const { id } = await answer(agent, 'start_test_run', D3);
  const before = await answer(agent, 'read_test_run', { id, wait: '0s' });
  expect(before).toMatchObject({ id, plan: 'deposit', result: null, endedAt: null, modules: { played: 0, all: 1 } });
  const after = answer(agent, 'read_test_run', { id, wait: '50s' });
  questions.open();
  expect(await after).toMatchObject({
    result: 'PASSED',
    failures: [],
    moreFailures: 0,
    modules: { played: 1, all: 1 },
  });
  for (const wait of ['61s', '10', 'x'])
    expect(await call(agent, 'read_test_run', { id, wait })).toMatchObject({
      isError: true,
      text: expect.stringContaining('`wait`'),
    });
  expect(await call(agent, 'read_test_run', { id: 'x' })).toMatchObject({
    isError: true,
    text: expect.stringContaining('404'),
  });
}, 60_000);

test.each([
  ['HTTP', () => overHttp(robot.url)],
  [
    'stdio',
    () =>
      connected(
        new StdioClientTransport({
          command: process.execPath,
          args: [builtCli(), 'mcp', '--url', robot.url],
          stderr: 'pipe',
        }),
      ),
  ],
])(
  'over %s read_test_run reports its progress to who listens',
  async (_, connect) => {
    const questions = await slowVasp();
    const agent = await connect();
    const { id } = await answer(agent, 'start_test_run', D3);
    const { content } = await agent.callTool({ name: 'read_test_run', arguments: { id, wait: '50s' } }, undefined, {
      onprogress({ progress, total, message }) {
        expect([progress, total, message]).toEqual([0, 1, '0 of 1 modules are played.']);
        questions.open();
      },
    });
    expect(JSON.parse((content as { text: string }[])[0]!.text)).toMatchObject({ result: 'PASSED' });
  },
  60_000,
);

test('a failure has its verification and its exchange', async () => {
  const vasp = await joinSandbox({ url: robot.url, boundary: status('/verify-user', 500) });
  onTestFinished(() => vasp.stop());
  const agent = await overHttp(robot.url);
  const { id } = await answer(agent, 'start_test_run', { ...D3, wait: '1s' });
  const run = await answer(agent, 'read_test_run', { id, wait: '50s' });
  expect(run.result).toBe('FAILED');
  const named = run.failures.find(({ verificationUuid }: { verificationUuid: string | null }) => verificationUuid);
  const { facts } = await answer(agent, 'why', { uuid: named.verificationUuid });
  expect(facts.join()).toContain('500');
  const exchange = await answer(agent, 'read_exchange', { id: named.exchange });
  expect(exchange).toMatchObject({ id: named.exchange, request: expect.any(Object), response: expect.any(Object) });
  expect((await answer(agent, 'read_test_run', { id, module: 'D3' })).failures.length).toBeGreaterThan(0);
  expect((await answer(agent, 'read_test_run', { id, module: null, wait: null })).failures).toEqual(run.failures);
  expect(await call(agent, 'read_test_run', { id, module: 'D4' })).toEqual({
    isError: true,
    text: '`module` should be one of: D3. Did you mean `D3`?',
  });
  expect(countTokens(JSON.stringify(run))).toBeLessThanOrEqual(2_000);
}, 60_000);

test('a run is listed and stopped', async () => {
  const questions = await slowVasp();
  const agent = await overHttp(robot.url);
  const { id } = await answer(agent, 'start_test_run', D3);
  expect((await answer(agent, 'list_test_runs')).runs[0]).toMatchObject({ id, result: null, modules: { all: 1 } });
  const stopped = answer(agent, 'stop_test_run', { id });
  questions.open();
  expect(await stopped).toEqual({ result: true });
  expect(await answer(agent, 'read_test_run', { id })).toMatchObject({ result: 'INTERRUPTED' });
}, 60_000);
