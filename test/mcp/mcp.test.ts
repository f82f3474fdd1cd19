import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { joinSandbox } from '../../src/reference-vasp/join.ts';
import { createRobot } from '../../src/testing.ts';
import { documentCheck, loadDocument } from '../support/http/document-check.ts';
import { answer, call, connected, overHttp } from '../support/mcp/agent.ts';
import { builtCli } from '../support/process/build.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld, type HostedWorld } from '../support/world/hosted-world.ts';

const robot = await forFile(createRobot());

test('an agent makes a request, verifies, and learns why it was denied', async () => {
  const agent = await overHttp(robot.url);
  const { body } = await answer(agent, 'request', { request: 'verify-user', user: 'ethan-cook' });
  const { verificationUuid } = await answer(agent, 'verify', body);
  const why = await answer(agent, 'why', { uuid: verificationUuid });
  expect(why.facts[0]).toContain('DENIED / UNVERIFIED-KYC');
  const { verifications } = await answer(agent, 'list_verifications', { reason: 'UNVERIFIED-KYC', limit: 5 });
  expect(verifications[0].verificationUuid).toBe(verificationUuid);
});

test('an agent checks IVMS101, and sees what nobody sees', async () => {
  const agent = await overHttp(robot.url);
  const { body } = await answer(agent, 'request', { request: 'verify-user', user: 'ethan-cook' });
  expect(await answer(agent, 'check_ivms101', { payload: body.payload })).toMatchObject({ problems: [] });
  const [person] = body.payload.ivms101.beneficiary.beneficiaryPersons;
  person.naturalPerson.name.nameIdentifier[0].primaryIdentifier += '\u200b';
  const { problems } = await answer(agent, 'check_ivms101', { payload: body });
  expect(problems).toMatchObject([{ severity: 'WARNING', text: expect.stringContaining('⟨U+200B⟩') }]);
});

test('faults, clock and faucet', async () => {
  const agent = await overHttp(robot.url);
  const { id } = await answer(agent, 'order_fault', { target: 'answer', mode: 'drop', times: 1 });
  expect((await answer(agent, 'list_faults')).faults).toMatchObject([{ id }]);
  expect(await answer(agent, 'remove_faults')).toEqual({ removed: 1 });
  const before = await answer(agent, 'clock');
  const after = await answer(agent, 'advance_clock', { duration: '10m' });
  expect(Date.parse(after.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(600_000);
  const address = '0x5811001506550d8356a215be229c15b6ef371a9b';
  expect(await answer(agent, 'faucet', { symbol: 'ETH', address, amount: '1' })).toHaveProperty('txHash');
});

test('the guide is searched and read', async () => {
  const agent = await overHttp(robot.url);
  const { hits } = await answer(agent, 'search_guide', { query: 'finished identification' });
  expect(hits[0]).toMatchObject({ title: 'UNVERIFIED-KYC', href: '/codes/UNVERIFIED-KYC' });
  expect((await call(agent, 'read_guide', { page: hits[0].href })).text).toMatch(/^# UNVERIFIED-KYC\n/);
  expect(await call(agent, 'read_guide', { page: '../../package' })).toMatchObject({ isError: true });
});

test('a refusal of the API is an error of the tool, with its code', async () => {
  const agent = await overHttp(robot.url);
  expect(await call(agent, 'why', { uuid: 'none' })).toEqual({
    isError: true,
    text: expect.stringContaining('VERIFICATION-NOT-FOUND'),
  });
  expect(await call(agent, 'verify', {})).toEqual({
    isError: true,
    text: expect.stringMatching(/^HTTP 400: .*MISSING-/),
  });
  const page = await call(agent, 'read_guide', { page: 'MISSING-VASP' });
  expect(page.text).toContain('What to do');
  expect(await call(agent, 'why', {})).toEqual({ isError: true, text: '`uuid` is required.' });
  expect(await call(agent, 'search_guide', {})).toEqual({ isError: true, text: '`query` is required.' });
  expect(await call(agent, 'why', { uuid: {} })).toEqual({ isError: true, text: '`uuid` should be text.' });
  expect(await call(agent, 'list_exchanges', { slow: [] })).toEqual({ isError: true, text: '`slow` should be text.' });
  expect(await call(agent, 'list_exchanges', { slow: null })).toMatchObject({ isError: false });
  expect(await call(agent, 'list_exchanges', { uuid: '../..', slow: 'x' })).toMatchObject({ isError: true });
  expect((await call(agent, 'advance_clock', { duration: '10' })).text).toContain('such as `10m`');
  await expect(agent.callTool({ name: 'transfer', arguments: {} })).rejects.toThrow('There is no tool transfer');
});

test.each([
  ['tools/call', { name: 'why', arguments: [] }, -32602],
  ['tools/call', {}, -32602],
  ['tools/call', undefined, -32602],
  ['resources/subscribe', { uri: 'robot-vasp://guide/time' }, -32601],
  ['resources/read', { uri: 'robot-vasp://guide/nothing' }, -32002],
  ['resources/read', { uri: 'robot-vasp://runs/nothing' }, -32602],
  ['prompts/get', { name: 'x' }, -32602],
  ['prompts/get', { name: 'why-was-it-denied' }, -32602],
  ['prompts/get', { name: 'why-was-it-denied', arguments: { verificationUuid: 'x' } }, -32602],
])('%s with %j is error %i of the protocol', async (method, params, code) => {
  const response = await fetch(`${robot.url}/mcp`, {
    method: 'POST',
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { 'content-type': 'application/json' },
  });
  expect(await response.json()).toMatchObject({ id: 1, error: { code } });
});

test('without sessions: GET and DELETE are not allowed, and an unknown version of the protocol is refused', async () => {
  for (const method of ['GET', 'DELETE']) {
    const { status, headers } = await fetch(`${robot.url}/mcp`, { method });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  }
  const ping = (version: string) =>
    fetch(`${robot.url}/mcp`, {
      method: 'POST',
      body: '{"jsonrpc":"2.0","id":1,"method":"ping"}',
      headers: { 'content-type': 'application/json', 'mcp-protocol-version': version },
    });
  expect([(await ping('2025-06-18')).status, (await ping('1999-01-01')).status]).toEqual([200, 400]);
});

test('other methods, other bodies', async () => {
  const post = (body: string, headers = {}) =>
    fetch(`${robot.url}/mcp`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...headers },
    });
  expect((await fetch(`${robot.url}/mcp`)).status).toBe(405);
  expect((await post('no json')).status).toBe(400);
  for (const [body, member] of [
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}', 'method'],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"arguments":{"a":1,"a":2}}}', 'params.arguments.a'],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":1,"id":2}]', '[1].id'],
  ] as const) {
    const answer = await post(body);
    const error = { code: -32600, message: `\`${member}\` came twice.` };
    expect([answer.status, await answer.json()]).toEqual([400, { jsonrpc: '2.0', id: null, error }]);
  }
  const empty = await post('[]');
  const noCalls = { code: -32600, message: 'A batch has 1 to 100 calls.' };
  expect([empty.status, await empty.json()]).toEqual([400, { jsonrpc: '2.0', id: null, error: noCalls }]);
  expect((await post('{"jsonrpc":"2.0","id":1,"method":"ping"}', { origin: 'https://evil.example' })).status).toBe(403);
  expect((await post(`{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(300_000)}"}`)).status).toBe(413);
});

test('over stdio', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli(), 'mcp', '--url', robot.url],
    stderr: 'pipe',
  });
  const agent = await connected(transport);
  expect((await agent.listTools()).tools.map(({ name }) => name)).toContain('why');
  expect(await answer(agent, 'info')).toMatchObject({ robot: { name: 'RobotVASP' } });
});

test('over stdio a line that cannot be read is answered, and the next one is served', async () => {
  const agent = spawn(process.execPath, [builtCli(), 'mcp', '--url', robot.url]);
  const lines = createInterface({ input: agent.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value!);
  agent.stdin.write('no json\n{"jsonrpc":"2.0","id":7}\n[]\n');
  expect(await next()).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32700 } });
  expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
  expect(await next()).toMatchObject({ id: null, error: { code: -32600 } });
  agent.stdin.write(`{"jsonrpc":"2.0","id":9,"method":"${'x'.repeat(300_000)}"}\n`);
  const { error } = await next();
  expect(error.message).toMatch(/^The sandbox refused the message: .*PAYLOAD-TOO-LARGE/);
  agent.stdin.end('{"jsonrpc":"2.0","id":8,"method":"ping"}\n');
  expect(await next()).toEqual({ jsonrpc: '2.0', id: 8, result: {} });
  const [code] = await once(agent, 'close');
  expect(code).toBe(0);
});

test('over stdio without a sandbox the agent is told what to do', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [builtCli(), 'mcp', '--url', 'http://127.0.0.1:9'],
    stderr: 'pipe',
  });
  const agent = new Client({ name: 'agent', version: '1' });
  await expect(agent.connect(transport)).rejects.toThrow('robot-vasp serve');
});

test('an agent brings a VASP that fails to PASSED with nothing but the tools', async () => {
  let isFixed = false;
  const vasp = await joinSandbox({
    url: robot.url,
    boundary: {
      serving: next => async request => {
        const { status, body, headers } = await next(request);
        const isCallback = new URL(request.url).pathname.includes('callback');
        return new Response(body, { headers, status: isCallback && !isFixed && status === 200 ? 201 : status });
      },
    },
  });
  onTestFinished(() => vasp.stop());
  const agent = await overHttp(robot.url);
  const verdict = async () => {
    const { id } = await answer(agent, 'start_test_run', { plan: 'callbacks', modules: ['C1'], unattended: true });
    let run = await answer(agent, 'read_test_run', { id });
    while (run.endedAt === null) run = await answer(agent, 'read_test_run', { id });
    return run;
  };
  const first = await verdict();
  expect(first.result).toBe('FAILED');
  const { module, got } = first.failures[0];
  expect([module, got]).toEqual(['C1', expect.stringContaining('201')]);
  isFixed = true;
  expect(await verdict()).toMatchObject({ result: 'PASSED', failures: [] });
});

describe('in the hosted mode', () => {
  let world: HostedWorld;
  beforeAll(async () => {
    world = await createHostedWorld();
  });
  afterAll(() => world.close());

  test('a key is needed, and a VASP sees only its own', async () => {
    await expect(overHttp(world.url)).rejects.toThrow('UNAUTHORIZED');
    const [one, two] = [await world.register(), await world.register()];
    const agent = await overHttp(world.url, one.apiKey);
    const { body } = await answer(agent, 'request', { request: 'verify-user' });
    const { verificationUuid: uuid } = await answer(agent, 'verify', body);
    expect(await answer(agent, 'why', { uuid })).toHaveProperty('what');
    expect(await call(await overHttp(world.url, two.apiKey), 'why', { uuid })).toMatchObject({ isError: true });
  });

  test('a key that may only read changes nothing', async () => {
    const tenant = await world.register();
    const { apiKey } = await tenant.api.createKey({ name: 'reader', scope: 'read' });
    const agent = await overHttp(world.url, apiKey);
    expect(await answer(agent, 'clock')).toHaveProperty('now');
    expect(await call(agent, 'advance_clock', { duration: '1m' })).toEqual({
      isError: true,
      text: expect.stringContaining('HTTP 403'),
    });
  });
});

describe('a batch', () => {
  const QUOTAS = { QUOTA_BURST: '20', QUOTA_REQUESTS_PER_SECOND: '1' };
  const post = (url: string, apiKey: string | undefined, batch: unknown) =>
    fetch(`${url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
      },
      body: JSON.stringify(batch),
    });
  const listTools = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'tools/list' });

  test('counts as its calls against the limit of the key', async () => {
    const hosted = await createHostedWorld(QUOTAS);
    onTestFinished(() => hosted.close());
    const { apiKey } = await hosted.register();
    const answers = await (
      await post(
        hosted.url,
        apiKey,
        Array.from({ length: 8 }, (_, id) => listTools(id)),
      )
    ).json();
    expect(answers).toMatchObject(Array.from({ length: 8 }, (_, id) => ({ id, result: { tools: {} } })));
    const next = await fetch(`${hosted.url}/sandbox/v1/info`, { headers: { authorization: `Bearer ${apiKey}` } });
    const [, left] = /r=(\d+)/.exec(next.headers.get('ratelimit')!)!;
    expect(Number(left)).toBeLessThan(20 - 8);
  });

  test('is a request and an answer of the API document', async () => {
    const check = documentCheck(await loadDocument(robot.url));
    const batch = [listTools(1), 'no call'];
    expect(check.admits({ method: 'POST', template: '/mcp', path: {}, query: {}, body: batch })).toBe(true);
    expect(await check.answer('POST', '/mcp', await post(robot.url, undefined, batch))).toBeUndefined();
  });

  test('B3: holds no other batch, whose calls would count as one', async () => {
    const inner = [listTools(1), listTools(2)];
    for (const batch of [[inner], [inner, inner], [[inner]], [[]]]) {
      const answers = await (await post(robot.url, undefined, batch)).json();
      expect(answers).toMatchObject(batch.map(() => ({ id: null, error: { code: -32600 } })));
    }
    expect(await (await post(robot.url, undefined, [inner, listTools(3)])).json()).toMatchObject([
      { error: { code: -32600 } },
      { id: 3, result: { tools: {} } },
    ]);
  });

  test('has an answer for each call, none for a notification, and at most about 1 MiB of answers', async () => {
    const batch = Array.from({ length: 100 }, (_, id) => listTools(id));
    const answer = await post(robot.url, undefined, batch);
    const text = await answer.text();
    expect(text.length).toBeLessThan(1_500_000);
    const answers = JSON.parse(text) as { id: number; error?: { code: number } }[];
    expect(answers.map(({ id }) => id)).toEqual(batch.map(({ id }) => id));
    expect(answers.at(-1)!.error).toMatchObject({ code: -32005 });
    const notification = { jsonrpc: '2.0', method: 'notifications/initialized' };
    expect((await post(robot.url, undefined, [notification])).status).toBe(202);
    expect(await (await post(robot.url, undefined, [notification, listTools('a')])).json()).toMatchObject([
      { id: 'a' },
    ]);
    expect((await post(robot.url, undefined, Array(101).fill(notification))).status).toBe(400);
  });
});
