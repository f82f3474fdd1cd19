import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { refusals } from '../../src/contract/refusals.ts';
import { asCaller } from '../../src/contract/tenancy.ts';
import { endpoint, eventStream } from '../../src/http/endpoint.ts';
import type { Exchange } from '../../src/http/exchange.ts';
import { type FaultyAnswer, type HttpDeps, mount } from '../../src/http/serve.ts';
import { createLog } from '../../src/kernel/log.ts';
import { systemRandom } from '../../src/kernel/random.ts';

const call =
  <M extends 'GET' | 'POST'>(method: M) =>
  <P extends string, I extends object>(path: P, input?: I) => ({
    ...{ method, path, response: z.unknown() },
    ...(input as I),
  });
const [get, post] = [call('GET'), call('POST')];

const UUID = '8557f2b2-985e-431f-8d52-75c2e5a01e46';
let app: Hono;
let exchanges: Exchange[];
let lines: string[];
let ran: unknown[];
let faultyAnswer: (call: Parameters<NonNullable<HttpDeps['faultyAnswer']>>[0]) => Promise<FaultyAnswer> | undefined;

beforeEach(() => {
  app = new Hono();
  [exchanges, lines, ran] = [[], [], []];
  faultyAnswer = () => undefined;
  const Body = z.object({ verificationUuid: z.string(), fail: z.string().optional() });
  mount(
    app,
    [
      {
        operation: 'get-verification',
        ...endpoint(get('/v1/verifications/:uuid'), {
          summary: '',
          run: ({ params }, caller) => ({ uuid: params.uuid, caller }),
        }),
      },
      {
        operation: 'list-verifications',
        ...endpoint(get('/v1/verifications', { query: z.object({ page: z.string().optional() }) }), {
          summary: '',
          run: ({ query }) => query,
        }),
      },
      {
        operation: 'report-transaction',
        ...endpoint(post('/v1/verifications', { body: Body }), {
          summary: '',
          run: async ({ body }) => {
            ran.push(body);
            if (body.fail === 'refusal') throw refusals.notOriginator();
            if (body.fail === 'foreign refusal') throw refusals.groupNotFound();
            if (body.fail === 'error') throw new Error('the name Robbins, the token t0ken');
            return { result: true };
          },
        }),
      },
      {
        operation: 'report-transaction',
        ...endpoint(post('/v1/verifications/fixed', { body: Body }), { summary: '', run: () => ({ fixed: true }) }),
      },
      { operation: 'sandbox', ...endpoint(get('/sandbox/v1/info'), { summary: '', run: () => ({ x: 1 }) }) },
      eventStream(get('/sandbox/v1/events', { query: z.object({}) }), {
        summary: '',
        run: async function* () {
          yield { id: '1', event: 'e', data: 1 };
          throw new Error('the name Robbins, the token t0ken');
        },
      }),
    ],
    {
      callerOf(c) {
        if (c.req.header('authorization') !== undefined) throw refusals.unauthorized();
        return { caller: { role: 'local', vaspId: asCaller('1') }, address: '' };
      },
      exchanges: { record: exchange => exchanges.push(exchange), position: () => 7 },
      onServed() {},
      now: () => 1_700_000_000_000,
      faultyAnswer: call => faultyAnswer(call),
      random: systemRandom,
      log: createLog('debug', { write: line => void lines.push(line) }),
    },
  );
});

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
  const response = await app.request(path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : JSON.parse(text) };
}

describe('an endpoint', () => {
  test('answers 200, JSON, with what it returns; parameters, query and caller are its input', async () => {
    const one = await ask('GET', '/v1/verifications/abc');
    expect(one).toMatchObject({ status: 200, body: { uuid: 'abc', caller: '1' } });
    expect(one.headers.get('content-type')).toBe('application/json; charset=UTF-8');
    expect((await ask('GET', '/v1/verifications?page=2&unknown=3')).body).toEqual({ page: '2' });
    expect((await ask('POST', '/v1/verifications', { verificationUuid: UUID, extra: 1 })).body).toEqual({
      result: true,
    });
    expect(ran).toEqual([{ verificationUuid: UUID }]);
  });

  test('takes a body whatever its content type says', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/json; charset=utf-8'])
      expect(
        (await ask('POST', '/v1/verifications', { verificationUuid: UUID }, { 'content-type': type })).status,
      ).toBe(200);
  });

  test('is found before a parameter takes its place', async () => {
    expect((await ask('POST', '/v1/verifications/fixed', { verificationUuid: UUID })).body).toEqual({ fixed: true });
  });

  test('answers HEAD like GET, without the body', async () => {
    const head = await ask('HEAD', '/v1/verifications/abc');
    expect([head.status, head.body]).toEqual([200, undefined]);
  });

  test.each(['%ff', '%', 'a%2Fb', '%F0%9F%98%80', '..%2f..', "';DROP TABLE"])(
    'takes the path parameter %s as text',
    async parameter => {
      expect((await ask('GET', `/v1/verifications/${parameter}`)).status).toBe(200);
    },
  );
});

describe('a refusal is the error object of REF-2.1, nothing else', () => {
  const isError = (body: unknown) => expect(Object.keys(body as object)).toEqual(['code', 'message']);

  test('a refusal has the code of its operation', async () => {
    const { status, body } = await ask('POST', '/v1/verifications', { verificationUuid: UUID, fail: 'refusal' });
    expect([status, body.code]).toEqual([400, 'VASP-NOT-MATCHED']);
    isError(body);
  });

  test('an unknown path is 404 NOT-FOUND, also below a known one and with a slash more', async () => {
    for (const path of [
      '/',
      '/v1',
      '/v1/verifications/',
      '/v1/verifications/a/b',
      '/V1/things',
      '/v2/things',
      '/v1//things',
    ])
      for (const method of ['GET', 'POST', 'DELETE']) {
        const { status, body } = await ask(method, path);
        expect([status, body?.code], `${method} ${path}`).toEqual([404, 'NOT-FOUND']);
        isError(body);
      }
  });

  test.each([
    ['/v1/verifications/', '/v1/verifications'],
    ['/v1/verifications/?page=1', '/v1/verifications'],
    ['/v1/verifications%20', '/v1/verifications'],
    ['/v1/verifications%2f', '/v1/verifications'],
    ['/V1/Verifications', '/v1/verifications'],
    ['/v1/verification', '/v1/verifications'],
    [`/v1/verifications/${UUID}/`, `/v1/verifications/${UUID}`],
    [`/v1/verificatoins/${UUID}`, `/v1/verifications/${UUID}`],
  ])('D-05: %s is unknown, and the answer names %s', async (path, near) => {
    const { status, body } = await ask('GET', path);
    expect([status, body.message]).toEqual([404, `No endpoint has this path; \`${near}\` is one.`]);
  });

  test.each(['/v1', '/v1/verifications/a/b', `/v1/verifications/${'a'.repeat(60_000)}/`, '/elsewhere'])(
    '%.30s is unknown, and no endpoint is near',
    async path => {
      expect((await ask('GET', path)).body.message).toBe('No endpoint has this path.');
    },
  );

  test('a wrong method is 405 with Allow, whatever the body', async () => {
    for (const method of ['PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const { status, headers, body } = await ask(method, '/v1/verifications', method === 'PUT' ? 'x' : undefined);
      expect([status, body.code]).toEqual([405, 'METHOD-NOT-ALLOWED']);
      expect(headers.get('allow')).toBe('GET, HEAD, POST');
      isError(body);
    }
    expect((await ask('POST', '/v1/verifications/abc', '{}')).headers.get('allow')).toBe('GET, HEAD');
    const fixed = await ask('GET', '/v1/verifications/fixed');
    expect([fixed.status, fixed.headers.get('allow')]).toEqual([405, 'POST']);
  });

  test('an unknown caller is 401 before anything is read', async () => {
    const { status, body } = await ask('POST', '/v1/verifications', 'no JSON', { authorization: 'Bearer x' });
    expect([status, body.code]).toEqual([401, 'UNAUTHORIZED']);
    expect(ran).toEqual([]);
  });

  test('a parameter that is given twice is refused by name', async () => {
    const { status, body } = await ask('GET', '/v1/verifications?page=1&page=2');
    expect([status, body.code]).toEqual([400, 'BAD-REQUEST']);
    expect(body.message).toBe('`page` came 2 times. Send it once.');
  });

  test.each(['error', 'foreign refusal'])(
    'a bug (%s) is 500 with a fixed text and the id of a log entry',
    async fail => {
      const { status, body } = await ask('POST', '/v1/verifications', { verificationUuid: UUID, fail });
      expect([status, body.code]).toEqual([500, 'INTERNAL-ERROR']);
      isError(body);
      const [, id] = /^Internal error; details are in the log under (\S+)$/.exec(body.message) ?? [];
      expect(lines.some(line => JSON.parse(line).id === id)).toBe(true);
      expect(body.message).not.toMatch(/Robbins|t0ken/);
    },
  );
});

describe('an answer with an ordered fault', () => {
  test('goes out as it is now, after the call has run; the exchange log shows that and why', async () => {
    faultyAnswer = async ({ operation, verificationUuid, answer }) => ({
      answer: { status: 503, text: JSON.stringify([operation, verificationUuid, answer.status]) },
      cause: 'fault 7',
    });
    const answer = await ask('POST', '/v1/verifications', { verificationUuid: UUID });
    expect(answer).toMatchObject({ status: 503, body: ['report-transaction', UUID, 200] });
    expect(ran).toHaveLength(1);
    expect(exchanges).toMatchObject([{ status: 503, error: 'fault 7' }]);
  });

  test('into nothing fails the call: without a connection as a broken one does', async () => {
    faultyAnswer = async () => ({ answer: undefined, cause: 'fault 7' });
    expect((await app.request('/v1/verifications')).type).toBe('error');
    expect(exchanges).toMatchObject([{ status: null, response: null, error: 'fault 7' }]);
  });

  test('is never that of the control API, or of an unknown caller', async () => {
    faultyAnswer = async () => ({ answer: undefined, cause: 'fault 7' });
    expect((await ask('GET', '/sandbox/v1/info')).status).toBe(200);
    expect((await ask('GET', '/v1/verifications', undefined, { authorization: 'Bearer x' })).status).toBe(401);
  });
});

describe('the exchange log', () => {
  test('gets every request of a known caller, with what was asked and answered, and no header', async () => {
    await ask('POST', '/v1/verifications?a=b', { verificationUuid: UUID, fail: 'refusal' });
    await ask('GET', `/v1/verifications/${UUID}`);
    expect(exchanges).toMatchObject([
      {
        vaspId: '1',
        direction: 'IN',
        operation: 'report-transaction',
        method: 'POST',
        url: '/v1/verifications?a=b',
        verificationUuid: UUID,
        request: JSON.stringify({ verificationUuid: UUID, fail: 'refusal' }),
        status: 400,
        error: null,
        at: 1_700_000_000_000,
      },
      { operation: 'get-verification', method: 'GET', verificationUuid: UUID, request: null, status: 200 },
    ]);
    expect(JSON.parse(exchanges[0]!.response!)).toHaveProperty('code', 'VASP-NOT-MATCHED');
    expect(JSON.stringify(exchanges)).not.toMatch(/authorization/i);
  });

  test('gets nothing of a caller who is unknown, of an unknown path, or of the control API', async () => {
    await ask('GET', '/v1/verifications', undefined, { authorization: 'Bearer x' });
    await ask('GET', '/nowhere');
    await ask('GET', '/sandbox/v1/info');
    expect(exchanges).toEqual([]);
  });
});

test('a stream of events that fails is logged, and its connection breaks', async () => {
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server;
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}/sandbox/v1/events`);
  expect(response.status).toBe(200);
  await expect(response.text()).rejects.toThrow('terminated');
  expect(lines.join()).toContain('unexpected failure');
  await new Promise(resolve => server.close(resolve));
});
