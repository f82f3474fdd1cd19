import { describe, expect, test } from 'vitest';
import { ExchangesResponse } from '../../src/sandbox/exchanges.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { createChainlessWorld, type RegisteredVasp, toVasp } from '../support/world/chainless-world.ts';
import { forFile } from '../support/world/for-file.ts';

const at = scratchDatabase();
const world = await forFile(createChainlessWorld(at('exchanges.sqlite')));
const other = await world.register('7001');
const sent = toVasp(world, '7001');
const { verificationUuid: uuid } = await world.api.verifyUser(sent);
await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
await world.api.advance('0s');
await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid });
await world.api.list();
await world.api.advance('0s');

const operationsOf = async (tester: RegisteredVasp, query = {}) =>
  (await tester.api.exchanges(query)).exchanges.map(
    ({ direction, operation, status }) => `${direction} ${operation} ${status}`,
  );

describe('GET /exchanges', () => {
  test('every exchange of the caller in both directions, newest first; nobody else’s, none with the sandbox', async () => {
    expect(await operationsOf(world)).toEqual([
      'IN list-verifications 200',
      'IN report-transaction 400',
      'OUT callback 200',
      'IN verify-user 200',
    ]);
    expect(await operationsOf(other)).toEqual(['OUT verifyUser 200']);
  });

  test.each([
    [{ direction: 'OUT' }, ['OUT callback 200']],
    [{ status: '4xx' }, ['IN report-transaction 400']],
    [{ status: '400', direction: 'OUT' }, []],
    [{ operation: 'verify-user' }, ['IN verify-user 200']],
    [{ slow: 60_000 }, []],
  ])('is narrowed by %j', async (query, expected) => {
    expect(await operationsOf(world, query)).toEqual(expected);
    expect((await world.api.exchanges(query)).total).toBe(expected.length);
  });

  test('an operation that never makes an exchange is refused with the one that is near', async () => {
    const refused = await world.api.call('GET', '/sandbox/v1/exchanges?operation=verify-usr');
    expect(refused).toMatchObject({
      status: 400,
      body: { message: expect.stringMatching(/^`operation` should be one of .* Did you mean `verify-user`\?$/) },
    });
  });

  test('one is read by its id, by nobody else', async () => {
    const [first] = (await world.api.exchanges({ limit: 1 })).exchanges;
    expect(await world.api.exchange(first!.id)).toEqual(first);
    const refused = { status: 404, body: { code: 'NOT-FOUND', message: expect.stringContaining('Exchange(') } };
    expect(await other.api.call('GET', `/sandbox/v1/exchanges/${first!.id}`)).toMatchObject(refused);
    for (const id of ['x', '1e3', '999999'])
      expect(await world.api.call('GET', `/sandbox/v1/exchanges/${id}`)).toMatchObject(refused);
  });

  test('counts all pages', async () => {
    const page = await world.api.exchanges({ limit: 1 });
    expect(page).toMatchObject({ total: 4, next: page.exchanges[0]!.id });
  });

  test('has exactly its fields, the bodies as they went over the wire', async () => {
    const answer = await world.api.exchanges();
    expect(ExchangesResponse.parse(answer)).toEqual(answer);
    const [list, refused, callback, asked] = answer.exchanges;
    expect(list).toMatchObject({ method: 'GET', url: '/v1/verifications', request: null, verificationUuid: null });
    expect(JSON.parse(list!.response!)).toMatchObject({ count: 1 });
    expect(refused).toMatchObject({ url: '/v1/verifications/tx', verificationUuid: uuid, error: null });
    expect(JSON.parse(refused!.response!)).toMatchObject({ code: 'MISSING-TX-HASH' });
    expect(callback).toMatchObject({ method: 'POST', url: world.vasp.endpoints.callback, verificationUuid: uuid });
    expect(JSON.parse(callback!.request!)).toMatchObject({ callbackType: 'VERIFICATION_RESULT' });
    expect(JSON.parse(callback!.response!)).toEqual({ result: true });
    expect(JSON.parse(asked!.request!)).toEqual(sent);
    expect(asked).toMatchObject({ verificationUuid: uuid, at: '2026-07-15T10:00:00.000Z' });
  });

  test('of one verification', async () => {
    expect(await operationsOf(world, { verificationUuid: uuid })).toEqual([
      'IN report-transaction 400',
      'OUT callback 200',
      'IN verify-user 200',
    ]);
    expect(await operationsOf(world, { verificationUuid: 'x' })).toEqual([]);
  });

  test('read on with `before`, page by page, each once', async () => {
    const ids: number[] = [];
    for (let before: string | undefined; ; ) {
      const { exchanges } = await world.api.exchanges({ limit: 3, ...(before === undefined ? {} : { before }) });
      if (exchanges.length === 0) break;
      ids.push(...exchanges.map(({ id }) => Number(id)));
      before = exchanges.at(-1)!.id;
    }
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(ids).toHaveLength(4);
  });

  test.each(['limit=0', 'limit=1000', 'limit=x', 'limit=', 'before=x', 'before=-1', 'before=1.5'])(
    '%s is 400',
    async query => {
      const name = query.split('=')[0];
      expect(await world.api.call('GET', `/sandbox/v1/exchanges?${query}`)).toMatchObject({
        status: 400,
        body: { code: 'BAD-REQUEST', message: expect.stringContaining(`\`${name}\``) },
      });
    },
  );

  test.each([
    ['{ "verificationUuid" : 1.0, "verificationUuid": "x" }', 'a field of a wrong type'],
    ['{"verificationUuid":"x",}', 'a comma too many'],
    ["{'verificationUuid':'x'}", 'single quotes'],
    ['verificationUuid=x', 'a form'],
  ])('a body is shown as it was sent: %s, with %s', async body => {
    const answer = await fetch(`${world.url}/v1/verifications/tx`, { method: 'POST', body });
    expect(answer.status).toBe(400);
    const [refused] = (await world.api.exchanges({ limit: 1 })).exchanges;
    expect(refused).toMatchObject({ operation: 'report-transaction', status: 400, request: body });
  });

  test('an empty body is none', async () => {
    await fetch(`${world.url}/v1/verifications/tx`, { method: 'POST', body: '' });
    expect((await world.api.exchanges({ limit: 1 })).exchanges).toMatchObject([{ request: null, status: 400 }]);
  });

  test('an exchange without an answer says why', async () => {
    await other.vasp.down();
    await world.api.verifyUser(toVasp(world, '7001'));
    await world.api.advance('0s');
    await other.vasp.up();
    expect((await other.api.exchanges({ limit: 1 })).exchanges).toMatchObject([
      { direction: 'OUT', status: null, response: null, error: expect.stringContaining('could not be reached') },
    ]);
  });
});

describe('headers and checks', () => {
  test('shows the headers, and of a secret only its length and scheme', async () => {
    await other.api.self();
    const [asked] = (await other.api.exchanges()).exchanges;
    expect(asked!.headers.authorization).toMatch(/^present, \d+ characters, Bearer$/);
    expect(asked!.responseHeaders['content-type']).toContain('application/json');
    const [called] = (await world.api.exchanges({ operation: 'callback' })).exchanges;
    expect(called!.headers['content-type']).toBe('application/json');
    expect(called!.responseHeaders['content-type']).toContain('json');
  });

  test('a call of the endpoint check is marked, and stays out of the timeline', async () => {
    const { timeline } = await world.api.timeline(uuid);
    await world.api.checkVasp(world.vaspId);
    const { exchanges } = await world.api.exchanges({ direction: 'OUT', limit: 4 });
    expect(exchanges.map(({ isCheck }) => isCheck)).toEqual([true, true, true, true]);
    expect((await world.api.timeline(uuid)).timeline).toEqual(timeline);
  });
});
