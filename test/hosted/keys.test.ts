import { describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { commandHere } from '../support/process/command-line.ts';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';

const world = await forFile(createHostedWorld({ CELL: 'eu-1' }));
const tenant = await world.register();

const newKey = async (body: object) =>
  (await tenant.api.call<{ id: string; apiKey: string }>('POST', '/sandbox/v1/keys', body)).body;
const codeOf = async (apiKey: string, method: string, path: string, body?: object) => {
  const answer = await client(world.url, { apiKey }).call<{ code?: string }>(method, path, body);
  return [answer.status, answer.body?.code];
};

test('the command line says where the key goes', async () => {
  for (const argv of [['status'], ['verifications', '--api-key', 'rv_eu-1_wrong']]) {
    const { code, stderr } = await commandHere([...argv, '--url', world.url]);
    expect([code, stderr]).toEqual([
      4,
      expect.stringMatching(/401 UNAUTHORIZED: .* Give the key with --api-key, or set ROBOT_VASP_API_KEY\.$/m),
    ]);
  }
});

test('the command line says what joins a hosted sandbox instead of the demo', async () => {
  const { code, stderr } = await commandHere(['demo', '--url', world.url, '--api-key', tenant.apiKey]);
  expect([code, stderr]).toEqual([4, expect.stringContaining('`robot-vasp vasp` joins a hosted sandbox')]);
});

describe('registration', () => {
  test('answers a key of this cell and a signing secret', () => {
    expect(tenant.apiKey).toMatch(/^rv_eu-1_[\w-]{43}$/);
    expect(tenant.signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
  });

  test('an invitation works once, and an expired one never', async () => {
    const invitation = await world.invite();
    const send = () =>
      world.stranger.call<{ code?: string }>('POST', '/sandbox/v1/registrations', { invitation, name: 'X' });
    expect((await send()).status).toBe(201);
    const again = await send();
    expect([again.status, again.body.code]).toEqual([401, 'UNAUTHORIZED']);
    const late = await world.invite();
    world.machine.at += 8 * 86_400_000;
    const refused = await world.stranger.call('POST', '/sandbox/v1/registrations', { invitation: late, name: 'X' });
    expect(refused.status).toBe(401);
  });

  test('an id is taken once, also that of the robot', async () => {
    for (const vaspId of [tenant.vaspId, '17104899575711300402']) {
      const { status, body } = await world.stranger.call<{ code: string }>('POST', '/sandbox/v1/registrations', {
        invitation: await world.invite(),
        name: 'X',
        vaspId,
      });
      expect([status, body.code]).toEqual([409, 'ALREADY-REGISTERED']);
    }
  });

  test('needs an invitation', async () => {
    const { status, body } = await world.stranger.call<{ code: string }>('POST', '/sandbox/v1/registrations', {
      name: 'X',
    });
    expect([status, body.code]).toEqual([400, 'MISSING-INVITATION']);
  });
});

describe('without a key', () => {
  test('every path but the public ones answers 401 with a challenge', async () => {
    const { body: document } = await world.stranger.call<{ paths: Record<string, object> }>('GET', '/openapi.json');
    const open = [
      '/healthcheck',
      '/readyz',
      '/docs',
      '/openapi.json',
      '/llms.txt',
      '/llms-full.txt',
      '/sandbox/v1/registrations',
    ];
    const isOpen = (path: string) => open.includes(path) || /^\/(?:console|guide|\.well-known)/.test(path);
    let walked = 0;
    for (const [path, methods] of Object.entries(document.paths))
      for (const method of Object.keys(methods).filter(each => each !== 'parameters')) {
        if (isOpen(path)) continue;
        walked += 1;
        const answer = await world.stranger.call<{ code: string }>(method.toUpperCase(), path.replace(/\{\w+\}/g, '1'));
        expect([path, answer.status, answer.body.code]).toEqual([path, 401, 'UNAUTHORIZED']);
        expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer/);
      }
    expect(walked).toBeGreaterThan(60);
    for (const path of ['/', '/nothing', '/metrics', '/devnet/ethereum'])
      expect([path, (await world.stranger.call('GET', path)).status]).toEqual([path, 401]);
    for (const path of ['/healthcheck', '/readyz', '/docs', '/openapi.json', '/llms.txt', '/.well-known/jwks.json'])
      expect([path, (await world.stranger.call('GET', path)).status]).toEqual([path, 200]);
  });

  test('wrong keys are slowed, the right one is not', async () => {
    const statuses = new Set<number>();
    const guess = (name: string) => codeOf(`rv_eu-1_${name}`, 'GET', '/v1/vasps/self');
    for (let batch = 0; !statuses.has(429); batch++) {
      const answers = await Promise.all(Array.from({ length: 100 }, (_, at) => guess(`${batch}-${at}`)));
      for (const [status] of answers) statuses.add(status as number);
    }
    expect([...statuses]).toEqual([401, 429]);
    expect(await tenant.api.self()).toEqual({ vaspId: tenant.vaspId });
  });
});

describe('scopes', () => {
  test('`read` reads, `check` also runs checks, both change nothing', async () => {
    const read = await newKey({ name: 'r', scope: 'read' });
    const check = await newKey({ name: 'c', scope: 'check' });
    for (const { apiKey } of [read, check]) {
      expect(await codeOf(apiKey, 'GET', '/sandbox/v1/info')).toEqual([200, undefined]);
      expect(await codeOf(apiKey, 'POST', '/sandbox/v1/keys', { name: 'x' })).toEqual([403, 'FORBIDDEN']);
      expect(await codeOf(apiKey, 'POST', '/sandbox/v1/reset')).toEqual([403, 'FORBIDDEN']);
      expect(await codeOf(apiKey, 'POST', '/sandbox/v1/signing-secret/roll')).toEqual([403, 'FORBIDDEN']);
    }
    expect(await codeOf(read.apiKey, 'DELETE', '/sandbox/v1/runs/1')).toEqual([403, 'FORBIDDEN']);
    expect(await codeOf(check.apiKey, 'DELETE', '/sandbox/v1/runs/1')).toEqual([404, 'NOT-FOUND']);
  });

  test('routes of the operator are 403 for a VASP, routes of a VASP for the operator', async () => {
    for (const [method, path] of [
      ['POST', '/sandbox/v1/invitations'],
      ['GET', '/sandbox/v1/tenants'],
      ['DELETE', `/sandbox/v1/tenants/${tenant.vaspId}`],
      ['GET', '/metrics'],
    ] as const)
      expect([path, await codeOf(tenant.apiKey, method, path)]).toEqual([path, [403, 'FORBIDDEN']]);
    const { body } = await world.stranger.call<{ paths: object }>('GET', '/openapi.json');
    const controls = Object.keys(body.paths).filter(path => path.startsWith('/sandbox/v1/chains/'));
    expect(controls.length).toBeGreaterThan(10);
    for (const path of controls)
      expect([path, await codeOf(tenant.apiKey, 'POST', path, {})]).toEqual([path, [403, 'FORBIDDEN']]);
    for (const path of ['/v1/verifications', '/sandbox/v1/vasps'])
      expect(await world.operator.call('GET', path)).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining('GET /sandbox/v1/tenants') },
      });
    expect((await world.operator.call('GET', '/metrics')).status).toBe(200);
    expect((await world.operator.call('POST', '/sandbox/v1/chains/ETH/mine', {})).status).toBe(200);
  });
});

describe('the life of a key', () => {
  test('it expires', async () => {
    const { apiKey } = await newKey({ name: 'short', expiresIn: '1h' });
    expect(await codeOf(apiKey, 'GET', '/v1/vasps/self')).toEqual([200, undefined]);
    world.machine.at += 3_600_000;
    expect(await codeOf(apiKey, 'GET', '/v1/vasps/self')).toEqual([401, 'UNAUTHORIZED']);
  });

  test('a roll leaves both valid for the overlap', async () => {
    const { id, apiKey } = await newKey({ name: 'rolled', scope: 'read' });
    const { body: next } = await tenant.api.call<{ id: string; apiKey: string }>(
      'POST',
      `/sandbox/v1/keys/${id}/roll`,
      { overlap: '2h' },
    );
    expect(next.id).not.toBe(id);
    for (const key of [apiKey, next.apiKey])
      expect(await codeOf(key, 'GET', '/v1/vasps/self')).toEqual([200, undefined]);
    world.machine.at += 2 * 3_600_000;
    expect(await codeOf(apiKey, 'GET', '/v1/vasps/self')).toEqual([401, 'UNAUTHORIZED']);
    expect(await codeOf(next.apiKey, 'GET', '/v1/vasps/self')).toEqual([200, undefined]);
    expect(await codeOf(next.apiKey, 'POST', '/sandbox/v1/keys', { name: 'x' })).toEqual([403, 'FORBIDDEN']);
  });

  test('a roll of a rolled key makes one with the lifetime that the first one had', async () => {
    const endsOf = async (id: string) => (await tenant.api.keys()).keys.find(key => key.id === id)!.expiresAt;
    const rollOf = async (id: string) =>
      (await tenant.api.call<{ id: string }>('POST', `/sandbox/v1/keys/${id}/roll`, { overlap: '2h' })).body.id;
    const endless = await newKey({ name: 'endless' });
    await rollOf(endless.id);
    expect(await endsOf(endless.id)).not.toBeNull();
    expect(await endsOf(await rollOf(endless.id))).toBeNull();
    const yearly = await newKey({ name: 'yearly', expiresIn: '365d' });
    await rollOf(yearly.id);
    const ends = await endsOf(await rollOf(yearly.id));
    expect(Date.parse(ends!)).toBe(world.machine.at + 365 * 86_400_000);
  });

  test('a revocation takes effect at once, for an open stream too', async () => {
    const { id, apiKey } = await newKey({ name: 'revoked' });
    const api = client(world.url, { apiKey });
    let isOver = false;
    const stream = await fetch(`${world.url}/sandbox/v1/events`, { headers: { authorization: `Bearer ${apiKey}` } });
    const reading = stream.text().then(
      () => {
        isOver = true;
      },
      () => {
        isOver = true;
      },
    );
    expect(isOver).toBe(false);
    await tenant.api.call('DELETE', `/sandbox/v1/keys/${id}`);
    await reading;
    await expect(api.self()).rejects.toThrow(/401/);
  });

  test('another VASP does not see it', async () => {
    const other = await world.register();
    const { id } = await newKey({ name: 'mine' });
    for (const [method, path] of [
      ['DELETE', `/sandbox/v1/keys/${id}`],
      ['POST', `/sandbox/v1/keys/${id}/roll`],
    ] as const)
      expect((await other.api.call(method, path, method === 'POST' ? {} : undefined)).status).toBe(404);
    const { body } = await other.api.call<{ keys: unknown[] }>('GET', '/sandbox/v1/keys');
    expect(body.keys).toHaveLength(1);
  });
});

test('a suspended VASP is refused, and its streams end', async () => {
  const other = await world.register();
  const stream = await fetch(`${world.url}/sandbox/v1/events`, {
    headers: { authorization: `Bearer ${other.apiKey}` },
  });
  const path = `/sandbox/v1/tenants/${other.vaspId}`;
  expect((await world.operator.call('PATCH', path, { suspended: true })).status).toBe(200);
  await stream.text().catch(() => undefined);
  expect(await codeOf(other.apiKey, 'GET', '/v1/vasps/self')).toEqual([403, 'SUSPENDED']);
  await world.operator.call('PATCH', path, { suspended: false });
  expect(await codeOf(other.apiKey, 'GET', '/v1/vasps/self')).toEqual([200, undefined]);
});

test('the audit log names who changed what; a VASP reads its own part', async () => {
  const { body } = await tenant.api.call<{ entries: Record<string, unknown>[]; next: string }>(
    'GET',
    '/sandbox/v1/audit?limit=999',
  );
  expect(body.entries).toContainEqual(
    expect.objectContaining({
      role: 'vasp',
      action: 'POST /sandbox/v1/keys',
      target: '/sandbox/v1/keys',
      outcome: 200,
    }),
  );
  expect(body.entries.filter(({ role }) => role === 'operator')).toEqual([]);
  const { body: all } = await world.operator.call<typeof body>('GET', '/sandbox/v1/audit?limit=999');
  expect(all.entries.map(({ action }) => action)).toContain('POST /sandbox/v1/invitations');
  expect(all.entries).toContainEqual(
    expect.objectContaining({ role: 'nobody', action: 'POST /sandbox/v1/registrations', outcome: 201 }),
  );
  const ids = all.entries.map(({ id }) => Number(id));
  expect(ids).toEqual([...ids].sort((a, b) => a - b));
  expect(JSON.stringify(all)).not.toContain(tenant.apiKey);
  const newest = async (after: string) => {
    const path = `/sandbox/v1/audit?order=newest&limit=2${after}`;
    return (await world.operator.call<typeof body>('GET', path)).body;
  };
  const first = await newest('');
  const second = await newest(`&after=${first.next}`);
  expect([...first.entries, ...second.entries].map(({ id }) => Number(id))).toEqual(ids.slice(-4).reverse());
});
