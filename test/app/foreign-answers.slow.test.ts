import { beforeEach, describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { program } from '../support/process/program.ts';
import { robotAccountOf, robotVerificationOf } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { type Asked, type Behave, json, raw, startPeer } from '../support/vasp/peer.ts';
import { forFile } from '../support/world/for-file.ts';

/** The built robot behind an enclave of somebody else that answers wrongly: said to who asks, and reported once in the end. */

const TOKEN = 'token-of-the-enclave';
/** How the enclave answers all but what the robot asks by itself. */
let answering: Behave;
/** The error reports that the sound enclave has taken. */
const taken: string[] = [];
let uuids = 0;

const verification = (uuid: string) => ({
  verificationUuid: uuid,
  originatingVaspId: '17104899575711300402',
  beneficiaryVaspId: '15952089931162058999',
  result: 'VERIFIED',
  reason: 'OK',
});
const nextUuid = () => `00000000-0000-4000-8000-${String(++uuids).padStart(12, '0')}`;

function sound(response: Parameters<Behave>[0], asked: Asked): void {
  const { url, method } = asked;
  if (url === '/v1/vasps/self') return json({ vaspId: '17104899575711300402' })(response, asked);
  if (url.startsWith('/v1/vasps')) return json({ vasps: [] })(response, asked);
  if (url === '/v1/verifications' && method === 'POST')
    return json({ verificationUuid: nextUuid(), createdAt: new Date().toISOString() })(response, asked);
  if (method === 'GET') return json(verification(url.split('/').at(-1)!))(response, asked);
  taken.push(asked.body);
  return json({ result: true })(response, asked);
}

const peer = await forFile(startPeer());
peer.behave((response, asked) =>
  asked.url === '/healthcheck' || asked.url.startsWith('/v1/vasps')
    ? sound(response, asked)
    : answering(response, asked),
);
const env = { ENCLAVE_URL: peer.url, ENCLAVE_KEY: 'key', ENCLAVE_TOKEN: TOKEN, HOST: '127.0.0.2' };
const robot = await forFile(program(env, 'robot'));
await robot.start();
const api = client(robot.url);
const info = await api.info();
const user = (id: string) => info.users.find(known => known.id === id)!;
const world = { api, user, vaspId: info.vasp.vaspId, amount: () => '0.01' } as Parameters<
  typeof robotVerificationOf
>[0];
beforeEach(() => {
  answering = sound;
});

const redirect: Behave = response => response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end();
const silent: Behave = () => {};
const cut: Behave = response => response.destroy();

describe.each<[string, Behave, RegExp]>([
  ['a page instead of JSON', raw('<html>It works!</html>'), /answer of the enclave is not valid/],
  ['JSON of another shape', json({ ok: true }), /answer of the enclave is not valid/],
  ['500 with a page', raw('<h1>Bad gateway</h1>', 502), /The enclave answered with status 502/],
  ['500 with a code', json({ code: 'OOPS', message: 'broken' }, 500), /status 500: OOPS broken/],
  ['404 of a proxy', raw('not here', 404), /The enclave answered with status 404/],
  ['401', json({ code: 'UNAUTHORIZED', message: 'who?' }, 401), /Check ENCLAVE_KEY/],
  ['a redirect', redirect, /The enclave answered with status 302/],
  ['a connection that ends', cut, /enclave/],
])('an enclave that answers %s', (_, wrong, why) => {
  test('a question of the robot is refused, with the cause', async () => {
    answering = wrong;
    await expect(api.robotVerifyUser(robotVerificationOf(world))).rejects.toThrow(why);
    await expect(api.robotVerifyAccount(robotAccountOf(world))).rejects.toThrow(why);
    expect((await api.verifications({ status: 'OPEN' })).verifications).toEqual([]);
    expect((await fetch(`${robot.url}/readyz`)).status).toBe(200);
  });

  test('a report is tried again, shows the cause, and arrives once', async () => {
    const uuid = await verifiedThere();
    answering = wrong;
    await api.robotReportError(uuid, 'DENIED', 'BLACKLISTED');
    const attempts = async () => (await api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
    await until(async () => (await attempts()).attempts.length > 0);
    const { status, attempts: tried } = await attempts();
    expect([status, tried[0]!.error]).toEqual(['PENDING', expect.stringMatching(why)]);
    answering = sound;
    await api.advance('1h');
    expect((await attempts()).status).toBe('DELIVERED');
    expect(taken.filter(body => body.includes(uuid))).toHaveLength(1);
  });
});

test('a question to an enclave that never answers ends by its time limit', async () => {
  answering = silent;
  await expect(api.robotVerifyUser(robotVerificationOf(world))).rejects.toThrow(/timeout of 15000ms exceeded/);
}, 30_000);

test('a report that the enclave refuses is given up, and says why', async () => {
  const uuid = await verifiedThere();
  answering = json({ code: 'VERIFICATION-NOT-FOUND', message: 'no such verification' }, 404);
  await api.robotReportError(uuid, 'DENIED', 'BLACKLISTED');
  const callback = async () => (await api.callbacks({ verificationUuid: uuid })).callbacks[0]!;
  await until(async () => (await callback()).status === 'GIVEN-UP');
  expect((await callback()).attempts.at(-1)!.error).toContain('no such verification');
});

/** A verification of the robot, with the result that the enclave calls back. */
async function verifiedThere(): Promise<string> {
  answering = sound;
  const { verificationUuid: uuid } = await api.robotVerifyUser(robotVerificationOf(world));
  const data = { verificationUuid: uuid, verificationResult: 'VERIFIED', reason: 'OK' };
  const answer = await fetch(`${robot.url}/vasp/callback`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: JSON.stringify({ callbackType: 'VERIFICATION_RESULT', data }),
  });
  expect(answer.status).toBe(200);
  return uuid;
}
