import { describe, expect, test } from 'vitest';
import { Refused } from '../../src/client/client.ts';
import { CheckResponse } from '../../src/sandbox/checks.ts';
import { SAMPLE_UUID } from '../../src/sandbox/probes.ts';
import { json, raw } from '../support/vasp/peer.ts';
import { toRobot, verifiedBy } from '../support/world/chainless-world.ts';
import { type Check, checkedWorld, denied, RIGHT, right, TOKEN, verified } from '../support/world/checked-world.ts';

const vasp = checkedWorld();

test('all four are called with a recognisable sample, the header of the registration and nothing else', async () => {
  vasp.peer.behave(right);
  const checks = await vasp.check();
  expect(CheckResponse.parse({ checks })).toEqual({ checks });
  expect(checks.map(({ endpoint, ok, status, problem }) => [endpoint, ok, status, problem])).toEqual([
    ['verifyUser', true, 200, null],
    ['verifyAccount', true, 200, null],
    ['transactionStatus', true, 200, null],
    ['callback', true, 200, null],
  ]);
  for (const { url, endpoint, request, response } of checks) {
    const path = new URL(url!).pathname;
    const asked = vasp.peer.asked.find(each => each.url === path)!;
    expect(url, endpoint).toBe(vasp.peer.url + path);
    expect(JSON.parse(asked.body), endpoint).toEqual(request);
    expect(asked.headers.authorization, endpoint).toBe(`Bearer ${TOKEN}`);
    expect(response, endpoint).toBe(JSON.stringify(RIGHT[path]));
  }
  expect(vasp.peer.asked).toHaveLength(4);
});

test('the calls stand among the exchanges, and open nothing', async () => {
  vasp.peer.behave(right);
  const before = vasp.world.rows();
  await vasp.check();
  const { exchanges } = await vasp.world.api.exchanges({ limit: 4 });
  expect(exchanges.map(({ operation, direction, status }) => [operation, direction, status]).sort()).toEqual([
    ['callback', 'OUT', 200],
    ['transactionStatus', 'OUT', 200],
    ['verifyAccount', 'OUT', 200],
    ['verifyUser', 'OUT', 200],
  ]);
  expect(vasp.world.rows()).toEqual(before);
});

test('only those that are named are called, each once', async () => {
  vasp.peer.behave(right);
  expect((await vasp.check('callback', 'callback')).map(({ endpoint }) => endpoint)).toEqual(['callback']);
  expect(vasp.peer.asked.map(({ url }) => url)).toEqual(['/callback']);
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
    vasp.peer.behave(json(answer));
    expect(await vasp.checkOne(endpoint)).toMatchObject({ ok: true, problem: null, hint: null });
  });

  test('a callback that answers 200 with something else counts; the hint says what is documented', async () => {
    vasp.peer.behave(raw('ok'));
    expect(await vasp.checkOne('callback')).toMatchObject({
      ok: true,
      problem: null,
      hint: expect.stringContaining('{"result": true}'),
    });
  });
});

test('transactionStatus asks about the newest VERIFIED withdrawal, which has to be known', async () => {
  await vasp.is({ endpoints: vasp.world.vasp.endpoints });
  const uuid = await verifiedBy(vasp.world, toRobot(vasp.world));
  await vasp.is({});
  vasp.peer.behave(json({ error: 'unknown' }, 404));
  expect(await vasp.checkOne('transactionStatus')).toMatchObject({
    ok: false,
    request: { verificationUuid: uuid },
    hint: expect.stringContaining('your newest VERIFIED withdrawal'),
  });
  await vasp.world.api.reset();
});

describe('who may check', () => {
  test('a VASP itself alone, with its own key', async () => {
    const other = await vasp.world.register('9100');
    expect((await other.api.checkVasp('9100', { endpoints: ['callback'] })).checks[0]!.ok).toBe(true);
    for (const [api, vaspId] of [
      [vasp.world.api, '9100'],
      [other.api, vasp.world.vaspId],
      [vasp.world.api, vasp.world.robotVaspId],
    ] as const)
      await expect(api.checkVasp(vaspId)).rejects.toMatchObject({ status: 401, code: 'UNAUTHORIZED' });
    expect(other.vasp.received('verifyUser')).toEqual([]);
  });

  test('nobody there is 404', async () => {
    await expect(vasp.world.api.checkVasp('77')).rejects.toMatchObject({ status: 404, code: 'NOT-FOUND' });
  });

  test.each([[['elsewhere']], [[]], ['callback']])('endpoints %j are 400', async endpoints => {
    const refused = await vasp.world.api.checkVasp(vasp.world.vaspId, { endpoints: endpoints as never }).catch(e => e);
    expect(refused).toBeInstanceOf(Refused);
    expect(refused).toMatchObject({ status: 400, code: 'BAD-REQUEST' });
    expect(refused.message).toContain('`endpoints');
  });
});
