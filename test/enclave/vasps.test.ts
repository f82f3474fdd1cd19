import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { scratch } from '../support/db/scratch-database.ts';
import { type Desk, openDesk, type Tester, toVasp, verifiedBy } from '../support/world/desk.ts';

const at = scratch();
let desk: Desk;
let other: Tester & { apiKey: string };
beforeAll(async () => {
  desk = await openDesk(at('vasps.sqlite'), { VASP_NAME: 'A Exchange' });
  other = await desk.register('7001');
});
afterAll(() => desk.close());

const healthOf = async (vaspId: string) =>
  (await desk.api.vasps()).vasps.find(vasp => vasp.vaspId === vaspId)!.health;

describe('WIRE-2.1: GET /v1/vasps/self', () => {
  test('names the caller: without a key the tested VASP, with a key its VASP (D-01)', async () => {
    expect(await desk.api.call('GET', '/v1/vasps/self')).toMatchObject({
      status: 200,
      body: { vaspId: desk.vaspId },
    });
    expect(Object.keys((await desk.api.call<object>('GET', '/v1/vasps/self')).body)).toEqual(['vaspId']);
    expect(await other.api.self()).toEqual({ vaspId: '7001' });
  });

  test('the word Bearer is taken in any case, the key in none but its own', async () => {
    const self = (authorization: string) =>
      fetch(`${desk.url}/v1/vasps/self`, { headers: { authorization } });
    for (const scheme of ['Bearer', 'bearer', 'BEARER'])
      expect(await (await self(`${scheme} ${other.apiKey}`)).json()).toEqual({ vaspId: '7001' });
    for (const key of [other.apiKey.toUpperCase(), `${other.apiKey}x`, other.apiKey.slice(1)])
      expect((await self(`Bearer ${key}`)).status).toBe(401);
  });
});

describe('WIRE-2.2, D-23: GET /v1/vasps', () => {
  const entry = (vaspId: string, vaspName: string) => ({
    health: 'UP',
    vaspId,
    vaspName,
    legalName: vaspName,
    isAlliance: true,
    protocol: 'VERIFYVASP',
    licensedStatus: null,
    vaspStatus: 'VERIFIED-MEMBER',
    createdAt: '2026-07-15T10:00:00.000Z',
    updatedAt: '2026-07-15T10:00:00.000Z',
  });

  test('holds the caller, the robot and the registered VASPs, each with exactly its fields; not the inactive one', async () => {
    const { status, body } = await desk.api.call<{ vasps: { vaspId: string }[] }>('GET', '/v1/vasps');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['vasps']);
    const byId = [...body.vasps].sort(
      (a, b) => a.vaspId.length - b.vaspId.length || (a.vaspId < b.vaspId ? -1 : 1),
    );
    expect(byId).toEqual([
      entry('7001', 'VASP 7001'),
      entry(desk.vaspId, 'A Exchange'),
      entry(desk.robotVaspId, 'RobotVASP'),
    ]);
    expect((await other.api.vasps()).vasps).toHaveLength(3);
  });

  test.each([
    ['', 3],
    ['?protocol=ALL', 3],
    ['?protocol=all', 3],
    ['?protocol=VERIFYVASP', 3],
    ['?protocol=CODE', 0],
  ])('%s holds %i', async (query, count) => {
    const { status, body } = await desk.api.call<{ vasps: unknown[] }>('GET', `/v1/vasps${query}`);
    expect([status, body.vasps.length]).toEqual([200, count]);
  });

  test.each(['?protocol=X', '?protocol=', '?protocol=ALL&protocol=CODE'])(
    '%s is 400 BAD-REQUEST',
    async query => {
      expect(await desk.api.call('GET', `/v1/vasps${query}`)).toMatchObject({
        status: 400,
        body: { code: 'BAD-REQUEST', message: expect.stringContaining('`protocol`') },
      });
    },
  );

  test('health is what the last answer was: DOWN after none, UP after one, whatever its status', async () => {
    expect(await healthOf('7001')).toBe('UP');
    await other.vasp.down();
    await verifiedBy(desk, toVasp(desk, '7001'));
    expect(await healthOf('7001')).toBe('DOWN');
    await other.vasp.up();
    other.vasp.script('verifyUser', undefined, { status: 500, body: {} });
    await verifiedBy(desk, toVasp(desk, '7001'));
    expect(await healthOf('7001')).toBe('UP');
    expect(await healthOf(desk.robotVaspId)).toBe('UP');
  });
});

describe('every lookup', () => {
  test.each(['/v1/vasps/self', '/v1/vasps', '/v1/verifications', '/v1/verifications/x'])(
    '%s: an unknown key is 401, another method 405, HEAD has no body',
    async path => {
      const ask = (init: RequestInit) => fetch(desk.url + path, init);
      const unknown = await ask({ headers: { authorization: 'Bearer x' } });
      expect([unknown.status, await unknown.json()]).toEqual([
        401,
        { code: 'UNAUTHORIZED', message: 'The API key is unknown.' },
      ]);
      const deleted = await ask({ method: 'DELETE' });
      expect([deleted.status, ((await deleted.json()) as { code: string }).code]).toEqual([
        405,
        'METHOD-NOT-ALLOWED',
      ]);
      expect(deleted.headers.get('allow')).toContain('GET, HEAD');
      expect(await (await ask({ method: 'HEAD' })).text()).toBe('');
    },
  );

  test('PROD-1: /healthcheck is 200 {"status":"UP"} without credentials, /readyz tells what is missing', async () => {
    const health = await fetch(`${desk.url}/healthcheck`, { headers: { authorization: 'Bearer x' } });
    expect([health.status, await health.json()]).toEqual([200, { status: 'UP' }]);
    const ready = await fetch(`${desk.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'NOT-READY',
      missing: [expect.stringMatching(/^ETH: /), expect.stringMatching(/^XRP: /)],
    });
  });
});
