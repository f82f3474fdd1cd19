import { describe, expect, test } from 'vitest';
import { toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile({ VASP_NAME: 'A Exchange' });
const other = await world.register('7001');

const healthOf = async (vaspId: string) => (await world.api.vasps()).vasps.find(vasp => vasp.vaspId === vaspId)!.health;

describe('WIRE-2.1: GET /v1/vasps/self', () => {
  test('names the caller: without a key the tested VASP, with a key its VASP (D-01)', async () => {
    expect(await world.api.call('GET', '/v1/vasps/self')).toMatchObject({
      status: 200,
      body: { vaspId: world.vaspId },
    });
    expect(Object.keys((await world.api.call<object>('GET', '/v1/vasps/self')).body)).toEqual(['vaspId']);
    expect(await other.api.self()).toEqual({ vaspId: '7001' });
  });

  test('D-01: the word Bearer ignores case, the key does not', async () => {
    const self = (authorization: string) => fetch(`${world.url}/v1/vasps/self`, { headers: { authorization } });
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

  test('holds the active VASPs with exactly their fields: the caller, the robot and the registered ones', async () => {
    const { status, body } = await world.api.call<{ vasps: { vaspId: string }[] }>('GET', '/v1/vasps');
    expect(status).toBe(200);
    expect(Object.keys(body)).toEqual(['vasps']);
    const byId = [...body.vasps].sort((a, b) => a.vaspId.length - b.vaspId.length || (a.vaspId < b.vaspId ? -1 : 1));
    expect(byId).toEqual([
      entry('7001', 'VASP 7001'),
      entry(world.vaspId, 'A Exchange'),
      entry(world.robotVaspId, 'RobotVASP'),
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
    const { status, body } = await world.api.call<{ vasps: unknown[] }>('GET', `/v1/vasps${query}`);
    expect([status, body.vasps.length]).toEqual([200, count]);
  });

  test.each(['?protocol=X', '?protocol=', '?protocol=ALL&protocol=CODE'])('%s is 400 BAD-REQUEST', async query => {
    expect(await world.api.call('GET', `/v1/vasps${query}`)).toMatchObject({
      status: 400,
      body: { code: 'BAD-REQUEST', message: expect.stringContaining('`protocol`') },
    });
  });

  test('D-23: health is DOWN after a call without an answer, and UP after any answer', async () => {
    expect(await healthOf('7001')).toBe('UP');
    await other.vasp.down();
    await verifiedBy(world, toVasp(world, '7001'));
    expect(await healthOf('7001')).toBe('DOWN');
    await other.vasp.up();
    other.vasp.script('verifyUser', undefined, { status: 500, body: {} });
    await verifiedBy(world, toVasp(world, '7001'));
    expect(await healthOf('7001')).toBe('UP');
    expect(await healthOf(world.robotVaspId)).toBe('UP');
  });
});

describe('every lookup', () => {
  test.each(['/v1/vasps/self', '/v1/vasps', '/v1/verifications', '/v1/verifications/x'])(
    '%s: an unknown key is 401, another method 405, HEAD has no body',
    async path => {
      const ask = (init: RequestInit) => fetch(world.url + path, init);
      const unknown = await ask({ headers: { authorization: 'Bearer x' } });
      expect([unknown.status, await unknown.json()]).toEqual([
        401,
        { code: 'UNAUTHORIZED', message: expect.stringMatching(/^The API key is unknown. Send the one /) },
      ]);
      const deleted = await ask({ method: 'DELETE' });
      expect([deleted.status, ((await deleted.json()) as { code: string }).code]).toEqual([405, 'METHOD-NOT-ALLOWED']);
      expect(deleted.headers.get('allow')).toContain('GET, HEAD');
      expect(await (await ask({ method: 'HEAD' })).text()).toBe('');
    },
  );

  test('PROD-1: /healthcheck is 200 {"status":"UP"} without credentials, /readyz lists what is missing', async () => {
    const health = await fetch(`${world.url}/healthcheck`, { headers: { authorization: 'Bearer x' } });
    expect([health.status, await health.json()]).toEqual([200, { status: 'UP' }]);
    const ready = await fetch(`${world.url}/readyz`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      status: 'NOT-READY',
      missing: [expect.stringMatching(/^ETH: /), expect.stringMatching(/^XRP: /)],
    });
  });
});
