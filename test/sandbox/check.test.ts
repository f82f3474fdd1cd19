import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SandboxAnswers, VaspRegistration } from '../../src/client/answers.ts';
import { Refused } from '../../src/client/client.ts';
import { SAMPLE_UUID } from '../../src/sandbox/checks/samples.ts';
import { CheckResponse } from '../../src/sandbox/checks/schema.ts';
import { endpointsAt } from '../../src/vasps/serve-vasp.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { type Behave, json, type Peer, raw, startPeer } from '../support/vasp/peer.ts';
import { selfSignedServer } from '../support/vasp/self-signed-server.ts';
import {
  type ChainlessWorld,
  createChainlessWorld,
  toRobot,
  verifiedBy,
} from '../support/world/chainless-world.ts';

const at = scratchDatabase();
/** Patient enough for a busy machine; the other one is for what comes late. */
let world: ChainlessWorld;
let hasty: ChainlessWorld;
let peer: Peer;
let tls: Awaited<ReturnType<typeof selfSignedServer>>;
const within = (ms: number, user = ms) => ({
  VASP_TIMEOUT_ACCOUNT: `${ms}ms`,
  VASP_TIMEOUT_USER: `${user}ms`,
  VASP_TIMEOUT_TRANSACTION: `${ms}ms`,
  VASP_TIMEOUT_CALLBACK: `${ms}ms`,
});
beforeAll(async () => {
  peer = await startPeer();
  tls = await selfSignedServer();
  world = await createChainlessWorld(at('check.sqlite'), within(20_000));
  hasty = await createChainlessWorld(at('hasty.sqlite'), within(2_000, 250));
});
beforeEach(async () => {
  peer.asked.length = 0;
  await is({});
});
afterAll(async () => {
  await world.close();
  await hasty.close();
  await peer.close();
  await tls.close();
});

type Check = SandboxAnswers['checks']['checks'][number];
const TOKEN = 't0p-secret-of-check';
const is = (change: Partial<VaspRegistration>, { api, vaspId } = world) =>
  api.registerVasp(vaspId, {
    name: 'Tested VASP',
    endpoints: endpointsAt(peer.url),
    authorization: { header: 'Authorization', token: TOKEN },
    ...change,
  });
const check = async (...endpoints: Check['endpoint'][]): Promise<Check[]> =>
  (await world.api.checkVasp(world.vaspId, endpoints.length === 0 ? {} : { endpoints })).checks;
const checkOne = async (endpoint: Check['endpoint']): Promise<Check> => (await check(endpoint))[0]!;

const ACCOUNT = ['0x000000000000000000000000000000000000dead'];
const denied = { result: 'DENIED', reason: 'UNKNOWN-ADDRESS', message: ACCOUNT[0], version: '1.0' };
const verified = {
  result: 'VERIFIED',
  reason: 'OK',
  version: '1.0',
  ivms101: { beneficiary: { accountNumber: ACCOUNT } },
};
const accountDenied = {
  accountVerificationResult: 'DENIED',
  reason: 'UNKNOWN-ADDRESS',
  verifiedAt: '2026-07-15T10:00:00.000Z',
};
const RIGHT = {
  '/verify-user': denied,
  '/verify-account': accountDenied,
  '/transaction-status': { verificationUuid: SAMPLE_UUID, transactionStatus: 'PENDING' },
  '/callback': { result: true },
} as Record<string, object>;
const right: Behave = (response, asked) => json(RIGHT[asked.url])(response, asked);

test('all four are called with a recognisable sample, the header of the registration and nothing else', async () => {
  peer.behave(right);
  const checks = await check();
  expect(CheckResponse.parse({ checks })).toEqual({ checks });
  expect(checks.map(({ endpoint, ok, status, problem }) => [endpoint, ok, status, problem])).toEqual([
    ['verifyUser', true, 200, null],
    ['verifyAccount', true, 200, null],
    ['transactionStatus', true, 200, null],
    ['callback', true, 200, null],
  ]);
  for (const { url, endpoint, request, response } of checks) {
    const path = new URL(url!).pathname;
    const asked = peer.asked.find(each => each.url === path)!;
    expect(url, endpoint).toBe(peer.url + path);
    expect(JSON.parse(asked.body), endpoint).toEqual(request);
    expect(asked.headers.authorization, endpoint).toBe(`Bearer ${TOKEN}`);
    expect(response, endpoint).toBe(JSON.stringify(RIGHT[path]));
  }
  expect(peer.asked).toHaveLength(4);
});

test('the calls stand among the exchanges, and open nothing', async () => {
  peer.behave(right);
  const before = world.rows();
  await check();
  const { exchanges } = await world.api.exchanges({ limit: 4 });
  expect(exchanges.map(({ operation, direction, status }) => [operation, direction, status]).sort()).toEqual([
    ['callback', 'OUT', 200],
    ['transactionStatus', 'OUT', 200],
    ['verifyAccount', 'OUT', 200],
    ['verifyUser', 'OUT', 200],
  ]);
  expect(world.rows()).toEqual(before);
});

test('only those that are named are called, each once', async () => {
  peer.behave(right);
  expect((await check('callback', 'callback')).map(({ endpoint }) => endpoint)).toEqual(['callback']);
  expect(peer.asked.map(({ url }) => url)).toEqual(['/callback']);
});

describe('what a VASP may rightly answer is ok', () => {
  test.each<[Check['endpoint'], object]>([
    ['verifyUser', verified],
    ['verifyUser', { ...denied, reason: 'MISMATCHED-NAME', message: '' }],
    ['verifyUser', { ...denied, result: 'UNKNOWN' }],
    ['verifyUser', { ...denied, result: 'ERROR', reason: 'UNDEFINED-ERROR' }],
    ['verifyAccount', { accountVerificationResult: 'VERIFIED', verifiedAt: '2026-07-15T10:00:00.000Z' }],
    ['transactionStatus', { verificationUuid: SAMPLE_UUID, transactionStatus: 'CANCELED', txHash: '' }],
  ])('%s: %j', async (endpoint, answer) => {
    peer.behave(json(answer));
    expect(await checkOne(endpoint)).toMatchObject({ ok: true, problem: null, hint: null });
  });

  test('a callback that answers 200 with something else counts; the hint says what is documented', async () => {
    peer.behave(raw('ok'));
    expect(await checkOne('callback')).toMatchObject({
      ok: true,
      problem: null,
      hint: expect.stringContaining('{"result": true}'),
    });
  });
});

const STATUSES: [number, RegExp, RegExp][] = [
  [201, /status 201 instead of 200/, /exactly 200/],
  [302, /status 302/, /Redirects are not followed/],
  [400, /status 400/, /do not know/],
  [404, /status 404/, /Compare the path/],
  [405, /status 405/, /POST/],
  [415, /status 415/, /application\/json/],
  [500, /status 500/, /its log says why/],
  [503, /status 503/, /its log says why/],
];
describe.each(STATUSES)('status %i', (status, problem, hint) => {
  test.each<Check['endpoint']>(['verifyUser', 'verifyAccount', 'callback'])('of %s', async endpoint => {
    peer.behave(json({ result: true }, status));
    const checked = await checkOne(endpoint);
    expect(checked).toMatchObject({ ok: false, status, response: '{"result":true}' });
    expect(checked.problem).toMatch(problem);
    expect(checked.hint).toMatch(hint);
  });
});

interface Flawed {
  what: string;
  endpoint: Check['endpoint'];
  behave: Behave;
  problem: RegExp;
  hint: RegExp;
}
const FLAWED: Flawed[] = [
  {
    what: 'not JSON',
    endpoint: 'verifyUser',
    behave: raw('<html>'),
    problem: /not JSON/,
    hint: /API document/,
  },
  {
    what: 'an array',
    endpoint: 'verifyUser',
    behave: json([]),
    problem: /a JSON object/,
    hint: /API document/,
  },
  {
    what: 'a missing member',
    endpoint: 'verifyUser',
    behave: json({ ...denied, version: undefined }),
    problem: /`version` is required/,
    hint: /API document/,
  },
  {
    what: 'an unknown result',
    endpoint: 'verifyUser',
    behave: json({ ...denied, result: 'YES' }),
    problem: /`result` should be one of `VERIFIED`, `DENIED`/,
    hint: /API document/,
  },
  {
    what: 'VERIFIED without the account number',
    endpoint: 'verifyUser',
    behave: json({ ...verified, ivms101: undefined }),
    problem: /`ivms101.beneficiary.accountNumber` is required when the result is VERIFIED/,
    hint: /API document/,
  },
  {
    what: 'another account number',
    endpoint: 'verifyUser',
    behave: json({ ...verified, ivms101: { beneficiary: { accountNumber: ['0xdead'] } } }),
    problem: /`ivms101.beneficiary.accountNumber` came back changed/,
    hint: /BENEFICIARY-ACCOUNT-NOT-MATCHED/,
  },
  {
    what: 'DENIED without a reason',
    endpoint: 'verifyAccount',
    behave: json({ ...accountDenied, reason: undefined }),
    problem: /`reason` should be a reason of DENIED/,
    hint: /API document/,
  },
  {
    what: 'another verification',
    endpoint: 'transactionStatus',
    behave: json({ verificationUuid: 'another', transactionStatus: 'PENDING' }),
    problem: /`verificationUuid` came back changed/,
    hint: /verificationUuid of the request/,
  },
  {
    what: 'an unknown status',
    endpoint: 'transactionStatus',
    behave: json({ verificationUuid: SAMPLE_UUID, transactionStatus: 'DONE' }),
    problem: /`transactionStatus` should be one of `PENDING`/,
    hint: /API document/,
  },
  {
    what: 'refuses the made-up verification',
    endpoint: 'transactionStatus',
    behave: json({ error: 'unknown' }, 404),
    problem: /status 404/,
    hint: /made up, so your VASP may be right. Make a withdrawal test/,
  },
  {
    what: 'a connection that breaks',
    endpoint: 'callback',
    behave: response => response.destroy(),
    problem: /gave no HTTP answer/,
    hint: /https:\/\//,
  },
  {
    what: 'an answer without end',
    endpoint: 'callback',
    behave: raw('x'.repeat(300_000)),
    problem: /longer than 256 KiB/,
    hint: /only/,
  },
];
test.each(FLAWED)('$endpoint: $what', async ({ endpoint, behave, problem, hint }) => {
  peer.behave(behave);
  const checked = await checkOne(endpoint);
  expect(checked.ok).toBe(false);
  expect(checked.problem).toMatch(problem);
  expect(checked.hint).toMatch(hint);
});

describe('what comes late', () => {
  const checkHasty = async (endpoint: Check['endpoint'], behave: Behave): Promise<Check> => {
    await is({}, hasty);
    peer.behave(behave);
    return (await hasty.api.checkVasp(hasty.vaspId, { endpoints: [endpoint] })).checks[0]!;
  };

  test('is a problem that names the limit of the call', async () => {
    const checked = await checkHasty('verifyUser', () => {});
    expect(checked).toMatchObject({ ok: false, status: null, response: null });
    expect(checked.problem).toMatch(/within 250ms, the limit of this call/);
    expect(checked.hint).toMatch(/Answer faster.*firewall/);
  });

  test('after more than half of its time is ok, with a warning', async () => {
    const slow: Behave = (response, asked) => void setTimeout(() => right(response, asked), 1_050);
    expect(await checkHasty('callback', slow)).toMatchObject({
      ok: true,
      hint: expect.stringMatching(/^The answer took \d+ ms of 2s/),
    });
  });
});

describe('addresses that lead nowhere', () => {
  const port = () => new URL(peer.url).port;
  test.each<[string, () => string | undefined, RegExp, RegExp]>([
    ['none', () => undefined, /No address is configured/, /full address/],
    ['refused', () => 'http://127.0.0.1:1/x', /127\.0\.0\.1:1 was refused/, /host\.docker\.internal/],
    ['unknown host', () => 'http://vasp.invalid/x', /host name vasp\.invalid is unknown/, /spelling/],
    ['TLS where none is', () => `https://127.0.0.1:${port()}/x`, /does not speak TLS/, /Use http:/],
    ['untrusted TLS', () => `https://127.0.0.1:${tls.port}/x`, /certificate of .* is not trusted/, /CA/],
    ['no TLS where it is', () => `http://127.0.0.1:${tls.port}/x`, /gave no HTTP answer/, /use https/],
  ])('%s', async (_, url, problem, hint) => {
    peer.behave(right);
    const verifyUser = url();
    await is({ endpoints: { ...endpointsAt(peer.url), verifyUser } });
    const [checked, other] = await check('verifyUser', 'callback');
    expect(checked).toMatchObject({ ok: false, url: verifyUser ?? null, status: null, response: null });
    expect(checked!.problem).toMatch(problem);
    expect(checked!.hint).toMatch(hint);
    expect(other!.ok).toBe(true);
  });
});

describe('401 says which header was sent, never the token', () => {
  test.each<[string, VaspRegistration['authorization'], RegExp]>([
    ['Bearer', { header: 'Authorization', token: TOKEN }, /`Authorization: Bearer <your token>` was sent/],
    ['its own header', { header: 'X-Api-Key', token: TOKEN }, /`X-Api-Key: <your token>` was sent/],
    ['none', { header: 'X-Api-Key' }, /No authorization header was sent/],
  ])('%s', async (_, authorization, problem) => {
    peer.behave(json({ error: 'unauthorized' }, 401));
    await is({ authorization });
    const checks = await check();
    for (const each of checks) expect(each.problem).toMatch(problem);
    expect(JSON.stringify(checks)).not.toContain(TOKEN);
  });
});

test('transactionStatus asks about the newest VERIFIED withdrawal, which has to be known', async () => {
  await is({ endpoints: world.vasp.endpoints });
  const uuid = await verifiedBy(world, toRobot(world));
  await is({});
  peer.behave(json({ error: 'unknown' }, 404));
  expect(await checkOne('transactionStatus')).toMatchObject({
    ok: false,
    request: { verificationUuid: uuid },
    hint: expect.stringContaining('your newest VERIFIED withdrawal'),
  });
  await world.api.reset();
});

describe('who may check', () => {
  test('a VASP itself alone, with its own key', async () => {
    const other = await world.register('9100');
    expect((await other.api.checkVasp('9100', { endpoints: ['callback'] })).checks[0]!.ok).toBe(true);
    for (const [api, vaspId] of [
      [world.api, '9100'],
      [other.api, world.vaspId],
      [world.api, world.robotVaspId],
    ] as const)
      await expect(api.checkVasp(vaspId)).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(other.vasp.received('verifyUser')).toEqual([]);
  });

  test('nobody there is 404', async () => {
    await expect(world.api.checkVasp('77')).rejects.toMatchObject({ status: 404, code: 'NOT-FOUND' });
  });

  test.each([[['elsewhere']], [[]], ['callback']])('endpoints %j are 400', async endpoints => {
    const refused = await world.api.checkVasp(world.vaspId, { endpoints: endpoints as never }).catch(e => e);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ status: 400, code: 'BAD-REQUEST' });
    expect(refused.message).toContain('`endpoints');
  });
});
