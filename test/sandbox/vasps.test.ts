import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { sealedRows } from '../../src/enclave/vasps/store.ts';
import { secretBox } from '../../src/kernel/secrets.ts';
import { RegisteredVasp, VaspsResponse } from '../../src/sandbox/vasps.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createChainlessWorld, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';
import { vaspEnvironment } from '../support/world/world.ts';

type StoredVasp = Parameters<ReturnType<typeof sealedRows>['fromRow']>[0];

const at = scratchDatabase();
const world = await forFile(
  createChainlessWorld(at('vasps.sqlite'), { VEGA_VERIFICATION_AUTHORIZATION_TOKEN: 't0p-secret-of-config' }),
);

const TOKEN = 't0p-secret-of-register';
const registration = (change: object = {}) => ({
  name: 'New Exchange',
  endpoints: { verifyUser: 'http://127.0.0.1:1/verify', callback: 'https://vasp.example/callback' },
  authorization: { header: 'X-Api-Key', token: TOKEN },
  ...change,
});
const put = (vaspId: string, body: unknown, apiKey?: string) =>
  client(world.url, { apiKey }).call<{ code?: string; message: string; apiKey?: string }>(
    'PUT',
    `/sandbox/v1/vasps/${encodeURIComponent(vaspId)}`,
    body,
  );

describe('the first registration', () => {
  test('answers with exactly what is registered, and an apiKey; never with the token', async () => {
    const { status, body } = await put('9001', registration());
    expect(status).toBe(200);
    expect(RegisteredVasp.parse(body)).toEqual(body);
    expect(body).toEqual({
      vaspId: '9001',
      name: 'New Exchange',
      endpoints: registration().endpoints,
      authorization: { header: 'X-Api-Key', hasToken: true },
      providerKeys: [],
      health: 'UP',
      apiKey: expect.stringMatching(/^rv_[\w-]{32}$/),
    });
  });

  test('the key names the caller from now on, and is stored hashed', async () => {
    const { body } = await put('9002', registration());
    expect(await client(world.url, { apiKey: body.apiKey }).self()).toEqual({ vaspId: '9002' });
    const rows = world.sql<{ api_key_hash: string }>('SELECT * FROM enclave_vasps');
    expect(JSON.stringify(rows)).not.toContain(body.apiKey);
    expect(rows.find(row => row.api_key_hash !== null)!.api_key_hash).toMatch(/^[\da-f]{64}$/);
  });

  test('needs a name alone; the default header is Authorization', async () => {
    expect((await put('9003', { name: 'N' })).body).toMatchObject({
      endpoints: {},
      authorization: { header: 'Authorization', hasToken: false },
    });
  });
});

describe('a change', () => {
  test('is made with the key of that VASP only; the answer shows no key again', async () => {
    const { apiKey } = (await put('9010', registration())).body;
    const stranger = (await put('9011', registration())).body.apiKey;
    for (const key of [undefined, stranger])
      expect(await put('9010', registration({ name: 'Stolen' }), key)).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
    const changed = await put('9010', registration({ name: 'Renamed' }), apiKey);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ name: 'Renamed' });
    expect(changed.body).not.toHaveProperty('apiKey');
    expect(await client(world.url, { apiKey }).self()).toEqual({ vaspId: '9010' });
  });

  test('replaces everything: what is left out is gone', async () => {
    const { apiKey } = (await put('9012', registration())).body;
    const { body } = await put('9012', { name: 'Bare' }, apiKey);
    expect(body).toMatchObject({ endpoints: {}, authorization: { header: 'Authorization', hasToken: false } });
  });

  test('counts from the next call on', async () => {
    const other = await world.register('9013');
    await verifiedBy(world, toVasp(world, '9013'));
    await other.api.registerVasp('9013', { name: 'Deaf', endpoints: {} });
    const uuid = await verifiedBy(world, toVasp(world, '9013'));
    expect((await world.api.verification(uuid)).message).toMatch(/no verifyUser endpoint/);
  });

  test.each(['robot', 'the inactive VASP of the fixtures'])('of the %s is nobody’s', async who => {
    const vaspId = who === 'robot' ? world.robotVaspId : '27372039731940770';
    expect((await put(vaspId, registration())).status).toBe(401);
  });

  test('the tested VASP of the local mode changes itself without a key', async () => {
    const { endpoints } = world.vasp;
    const { status, body } = await put(world.vaspId, { name: 'Tested VASP', endpoints });
    expect([status, 'apiKey' in body]).toEqual([200, false]);
  });
});

describe('PATCH changes what it names, and nothing else', () => {
  /** The stored row with its secrets in clear. */
  const rowOf = (vaspId: string) => {
    const box = secretBox([readFileSync(at('vasps.sqlite').replace(/\.sqlite$/, '.data-key'), 'utf8')]);
    return sealedRows(box).fromRow(
      world.sql<StoredVasp>(
        `SELECT vasp_id AS vaspId, name, endpoints, authorization_header AS authorizationHeader,
           authorization_token AS authorizationToken, provider_keys AS providerKeys, updated_at AS updatedAt
         FROM enclave_vasps WHERE vasp_id = ?`,
        vaspId,
      )[0]!,
    );
  };
  const keys = { sanctionApiKey: 'k1-secret', wcoGroupId: 'g1-secret' };

  test('token, keys and addresses that it leaves out stay; null removes', async () => {
    const { apiKey } = (await put('9050', registration({ providerKeys: keys }))).body;
    const { changeVasp } = client(world.url, { apiKey });
    const before = rowOf('9050');
    const renamed = await changeVasp('9050', { name: 'Renamed' });
    expect(RegisteredVasp.parse(renamed)).toEqual(renamed);
    expect(renamed).toMatchObject({
      name: 'Renamed',
      endpoints: registration().endpoints,
      authorization: { header: 'X-Api-Key', hasToken: true },
      providerKeys: ['sanctionApiKey', 'wcoGroupId'],
    });
    expect(rowOf('9050')).toEqual({ ...before, name: 'Renamed', updatedAt: rowOf('9050').updatedAt });
    const reduced = await changeVasp('9050', {
      endpoints: { callback: null, transactionStatus: 'http://127.0.0.1:2/status' },
      authorization: { token: null },
      providerKeys: { wcoGroupId: null },
    });
    expect(reduced).toMatchObject({
      endpoints: { verifyUser: 'http://127.0.0.1:1/verify', transactionStatus: 'http://127.0.0.1:2/status' },
      authorization: { header: 'X-Api-Key', hasToken: false },
      providerKeys: ['sanctionApiKey'],
    });
    expect(reduced.endpoints).not.toHaveProperty('callback');
    expect(await changeVasp('9050', { providerKeys: null, authorization: { header: null } })).toMatchObject({
      authorization: { header: 'Authorization' },
      providerKeys: [],
    });
  });

  test('is the VASP’s own right; nobody there is 404', async () => {
    const { apiKey } = (await put('9051', registration())).body;
    const before = rowOf('9051');
    await expect(world.api.changeVasp('9051', { name: 'Stolen' })).rejects.toMatchObject({ status: 401 });
    await expect(client(world.url, { apiKey }).changeVasp('9999', { name: 'New' })).rejects.toMatchObject({
      status: 404,
      code: 'NOT-FOUND',
    });
    expect(rowOf('9051')).toEqual(before);
  });

  test.each([
    ['name', { name: '' }],
    ['name', { name: ' ' }],
    ['name', { name: null }],
    ['endpoints.callback', { endpoints: { callback: 'callback' } }],
    ['authorization.token', { authorization: { token: 'a\r\nInjected: 1' } }],
    ['providerKeys', { providerKeys: 'all' }],
  ])('%s: %j is 400 and changes nothing', async (field, change) => {
    const before = rowOf(world.vaspId);
    const refused = await world.api.changeVasp(world.vaspId, change as never).catch(error => error);
    expect(refused).toMatchObject({ status: 400 });
    expect(refused.message).toContain(`\`${field}`);
    expect(rowOf(world.vaspId)).toEqual(before);
  });
});

describe('bad registrations are 400 and leave nothing', () => {
  test.each(['x', '-1', '1.0', '007', '18446744073709551616', '99999999999999999999', ' 1', '1e3'])(
    'the vaspId %j',
    async vaspId => {
      const before = world.rows();
      expect(await put(vaspId, registration())).toMatchObject({ status: 400, body: { code: 'BAD-REQUEST' } });
      expect(world.rows()).toEqual(before);
    },
  );

  test.each([
    ['endpoints.callback', { endpoints: { callback: '/callback' } }],
    ['endpoints.callback', { endpoints: { callback: 'ftp://vasp.example' } }],
    ['endpoints.verifyUser', { endpoints: { verifyUser: 'file:///etc/passwd' } }],
    ['endpoints.verifyAccount', { endpoints: { verifyAccount: 7 } }],
    ['endpoints', { endpoints: 'http://x' }],
    ['authorization.header', { authorization: { header: 'X Api' } }],
    ['authorization.header', { authorization: { header: 'X\r\nInjected: 1' } }],
    ['authorization.token', { authorization: { header: 'X', token: 'a\r\nInjected: 1' } }],
    ['authorization.token', { authorization: { header: 'X', token: 'é' } }],
    ['authorization', { authorization: 'Bearer x' }],
    ['name', { name: 'n'.repeat(257) }],
  ])('%s: %j', async (field, change) => {
    const before = world.rows();
    const { status, body } = await put('9020', registration(change));
    expect([status, body.code]).toEqual([400, 'BAD-REQUEST']);
    expect(body.message).toContain(`\`${field}`);
    expect(world.rows()).toEqual(before);
  });

  test('a token with a blank inside is taken, as in the configuration', async () => {
    const authorization = { header: 'X-Auth', token: 'ApiKey abc' };
    expect((await put('9021', registration({ authorization }))).status).toBe(200);
  });
});

test('tokens and keys stand in no answer of the sandbox', async () => {
  const { apiKey } = (await put('9030', registration())).body;
  const mine = client(world.url, { apiKey });
  await mine.call('PUT', '/sandbox/v1/vasps/9030', registration());
  const uuid = await verifiedBy(world, toVasp(world, '9030'));
  await mine.advance('10s');
  const { body: list } = await world.api.call('GET', '/sandbox/v1/vasps');
  expect(VaspsResponse.parse(list)).toEqual(list);
  const answers = JSON.stringify([
    list,
    await mine.info(),
    await world.api.info(),
    await mine.exchanges({ limit: 999 }),
    await world.api.exchanges({ limit: 999 }),
    await world.api.timeline(uuid),
    await mine.callbacks(),
    await world.api.vasps(),
  ]);
  expect(answers).not.toMatch(/t0p-secret/);
  expect(answers).not.toContain(apiKey);
});

test('without endpoints in the environment a change stays after a restart, and VASP_NAME counts', async () => {
  const path = at('named.sqlite');
  const unset = Object.fromEntries(Object.keys(vaspEnvironment(world.vasp)).map(name => [name, '']));
  const endpoints = { callback: 'http://127.0.0.1:9/callback' };
  const first = await createChainlessWorld(path, unset);
  await first.api.changeVasp(first.vaspId, { endpoints });
  await first.close();
  for (const VASP_NAME of ['Named later', '']) {
    const next = await createChainlessWorld(path, { ...unset, VASP_NAME });
    const { vasps } = await next.api.registeredVasps();
    expect(vasps[0]).toMatchObject({ vaspId: next.vaspId, name: 'Named later', endpoints });
    await next.close();
  }
});

test('after a restart the keys are known, the registrations stand, and the configuration counts for its own', async () => {
  const path = at('restart.sqlite');
  const first = await createChainlessWorld(path);
  const { apiKey, vasp } = await first.register('9040');
  await first.close();
  const second = await createChainlessWorld(path, { VASP_NAME: 'Renamed by configuration' });
  const mine = client(second.url, { apiKey });
  expect(await mine.self()).toEqual({ vaspId: '9040' });
  const { vasps } = (
    await mine.call<{ vasps: { vaspId: string; name: string; endpoints: object }[] }>('GET', '/sandbox/v1/vasps')
  ).body;
  expect(vasps.find(({ vaspId }) => vaspId === '9040')!.endpoints).toEqual(vasp.endpoints);
  expect(vasps.find(({ vaspId }) => vaspId === second.vaspId)!.name).toBe('Renamed by configuration');
  expect((await mine.call('PUT', '/sandbox/v1/vasps/9040', { name: 'Still mine' })).status).toBe(200);
  await second.close();
});
