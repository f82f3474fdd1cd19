import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { loadConfig } from '../../src/app/config/config.ts';
import { client } from '../../src/client/client.ts';
import { PAGES } from '../../src/console/pages.ts';
import { serves } from '../../src/contract/tenancy.ts';
import { CHAPTERS } from '../../src/guide/chapters.ts';
import { type Running, serve } from '../../src/main.ts';
import { problemsOf } from '../support/app/config-problems.ts';
import { commandHere } from '../support/process/command-line.ts';
import { freePort } from '../support/process/program.ts';
import { type Asker, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { testedVasp } from '../support/vasp/tested-vasp.ts';
import { HOSTED, OPERATOR_KEY } from '../support/world/hosted-world.ts';

const QUIET = {
  PORT: '0',
  DATABASE_PATH: ':memory:',
  LOG_LEVEL: 'silent',
  XRPL_CLOSE_INTERVAL: '100ms',
  CHAIN_RETRY_INTERVAL: '50ms',
};
const ROBOT = '17104899575711300402';
const startEnclave = (env: Record<string, string> = {}) =>
  serve(loadConfig({ ...QUIET, ...env }, { roles: 'enclave', joins: false }));
const startRobot = (env: Record<string, string>, joins = true) =>
  serve(loadConfig({ ...QUIET, HOST: '127.0.0.2', ...env }, { roles: 'robot', joins }));
const readyOf = async ({ url }: Running) =>
  (await (await fetch(`${url}/readyz`)).json()) as { status: string; missing?: string[] };
const aheadMs = async ({ url }: Running) => (await client(url).clock()).aheadMs;
/** A move takes some milliseconds of the machine's time. */
const expectSameTime = async (one: Running, other: Running) =>
  expect(Math.abs((await aheadMs(one)) - (await aheadMs(other)))).toBeLessThan(1_000);
const isMissing = async (robot: Running, why: string): Promise<boolean> =>
  (await readyOf(robot)).missing?.[0]?.includes(why) ?? false;

describe('a robot that has joined an enclave', () => {
  let enclave: Running;
  let robot: Running;
  beforeAll(async () => {
    enclave = await startEnclave();
    robot = await startRobot({ ENCLAVE_URL: enclave.url });
    await robot.ready();
  }, 60_000);
  afterAll(async () => {
    await robot?.stop();
    await enclave?.stop();
  });

  test('the demo leaves the addresses of another VASP alone, and says what to do', async () => {
    const callback = 'http://127.0.0.1:9/callback';
    const taken = await startEnclave({ VEGA_VERIFICATION_CALLBACK_API_PATH: callback });
    onTestFinished(() => taken.stop());
    const { code, stderr } = await commandHere(['demo', '--enclave', taken.url, '--robot', robot.url]);
    expect([code, stderr]).toEqual([1, expect.stringMatching(/registered its own endpoints\. Start .*--api-key/)]);
    const { vasps } = await client(taken.url).registeredVasps();
    expect(vasps.map(({ endpoints }) => endpoints.callback)).toContain(callback);
  });

  test('the reference VASP plays both tests over the two processes', async () => {
    const demo = ['demo', '--enclave', enclave.url, '--robot', robot.url, '--json'];
    const { code, stdout } = await commandHere(demo);
    expect([code, JSON.parse(stdout)]).toEqual([0, { result: 'PASSED', tests: 4, tookMs: expect.any(Number) }]);
    const api = client(robot.url);
    const { verifications } = await api.verifications();
    expect(verifications.map(({ role, result }) => `${role} ${result}`).sort()).toEqual([
      'beneficiary VERIFIED',
      'beneficiary VERIFIED',
      'originating VERIFIED',
      'originating VERIFIED',
    ]);
    const [paidBack] = verifications;
    // The VASP may have learned of the payment by its own inquiry, before the report arrives.
    const nextStep = async () => (await client(enclave.url).why(paidBack!.verificationUuid)).next;
    await expect.poll(nextStep, { timeout: 10_000 }).toEqual(['Credit your customer when the transaction is final.']);
    const { timeline } = await api.timeline(paidBack!.verificationUuid);
    const calls = timeline.filter(({ what }) => what === 'http').map(({ between }) => between);
    expect(calls).toContainEqual({ from: 'robot', to: 'enclave' });
    expect(calls).toContainEqual({ from: 'enclave', to: 'robot' });
    expect(calls).not.toContainEqual({ from: 'enclave', to: 'tested-vasp' });
    for (const { url } of [enclave, robot])
      for (const { verificationUuid } of verifications) {
        const page = `${url}/console/verifications/${verificationUuid}`;
        expect((await fetch(page)).status).toBe(200);
        expect((await fetch(`${page}/bundle`)).status).toBe(200);
      }
  }, 60_000);

  test('the reference VASP at the enclave is told to take the ledgers of the network', async () => {
    const { code, stderr } = await commandHere(['vasp', '--url', enclave.url, '--json']);
    expect([code, JSON.parse(stderr)]).toMatchObject([
      1,
      { code: 'NO-LEDGER', message: expect.stringContaining('Set --eth-url and --xrpl-url') },
    ]);
  });

  test('its clock goes with that of the enclave: one advance lists the timers of both', async () => {
    const vasp = await testedVasp();
    onTestFinished(() => vasp.close());
    const api = client(enclave.url);
    const info = await client(robot.url).info();
    await api.changeVasp(info.vasp.vaspId, { endpoints: vasp.endpoints });
    const asker = { api, vasp, robotVaspId: ROBOT, amount: () => '0.5' };
    const user = (id: string) => info.users.find(known => known.id === id)!;
    const { uuid } = await verified({ ...asker, user } as Asker);
    const inquiries = ({ fired }: Awaited<ReturnType<typeof api.advance>>) =>
      fired.filter(({ kind, key }) => kind === 'robot.deposit.inquire' && key === uuid).length;
    expect(inquiries(await api.advance('9m'))).toBe(0);
    const advanced = await api.advance('2m');
    expect([inquiries(advanced), advanced.behind]).toEqual([1, []]);
    expect(vasp.received('transactionStatus', uuid)).toHaveLength(1);
    await expectSameTime(robot, enclave);
  }, 60_000);

  test('it asks for no address of the VASP, which the enclave has', async () => {
    const { attention } = await client(robot.url).health();
    expect(attention.map(({ what }) => what)).not.toContain('endpoint-missing');
    await expect(client(robot.url).addFault({ target: 'answer.verify-user', mode: 'drop' })).rejects.toThrow(
      /is of the enclave/,
    );
  });

  test('it says which part runs, and which process has the rest', async () => {
    expect((await client(robot.url).info()).roles).toEqual(['robot']);
    for (const path of ['/v1/vasps/self', '/sandbox/v1/assessments', '/sandbox/v1/runs']) {
      const answer = await fetch(robot.url + path);
      expect([answer.status, await answer.json()]).toEqual([
        404,
        { code: 'NOT-FOUND', message: expect.stringMatching(/The enclave has|`robot-vasp serve` has/) },
      ]);
    }
  });

  test('every page of the console is shown, and those of the enclave are not there', async () => {
    for (const { path, servedBy = 'all', audience = ['local'] } of PAGES) {
      if (path.includes(':') || !audience.includes('local')) continue;
      const isHere = servedBy === 'all' || servedBy === 'robot';
      const { status } = await fetch(`${robot.url}/console${path}`);
      expect([path, status]).toEqual([path, isHere ? 200 : 404]);
    }
  });

  test('no page leads to one that is not there, in the console and in the guide', async () => {
    for (const { url, roles } of [
      { url: robot.url, roles: 'robot' },
      { url: enclave.url, roles: 'enclave' },
    ] as const) {
      const shown = PAGES.filter(
        ({ path, servedBy = 'all', audience = ['local'] }) =>
          !path.includes(':') && audience.includes('local') && serves(servedBy, roles),
      ).map(({ path }) => `/console${path}`);
      const guide = [...Object.keys(CHAPTERS), 'codes/MISMATCHED-NAME'].map(name => `/guide/${name}`);
      const linked = new Set<string>();
      for (const page of [...shown, ...guide]) {
        const answer = await fetch(url + page);
        expect([page, answer.status]).toEqual([page, 200]);
        for (const [, place] of (await answer.text()).matchAll(/(?:href|<form action)="(\/console[^"#?]*)/g))
          linked.add(place!);
      }
      const palette = (await (await fetch(`${url}/console/palette`)).json()) as { href: string }[];
      for (const { href } of palette) linked.add(href);
      for (const place of linked) {
        const { status } = await fetch(url + place, { redirect: 'manual' });
        expect([roles, place, status]).not.toEqual([roles, place, 404]);
      }
    }
  }, 60_000);

  test('without the token of the enclave nobody asks it', async () => {
    const answer = await fetch(`${robot.url}/vasp/verify-user`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(401);
  });
});

test('a robot whose enclave is away starts, says so, and joins when it comes', async () => {
  const port = String(await freePort());
  const robot = await startRobot({ ENCLAVE_URL: `http://127.0.0.1:${port}` });
  onTestFinished(() => robot.stop());
  await until(() => isMissing(robot, 'cannot be reached (ECONNREFUSED)'));
  const enclave = await startEnclave({ PORT: port });
  onTestFinished(() => enclave.stop());
  await robot.ready();
  expect(await readyOf(robot)).toEqual({ status: 'READY' });
  await enclave.stop();
  await until(async () => (await readyOf(robot)).status === 'NOT-READY');
}, 30_000);

test('a robot that was away is named, and is at the time of the enclave when it joins again', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-clocks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const enclave = await startEnclave();
  onTestFinished(() => enclave.stop());
  const own = { ENCLAVE_URL: enclave.url, DATABASE_PATH: join(folder, 'robot.sqlite') };
  const first = await startRobot(own);
  await first.ready();
  await first.stop();
  const api = client(enclave.url);
  const why = 'The robot could not be reached (ECONNREFUSED).';
  const { behind } = await api.advance('1h');
  expect(behind).toEqual([{ vaspId: ROBOT, name: 'RobotVASP', why }]);
  const { stdout } = await commandHere(['advance', '1m', '--url', enclave.url]);
  expect(stdout).toContain(`the clock of RobotVASP (${ROBOT}) stays behind: ${why}`);
  const second = await startRobot(own);
  onTestFinished(() => second.stop());
  await second.ready();
  await expectSameTime(second, enclave);
  expect((await api.reset()).behind).toEqual([]);
  expect([await aheadMs(enclave), await aheadMs(second)]).toEqual([0, 0]);
}, 60_000);

test('nobody moves the clock of a robot without the token of its enclave', async () => {
  const robot = await startRobot({ ENCLAVE_URL: 'http://127.0.0.1:1', ENCLAVE_TOKEN: 'token' }, false);
  onTestFinished(() => robot.stop());
  const tell = async (authorization: string, body: object) => {
    const request = { method: 'POST', headers: { authorization }, body: JSON.stringify(body) };
    return (await fetch(`${robot.url}/vasp/clock`, request)).status;
  };
  const order = { vaspId: '7', aheadMs: 1_000, isReset: false };
  expect(await tell('Bearer other', order)).toBe(401);
  expect(await tell('Bearer token', { ...order, aheadMs: -1 })).toBe(400);
  expect(await tell('Bearer token', order)).toBe(200);
}, 60_000);

test('its key outlives it, and a robot without the key finds the place taken', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'robot-vasp-joined-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const enclave = await startEnclave();
  onTestFinished(() => enclave.stop());
  const own = { ENCLAVE_URL: enclave.url, DATABASE_PATH: join(folder, 'robot.sqlite') };
  for (let start = 0; start < 2; start++) {
    const robot = await startRobot(own);
    await robot.ready();
    await robot.stop();
  }
  const stranger = await startRobot({ ENCLAVE_URL: enclave.url });
  onTestFinished(() => stranger.stop());
  await until(() => isMissing(stranger, 'set ENCLAVE_KEY to its key'));
}, 60_000);

test('a hosted enclave takes it with an invitation', async () => {
  const hosted = loadConfig({ ...QUIET, ...HOSTED }, { roles: 'enclave', joins: false });
  const enclave = await serve(hosted);
  onTestFinished(() => enclave.stop());
  const operator = client(enclave.url, { apiKey: OPERATOR_KEY });
  const { invitation } = await operator.invite({ name: 'Robot' });
  const uninvited = await startRobot({ ENCLAVE_URL: enclave.url });
  onTestFinished(() => uninvited.stop());
  await until(() => isMissing(uninvited, 'ENCLAVE_INVITATION'));
  const robot = await startRobot({ ENCLAVE_URL: enclave.url, ENCLAVE_INVITATION: invitation });
  onTestFinished(() => robot.stop());
  await robot.ready();
  const { tenants } = await operator.tenants();
  expect(tenants.map(({ vaspId }) => vaspId)).toContain(ROBOT);
}, 60_000);

test('an enclave that takes the robot for another VASP, or refuses its key, is named', async () => {
  const enclave = await startEnclave();
  onTestFinished(() => enclave.stop());
  const withoutKey = { ENCLAVE_URL: enclave.url, ENCLAVE_TOKEN: 'token' };
  for (const [env, why] of [
    [withoutKey, 'takes the robot for VASP 15952089931162058999'],
    [{ ...withoutKey, ENCLAVE_KEY: 'unknown' }, `refuses the key (401): set ENCLAVE_KEY to the key of VASP ${ROBOT}`],
  ] as const) {
    const robot = await startRobot(env, false);
    onTestFinished(() => robot.stop());
    await until(() => isMissing(robot, why));
  }
}, 60_000);

test('the start refuses what cannot work', () => {
  const problems = (env: Record<string, string>, joins: boolean) => problemsOf(env, { roles: 'robot', joins });
  expect(problems({}, true)).toEqual([expect.stringContaining('ENCLAVE_URL is missing')]);
  expect(problems({ ENCLAVE_URL: 'enclave' }, true)).toEqual([expect.stringContaining('ENCLAVE_URL is not')]);
  const url = { ENCLAVE_URL: 'http://127.0.0.1:1' };
  expect(problems(url, false)).toEqual([expect.stringContaining('ENCLAVE_TOKEN is missing')]);
  expect(problems({ ...url, HOST: '0.0.0.0' }, true)).toEqual([expect.stringContaining('ROBOT_URL is missing')]);
  expect(problems({ ...url, MODE: 'hosted' }, true)).toContainEqual(
    expect.stringContaining('MODE=hosted is for an enclave'),
  );
  expect(problems({ ...url, ETH_RPC_URL: 'http://127.0.0.1:1', ETH_CHAIN_ID: '1' }, true)).toContainEqual(
    expect.stringContaining('ETH_CHAIN_ID 1 is no known test network'),
  );
});
