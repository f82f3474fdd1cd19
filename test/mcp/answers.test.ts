import { countTokens } from 'gpt-tokenizer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Robot } from '../../src/testing/robot.ts';
import { createRobot } from '../../src/testing.ts';
import { answer, call, overHttp } from '../support/mcp/agent.ts';
import { PATIENT } from '../support/plans/run-plan.ts';

const MAX_DEFAULT = 2_000;
const VERIFICATIONS = 40;

let robot: Robot;
beforeAll(async () => {
  robot = await createRobot({ referenceVasp: true, env: { XRPL_CLOSE_INTERVAL: '50ms', ...PATIENT } });
  for (let n = 0; n < VERIFICATIONS; n++) {
    const symbol = n % 2 === 0 ? 'ETH' : 'XRP';
    const { body } = await robot.api.readyRequest('verify-user', { symbol });
    await robot.api.call('POST', '/v1/verifications', body);
  }
  for (const symbol of ['ETH', 'XRP'] as const)
    for (const amount of ['1', '2']) {
      const { steps } = await robot.api.sendTransfer({ symbol, amount });
      expect(steps.filter(({ done }) => !done)).toEqual([]);
    }
  await robot.api.advance('10m');
  const targets = ['callback', 'answer', 'robot.verifyUser', 'devnet.ETH'];
  for (const target of targets)
    for (const delay of ['1s', '2s']) await robot.api.addFault({ target, mode: 'delay', delay, times: 1 } as never);
}, 60_000);
afterAll(() => robot.close());

test('the default answers of all tools that only read are short', async () => {
  const agent = await overHttp(robot.url);
  const { tools } = await agent.listTools();
  const { vasp: own } = await answer(agent, 'info');
  const [{ verificationUuid: uuid }] = (await answer(agent, 'list_verifications', { role: 'beneficiary' }))
    .verifications;
  const [{ id }] = (await answer(agent, 'list_exchanges', { operation: 'verifyUser' })).exchanges;
  const { id: run } = await answer(agent, 'start_test_run', { plan: 'security', modules: ['S4'], unattended: true });
  const given: Record<string, unknown> = {
    uuid,
    id,
    vaspId: own.vaspId,
    userId: 'ethan-cook',
    request: 'verify-user',
    query: 'withdrawal',
    page: 'decisions',
  };
  const sizes: Record<string, number> = {};
  for (const { name, inputSchema, annotations } of tools) {
    if (!annotations!.readOnlyHint || name === 'query_status') continue;
    const args = Object.fromEntries((inputSchema.required ?? []).map(each => [each, given[each] ?? {}]));
    const { text } = await call(agent, name, name === 'read_test_run' ? { id: run } : args);
    sizes[name] = countTokens(text);
  }
  expect(Object.keys(sizes).length).toBeGreaterThan(18);
  expect(Object.entries(sizes).filter(([, tokens]) => tokens > MAX_DEFAULT)).toEqual([]);
});

test('a page is read on, and the whole answer is given to who asks for it', async () => {
  const agent = await overHttp(robot.url);
  const first = await answer(agent, 'list_verifications');
  expect(first.verifications).toHaveLength(10);
  const second = await answer(agent, 'list_verifications', { before: first.next });
  expect(second.verifications).toHaveLength(10);
  expect(second.verifications).not.toContainEqual(first.verifications[9]);
  const whole = await answer(agent, 'list_verifications', { full: true, limit: 40 });
  expect(whole.verifications).toHaveLength(40);
  expect(whole.verifications[0]).toHaveProperty('beneficiaryAddress');
});

test('a callback is replayed', async () => {
  const agent = await overHttp(robot.url);
  const [first] = (await answer(agent, 'list_callbacks')).callbacks;
  expect(first).toMatchObject({ status: 'DELIVERED', attemptCount: 1, last: 200 });
  expect(await answer(agent, 'replay_callback', { id: first.id })).toMatchObject({ id: first.id, attemptCount: 1 });
});

test('a long body is cut, and says how to read the rest', async () => {
  const agent = await overHttp(robot.url);
  const { body } = await answer(agent, 'request', { request: 'verify-user' });
  const [person] = body.payload.ivms101.originator.originatorPersons;
  person.naturalPerson.customerIdentification = 'x'.repeat(9_000);
  const { verificationUuid } = await answer(agent, 'verify', body);
  const [{ id }] = (await answer(agent, 'list_exchanges', { verificationUuid, operation: 'verify-user' })).exchanges;
  const { text } = await call(agent, 'read_exchange', { id });
  expect(countTokens(text)).toBeLessThanOrEqual(MAX_DEFAULT);
  expect(JSON.parse(text)).toMatchObject({ id, cut: expect.stringContaining('`full`') });
  const whole = await answer(agent, 'read_exchange', { id, full: true });
  expect(whole.request).toBe(JSON.stringify(body));
  expect(await call(agent, 'read_exchange', { id: '999999' })).toMatchObject({ isError: true });
});
