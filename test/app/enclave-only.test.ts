import { afterAll, expect, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { client } from '../../src/client/client.ts';
import { PAGES } from '../../src/console/pages.ts';
import { serve } from '../../src/main.ts';
import { overHttp } from '../support/mcp/agent.ts';
import { commandHere } from '../support/process/command-line.ts';

const env = { PORT: '0', DATABASE_PATH: ':memory:', LOG_LEVEL: 'error' };
const enclave = await serve(loadConfig(env, { roles: 'enclave', joins: false }));
await enclave.ready();
afterAll(() => enclave?.stop());

const get = async (path: string) => {
  const response = await fetch(enclave.url + path);
  return { status: response.status, text: await response.text() };
};

test('it is ready at once, says which part runs, and knows no robot', async () => {
  expect(await get('/readyz')).toEqual({ status: 200, text: '{"status":"READY"}' });
  const info = await client(enclave.url).info();
  expect([info.roles, info.chains, info.users]).toEqual([['enclave'], [], []]);
  const { vasps } = await client(enclave.url).vasps();
  expect(vasps.map(({ vaspId }) => vaspId)).toEqual([info.vasp.vaspId]);
});

test.each([
  ['/vega/robot/v1.0/testnet/balance', 'robot-vasp robot'],
  ['/sandbox/v1/users', 'robot-vasp robot'],
  ['/sandbox/v1/transfers', 'robot-vasp robot'],
  ['/devnet/ethereum', 'robot-vasp robot'],
  ['/sandbox/v1/runs', 'robot-vasp serve'],
  ['/sandbox/v1/reference-vasp', 'robot-vasp serve'],
])('%s is in another process, and the answer says in which', async (path, command) => {
  const { status, text } = await get(path);
  expect([status, JSON.parse(text)]).toEqual([404, { code: 'NOT-FOUND', message: expect.any(String) }]);
  expect(JSON.parse(text).message).toContain(`\`${command}\``);
});

test('the document and the tools of agents have only what is here', async () => {
  const { paths } = JSON.parse((await get('/openapi.json')).text) as { paths: object };
  const elsewhere = /^\/(vega|devnet|\.well-known|sandbox\/v1\/(users|runs|deposits|scenarios|chains|faucet))/;
  expect(Object.keys(paths).filter(path => elsewhere.test(path))).toEqual([]);
  expect(Object.keys(paths)).toContain('/v1/verifications');
  const listed = await fetch(`${enclave.url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  const { result } = (await listed.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.length).toBeGreaterThan(3);
});

test('an agent reads the guide where no runs are', async () => {
  const agent = await overHttp(enclave.url);
  const { resources } = await agent.listResources();
  expect(resources.map(({ uri }) => uri)).toContain('robot-vasp://guide/your-vasp');
  const inAnotherProcess = /-32602.*robot-vasp serve/;
  await expect(agent.readResource({ uri: 'robot-vasp://runs/1' })).rejects.toThrow(inAnotherProcess);
  const ref = { type: 'ref/resource' as const, uri: 'robot-vasp://runs/{id}' };
  await expect(agent.complete({ ref, argument: { name: 'id', value: '' } })).rejects.toThrow(inAnotherProcess);
});

test('time moves, and no ledger is read', async () => {
  const before = Date.parse((await client(enclave.url).clock()).now);
  const { now } = await client(enclave.url).advance('10m');
  expect(Date.parse(now) - before).toBeGreaterThanOrEqual(600_000);
  expect((await client(enclave.url).health()).chains).toEqual([]);
});

test('every page of the console is shown, and those of the robot are not there', async () => {
  for (const { path, servedBy = 'all', audience = ['local'] } of PAGES) {
    if (path.includes(':') || !audience.includes('local')) continue;
    const isHere = servedBy === 'all' || servedBy === 'enclave';
    expect([path, (await get(`/console${path}`)).status]).toEqual([path, isHere ? 200 : 404]);
  }
});

test('faults of the robot are ordered there', async () => {
  const order = { target: 'robot.verifyUser', mode: 'drop' } as const;
  await expect(client(enclave.url).addFault(order)).rejects.toThrow(/is of the robot, which is another process/);
  expect((await client(enclave.url).addFault({ target: 'answer.verify-user', mode: 'drop' })).target).toBe(
    'answer.verify-user',
  );
  await client(enclave.url).removeFaults();
});

test('a second VASP registers and calls', async () => {
  const { apiKey } = await client(enclave.url).registerVasp('42', { name: 'Second', endpoints: {} });
  expect(await client(enclave.url, { apiKey }).self()).toEqual({ vaspId: '42' });
});

test('`robot-vasp open` says that this process lacks a page of the robot', async () => {
  const open = (page: string) => commandHere(['open', page, '--url', enclave.url]);
  const { code, stdout, stderr } = await open('users');
  expect([code, stdout]).toEqual([4, '']);
  expect(stderr).toContain(`${enclave.url}/console/users does not exist there: it belongs to the other part`);
  expect((await open('callbacks')).stdout).toBe(`${enclave.url}/console/callbacks\n`);
});
