import { countTokens } from 'gpt-tokenizer';
import { expect, test } from 'vitest';
import { createRobot } from '../../src/testing.ts';
import { answer, call, overHttp } from '../support/mcp/agent.ts';
import { forFile } from '../support/world/for-file.ts';

const robot = await forFile(createRobot());

const MAX_LIST = 8_000;

test(`the list of tools has at most ${MAX_LIST} tokens`, async () => {
  const { tools } = await (await overHttp(robot.url)).listTools();
  expect(tools.length).toBeGreaterThan(35);
  expect(countTokens(JSON.stringify(tools))).toBeLessThanOrEqual(MAX_LIST);
});

test('every tool has a description, and a schema that is an object without alternatives', async () => {
  const { tools } = await (await overHttp(robot.url)).listTools();
  for (const { name, description, inputSchema } of tools) {
    expect([name, (description ?? '').length > 20]).toEqual([name, true]);
    expect([name, inputSchema.type]).toEqual([name, 'object']);
    for (const member of ['anyOf', 'oneOf', 'allOf', '$ref', 'pattern'])
      expect([name, JSON.stringify(inputSchema)]).not.toEqual([name, expect.stringContaining(`"${member}":`)]);
    const { properties = {}, required = [] } = inputSchema;
    for (const each of required)
      expect([name, Object.keys(properties)]).toEqual([name, expect.arrayContaining([each])]);
  }
  const verify = tools.find(({ name }) => name === 'verify')!;
  expect(verify.inputSchema.required).toContain('beneficiaryVaspId');
  expect(Object.keys(verify.inputSchema.properties!)).toContain('payload');
  expect(tools.find(({ name }) => name === 'why')!.inputSchema.required).toEqual(['uuid']);
});

test('every tool has the four annotations, and what only reads changes nothing', async () => {
  const { tools } = await (await overHttp(robot.url)).listTools();
  const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
  for (const [name, annotations] of Object.entries(hints)) {
    const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations!;
    for (const hint of [readOnlyHint, destructiveHint, idempotentHint, openWorldHint])
      expect([name, typeof hint]).toEqual([name, 'boolean']);
    if (readOnlyHint) expect([name, destructiveHint]).toEqual([name, false]);
  }
  const [reads, adds, sets, deletes] = [
    { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
    { readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    { readOnlyHint: false, destructiveHint: true },
  ];
  expect(hints).toMatchObject({
    why: { ...reads, openWorldHint: false },
    check_ivms101: { ...reads, openWorldHint: false },
    search_guide: { ...reads, openWorldHint: false },
    verify: { ...adds, openWorldHint: true },
    faucet: { ...adds, openWorldHint: false },
    check_endpoints: { ...adds, openWorldHint: true },
    set_vasp: { ...sets, openWorldHint: false },
    remove_faults: { ...sets, openWorldHint: false },
    reset: { ...sets, openWorldHint: false },
    chain_control: { ...deletes, openWorldHint: false },
  });
});

test('an unknown argument is refused by name', async () => {
  const agent = await overHttp(robot.url);
  expect(await call(agent, 'list_exchanges', { verificationUUID: 'x' })).toEqual({
    isError: true,
    text: expect.stringMatching(
      /^`verificationUUID` is not known\. Did you mean `verificationUuid`\? The arguments are verificationUuid, operation, /,
    ),
  });
  expect((await call(agent, 'verify', { payloads: {} })).text).toContain('`payloads` is not known.');
  expect(await call(agent, 'clock', { at: 1 })).toEqual({
    isError: true,
    text: '`at` is not known. There are no arguments.',
  });
  expect((await call(agent, 'search_guide', { words: 'x' })).text).toContain('The arguments are query.');
});

test('a plan has its titles, and a module its conditions', async () => {
  const agent = await overHttp(robot.url);
  const { plans } = await answer(agent, 'list_plans');
  expect(plans.map(({ plan }: { plan: string }) => plan)).toEqual([
    'withdrawal',
    'deposit',
    'callbacks',
    'security',
    'risk',
  ]);
  expect(plans[2].modules).toContain('C1');
  const [callbacks] = (await answer(agent, 'list_plans', { plan: 'callbacks' })).plans;
  expect(callbacks.modules[0]).toEqual({ id: 'C1', title: expect.stringContaining('200'), needs: [] });
  const [{ modules }] = (await answer(agent, 'list_plans', { module: 'W3.a' })).plans;
  expect(modules).toMatchObject([
    { id: 'W3.a', conditions: expect.arrayContaining([expect.objectContaining({ severity: 'FAILURE' })]) },
  ]);
  expect(await call(agent, 'list_plans', { module: 'X1' })).toMatchObject({ isError: true });
});

test('what is not there is refused, and null counts as absent: nobody takes an empty list for an answer', async () => {
  const agent = await overHttp(robot.url);
  const refused = (text: string) => ({ isError: true, text: expect.stringContaining(text) });
  expect(await call(agent, 'list_faults', { target: 'calback' })).toEqual(refused('Did you mean `callback`?'));
  expect(await call(agent, 'list_scenarios', { id: 'verify-user: OKK' })).toEqual(refused('`id` should be one of: '));
  expect((await answer(agent, 'list_faults', { target: null })).targets).toContain('callback');
  expect((await answer(agent, 'list_scenarios', { id: null })).scenarios).toContain('verify-user: OK');
  expect((await answer(agent, 'list_plans', { plan: 'risk', module: null })).plans).toHaveLength(1);
});

test('a VASP, a user, a ledger and all data are changed by tools', async () => {
  const agent = await overHttp(robot.url);
  const { vasp } = await answer(agent, 'info');
  await answer(agent, 'set_vasp', { vaspId: vasp.vaspId, endpoints: { callback: 'http://127.0.0.1:9/callback' } });
  const changed = await answer(agent, 'set_vasp', { vaspId: vasp.vaspId, authorization: { token: 'secret' } });
  expect(changed).toMatchObject({
    endpoints: { callback: 'http://127.0.0.1:9/callback' },
    authorization: { hasToken: true },
  });
  const { checks } = await answer(agent, 'check_endpoints', { vaspId: vasp.vaspId, endpoints: ['callback'] });
  expect(checks).toMatchObject([{ endpoint: 'callback', ok: false, problem: expect.any(String) }]);
  await answer(agent, 'set_vasp', { vaspId: vasp.vaspId, endpoints: { callback: null } });

  const { names } = await answer(agent, 'read_user', { userId: 'ethan-cook' });
  const user = { userId: 'ethan-cook', kind: 'natural', names, kyc: true };
  expect(await answer(agent, 'set_user', user)).toMatchObject({ kyc: true, source: 'changed' });
  await answer(agent, 'restore_users');
  expect((await answer(agent, 'list_users')).users).toContainEqual(
    expect.objectContaining({ id: 'ethan-cook', kyc: false }),
  );

  const mined = await answer(agent, 'chain_control', { symbol: 'ETH', control: 'mine', blocks: 3 });
  expect(mined).toMatchObject({ symbol: 'ETH', control: 'mine', head: { height: expect.any(Number) } });
  expect((await call(agent, 'chain_control', { symbol: 'XRP', control: 'mine' })).text).toContain('close');

  await answer(agent, 'order_fault', { target: 'callback', mode: 'drop' });
  expect(await answer(agent, 'list_faults', { target: 'callback' })).toMatchObject({
    faults: [{ target: 'callback' }],
    targets: [{ target: 'callback', modes: expect.any(Array) }],
  });
  await answer(agent, 'reset');
  expect(await answer(agent, 'list_balances')).toEqual({ balances: [] });
});

test('a withdrawal by tools: why names the tool that comes next', async () => {
  const agent = await overHttp(robot.url);
  const { body } = await answer(agent, 'request', { request: 'verify-user', symbol: 'XRP', amount: '25' });
  const { verificationUuid } = await answer(agent, 'verify', body);
  const [address] = body.payload.ivms101.beneficiary.accountNumber;
  const { txHash } = await answer(agent, 'faucet', { symbol: 'XRP', address, amount: '25' });
  await answer(agent, 'advance_clock', { duration: '0s' });
  const why = await answer(agent, 'why', { uuid: verificationUuid });
  expect(why.tools).toEqual([{ tool: 'report', arguments: { verificationUuid, txHash } }]);
  await answer(agent, why.tools[0].tool, why.tools[0].arguments);
  await answer(agent, 'advance_clock', { duration: '0s' });
  expect(await answer(agent, 'list_verifications', { verificationUuid })).toMatchObject({
    verifications: [{ money: 'CREDITED', report: 'CREDITED' }],
  });
  const { body: second } = await answer(agent, 'request', { request: 'verify-user' });
  const { verificationUuid: other } = await answer(agent, 'verify', second);
  await answer(agent, 'report_error', { verificationUuid: other, result: 'ERROR', reason: 'USER-CANCELED' });
  expect((await answer(agent, 'why', { uuid: other })).facts[0]).toContain('ERROR');
});

test('a scenario is a list of tools', async () => {
  const agent = await overHttp(robot.url);
  const { scenarios } = await answer(agent, 'list_scenarios');
  expect(scenarios).toContain('report: CREDITED');
  const [scenario] = (await answer(agent, 'list_scenarios', { id: 'report: CREDITED' })).scenarios;
  expect(scenario.steps.XRP.map(({ tool }: { tool: string }) => tool)).toEqual(
    expect.arrayContaining(['verify', 'faucet', 'report', 'list_verifications']),
  );
});

test('the guide is searched by any word and read by section', async () => {
  const agent = await overHttp(robot.url);
  const { hits } = await answer(agent, 'search_guide', { query: 'unfinished KYC identification zebra' });
  expect(hits[0]).toMatchObject({ href: '/codes/UNVERIFIED-KYC' });
  const { text: chapter } = await call(agent, 'read_guide', { page: 'withdrawal-test' });
  const [, section] = /^- (withdrawal-test#\S+): /m.exec(chapter)!;
  const links = [...chapter.matchAll(/\]\(([^)]+\.md[^)]*)\)/g)].map(([, link]) => link!);
  for (const page of ['results.md#what-became-of-a-report', '../../../src/contract/clauses.md', ...links])
    expect(await call(agent, 'read_guide', { page }), page).toMatchObject({ isError: false });
  const { text: ofAddress } = await call(agent, 'read_guide', { page: `${robot.url}/guide/codes/UNVERIFIED-KYC` });
  expect(ofAddress).toMatch(/^# UNVERIFIED-KYC\n/);
  const { text } = await call(agent, 'read_guide', { page: section });
  expect(text).toMatch(/^## /);
  expect(chapter).not.toContain(text);
  const { text: whole } = await call(agent, 'read_guide', { page: 'withdrawal-test', full: true });
  expect(whole).toContain(text);
  expect((await call(agent, 'read_guide', { page: '/clauses#REF-4.6.9' })).text).toContain('listed originator');
  expect(await call(agent, 'read_guide', { page: 'withdrawal-test#nothing' })).toMatchObject({ isError: true });
});

test('an argument of the path leads to no other call', async () => {
  const agent = await overHttp(robot.url);
  const { id } = await answer(agent, 'order_fault', { target: 'callback', mode: 'drop' });
  const refused = await call(agent, 'chain_control', { symbol: '..', control: 'reset' });
  expect(refused).toEqual({ isError: true, text: '`symbol` is not valid.' });
  const { faults } = await robot.api.faults();
  expect(faults.map(each => each.id)).toContain(id);
});
