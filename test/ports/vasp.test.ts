import type { Server } from 'node:http';
import { serve } from '@hono/node-server';
import { afterAll, describe, expect, test } from 'vitest';
import type { VaspVerifyUserAnswer } from '../../src/contract/vasp-api.ts';
import { endpointsAt } from '../../src/contract/vasp-api.ts';
import { API } from '../../src/enclave/http-enclave/foreign-enclave.ts';
import { isCopying, servedVasp } from '../../src/enclave/http-enclave/http-enclave.ts';
import { enclaveEndpoints } from '../../src/enclave/routes.ts';
import { type HttpVasp, httpVasp } from '../../src/vasps/directory.ts';
import { isPostponed, type Vasp } from '../../src/vasps/port.ts';
import { accountRequest, natural, userRequest } from '../support/judge/judge-request.ts';
import { json, startPeer } from '../support/vasp/peer.ts';
import { residentRobot } from '../support/vasp/resident-robot.ts';
import { servedAlone } from '../support/vasp/served-alone.ts';
import { partsWith } from '../support/world/enclave-parties.ts';

const TOKEN = { header: 'X-Test', token: 'of the tests' };
const timeoutMs = { verifyAccount: 5_000, verifyUser: 5_000, transactionStatus: 5_000, callback: 5_000 };

const robot = residentRobot();
const servers: Server[] = [];
const enclave = await startPeer();
enclave.behave(json({ code: 'VERIFICATION-NOT-FOUND', message: 'none' }, 404));
const parts = partsWith({ ENCLAVE_URL: enclave.url, ENCLAVE_TOKEN: 'unused' }, 'robot', robot.vasp);
if (!isCopying(parts.deps)) throw new Error('it has an enclave of its own');
const remote = await behindHttp(robot.vasp);
const copying = await behindHttp(servedVasp(parts.deps, robot.vasp));
afterAll(async () => {
  await Promise.all([remote.close(), copying.close()]);
  for (const server of servers) await new Promise(resolve => server.close(resolve));
  await parts.close();
  await enclave.close();
  await robot.close();
});

async function behindHttp(vasp: Vasp): Promise<HttpVasp> {
  const { fetch } = servedAlone(vasp, TOKEN);
  const server = await new Promise<Server>(resolve => {
    const started = serve({ fetch, port: 0, hostname: '127.0.0.1' }, () => resolve(started as Server));
  });
  servers.push(server);
  const { port } = server.address() as { port: number };
  const endpoints = endpointsAt(`http://127.0.0.1:${port}`);
  return httpVasp(
    { vaspId: '1', name: 'R', endpoints, authorization: TOKEN, updatedAt: 1 },
    { timeoutMs, now: () => 0, onExchange: () => {} },
  );
}

let uuids = 0;
const freshUser = (ask: Parameters<typeof userRequest>[0] = {}) => ({
  ...userRequest(ask),
  verificationUuid: `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`,
});
const wrongName = [natural('Nobody', 'Here')];

/** The same VASP, in this process and behind HTTP: who asks cannot tell them apart. */
describe.each([
  ['in this process', () => robot.vasp],
  ['behind HTTP', () => remote as Vasp],
  ['behind HTTP with copies of its verifications', () => copying as Vasp],
])('a VASP %s', (_, of) => {
  test('says whose an account is, and why not', async () => {
    const yes = await of().verifyAccount(accountRequest());
    expect(yes).toMatchObject({ accountVerificationResult: 'VERIFIED' });
    expect(yes.reason ?? 'OK').toBe('OK');
    expect(yes.verifiedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await of().verifyAccount(accountRequest({ beneficiary: wrongName }))).toMatchObject({
      accountVerificationResult: 'DENIED',
      reason: 'MISMATCHED-NAME',
    });
    expect(await of().verifyAccount(accountRequest({ symbol: 'BTC' }))).toMatchObject({
      accountVerificationResult: 'DENIED',
      reason: 'UNKNOWN-SYMBOL',
      message: 'BTC',
    });
  });

  test('verifies a user and gives what was asked for, the account number unchanged', async () => {
    const request = freshUser({ requiredInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER' });
    expect(await of().verifyUser(request, [])).toMatchObject({
      result: 'VERIFIED',
      reason: 'OK',
      version: request.version,
      ivms101: { beneficiary: request.ivms101.beneficiary },
    });
  });

  test('answers the same however often it is asked, and remembers it once', async () => {
    const request = freshUser();
    const answers: unknown[] = [];
    for (let asked = 0; asked < 3; asked++) answers.push(await of().verifyUser(request, []));
    expect(new Set(answers.map(answer => JSON.stringify(answer))).size).toBe(1);
    expect(robot.awaited(request.verificationUuid)).toBe(1);
  });

  test('denies with a reason, and awaits nothing', async () => {
    const request = freshUser({ beneficiary: wrongName });
    const answer = (await of().verifyUser(request, [])) as VaspVerifyUserAnswer;
    expect(answer).toMatchObject({ result: 'DENIED', reason: 'MISMATCHED-NAME' });
    expect(answer.ivms101?.beneficiary ?? {}).not.toHaveProperty('beneficiaryPersons');
    expect(robot.awaited(request.verificationUuid)).toBe(0);
  });

  test('throws where it knows of no transaction', async () => {
    const { verificationUuid } = freshUser();
    await expect(of().transactionStatus({ verificationUuid })).rejects.toMatchObject({ name: 'BadAnswer' });
  });

  test('takes a callback with 200, twice too, also for a verification that it does not know', async () => {
    const { verificationUuid } = freshUser();
    const data = { verificationUuid };
    for (const callback of [
      { callbackType: 'TX_REPORT', data: { ...data, txHash: '0xab' } },
      { callbackType: 'TX_REPORT', data: { ...data, txHash: '0xab' } },
      { callbackType: 'ERROR_REPORT', data: { ...data, result: 'ERROR', reason: 'USER-CANCELED' } },
      { callbackType: 'VERIFICATION_RESULT', data: { ...data, verificationResult: 'VERIFIED', reason: 'OK' } },
    ] as const) {
      const reply = await of().callback(callback);
      expect([reply.status, JSON.parse(reply.body)]).toEqual([200, { result: true }]);
    }
  });
});

test('a resident VASP that takes its time says so; over HTTP its answer is just the answer', async () => {
  const resident = await robot.vasp.verifyUser(freshUser({ user: 'answers-slowly' }), []);
  expect(isPostponed(resident)).toBe(true);
  expect(isPostponed(await copying.verifyUser(freshUser({ user: 'answers-slowly' }), []))).toBe(false);
});

test.each(['', 'Bearer ', 'of the test', 'of the tests!'])('WIRE-3: the token %j is refused with 401', async token => {
  const { port } = servers[1]!.address() as { port: number };
  const url = endpointsAt(`http://127.0.0.1:${port}`).callback;
  const answer = await fetch(url, { method: 'POST', headers: { 'x-test': token }, body: '{}' });
  expect([answer.status, await answer.json()]).toEqual([
    401,
    { code: 'UNAUTHORIZED', message: 'The token is missing or wrong.' },
  ]);
});

test('REF-4: the foreign enclave is called where ours serves', () => {
  for (const [operation, { method, path }] of Object.entries(API))
    expect(enclaveEndpoints(parts.enclave)).toContainEqual(expect.objectContaining({ operation, method, path }));
});
