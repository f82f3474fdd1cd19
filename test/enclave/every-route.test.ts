import { describe, expect, test } from 'vitest';
import type { Enclave } from '../../src/enclave/port.ts';
import { enclaveEndpoints } from '../../src/enclave/routes.ts';
import type { RobotDeps } from '../../src/robot/deps.ts';
import { robotEndpoints } from '../../src/robot/routes.ts';
import type { SandboxDeps } from '../../src/sandbox/deps.ts';
import { sandboxEndpoints } from '../../src/sandbox/routes.ts';
import { set } from '../support/contract/samples.ts';
import { prepareVerifications, ROUTE_CASES, type RouteCase } from '../support/http/route-cases.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const bench = await prepareVerifications(world);

const endpoints = [
  ...enclaveEndpoints({} as Enclave),
  ...robotEndpoints({} as RobotDeps),
  ...Object.values(sandboxEndpoints({} as SandboxDeps)).flat(),
];
const methodOf = (row: RouteCase) => row.method ?? 'POST';
const isServed = (row: RouteCase) =>
  endpoints.some(({ method, path }) => method === methodOf(row) && path === row.path);
const SERVED = ROUTE_CASES.filter(isServed);

const urlOf = (path: string) => world.url + path.replace(':vaspId', '7777').replace(':id', 'somebody');

interface Call {
  body?: unknown;
  apiKey?: string;
  headers?: Record<string, string>;
}

async function ask(method: string, path: string, { body, apiKey, headers }: Call = {}) {
  const sent =
    body === undefined || typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const response = await fetch(urlOf(path), {
    method,
    headers: { ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }), ...headers },
    ...(sent === undefined ? {} : { body: sent as string }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** Nothing but the error object, nothing half stored. */
async function expectRefusal(
  row: { path: string; method?: string },
  call: Call,
  [status, code]: readonly [number, string],
  what: string,
): Promise<string> {
  const before = world.rows();
  const answer = await ask(row.method ?? 'POST', row.path, call);
  const about = `${row.path}, ${what}: ${answer.text}`;
  expect(answer.headers.get('content-type'), about).toMatch(/^application\/json/);
  const body = JSON.parse(answer.text);
  expect([answer.status, body.code], about).toEqual([status, code]);
  expect(Object.keys(body), about).toEqual(['code', 'message']);
  expect(body.message, about).toMatch(/\S/);
  expect(body.message.isWellFormed(), about).toBe(true);
  expect(world.rows(), about).toEqual(before);
  return body.message;
}

const BAD = [400, 'BAD-REQUEST'] as const;
const valueAt = (body: object, path: string): unknown =>
  path.split('.').reduce<unknown>((inside, step) => (inside as Record<string, unknown> | undefined)?.[step], body);

/** Values of every type but that of `right`. */
const otherTypes = (right: unknown): unknown[] =>
  ['text', 7, true, ['x'], { x: 1 }].filter(value =>
    Array.isArray(right) ? !Array.isArray(value) : Array.isArray(value) || typeof value !== typeof right,
  );

test('every operation with a body has its row in the table', () => {
  // A body that may be absent owes other cases: those of the chain controls stand in test/sandbox/chains.test.ts.
  const wanted = endpoints
    .filter(({ body, bodyMayBeAbsent }) => body && !bodyMayBeAbsent)
    .map(({ method, path }) => `${method} ${path}`);
  const rows = ROUTE_CASES.map(row => `${methodOf(row)} ${row.path}`);
  expect(rows).toEqual(expect.arrayContaining(wanted));
  expect(new Set(rows).size).toBe(ROUTE_CASES.length);
  expect(SERVED.length).toBeGreaterThanOrEqual(9);
});

describe.each(SERVED.map(row => [`${methodOf(row)} ${row.path}`, row] as const))('%s', (_, row) => {
  test('D-05: a required field that is missing or null has its own code', async () => {
    for (const [field, code] of Object.entries(row.required))
      for (const value of [undefined, null]) {
        const body = set(row.body(bench), field, value);
        const message = await expectRefusal(row, { body }, [400, code], `${field} ${value}`);
        expect(message).toBe(`\`${field}\` is required.`);
      }
  });

  test('D-05: the message names a field of the wrong type', async () => {
    for (const field of Object.keys(row.required))
      for (const value of otherTypes(valueAt(row.body(bench), field))) {
        const code = row.enums?.[field] ?? 'BAD-REQUEST';
        const body = set(row.body(bench), field, value);
        const message = await expectRefusal(row, { body }, [400, code], `${field} = ${JSON.stringify(value)}`);
        expect(message).toContain(`\`${field}`);
      }
  });

  test('a value outside the list has its own code', async () => {
    for (const [field, code] of Object.entries(row.enums ?? {}))
      for (const value of ['', 'x', String(valueAt(row.body(bench), field)).toLowerCase(), 'toString']) {
        const body = set(row.body(bench), field, value);
        await expectRefusal(row, { body }, [400, code], `${field} = ${value}`);
      }
  });

  test('D-05: a body that is no JSON object is refused', async () => {
    const bodies: Record<string, unknown> = {
      'empty body': '',
      'no JSON': 'hello',
      'cut off': JSON.stringify(row.body(bench)).slice(0, -1),
      null: 'null',
      'an array': JSON.stringify([row.body(bench)]),
      'a text': '"text"',
      'a number': '7',
      'invalid UTF-8': new Uint8Array([0x7b, 0x22, 0x61, 0x22, 0x3a, 0x22, 0xc3, 0x28, 0x22, 0x7d]),
    };
    for (const [what, body] of Object.entries(bodies)) await expectRefusal(row, { body }, BAD, what);
  });

  test('D-05: a body of 300 KiB is 413, and the server goes on', async () => {
    const body = JSON.stringify({ ...row.body(bench), filler: 'x'.repeat(300 * 1024) });
    await expectRefusal(row, { body }, [413, 'PAYLOAD-TOO-LARGE'], '300 KiB');
    expect((await ask('GET', '/healthcheck')).status).toBe(200);
  });

  test('deep nesting is refused, also in an unknown member', async () => {
    for (const depth of [100, 50_000]) {
      const body = JSON.stringify(row.body(bench)).replace(/\}$/, `,"deep":${'['.repeat(depth)}${']'.repeat(depth)}}`);
      await expectRefusal(row, { body }, BAD, `${depth} deep`);
    }
  });

  test('a lone surrogate is refused in every field', async () => {
    const texts = Object.keys(row.required).filter(field => typeof valueAt(row.body(bench), field) === 'string');
    for (const field of [...texts, ...(row.optionalTexts ?? []), 'unknown']) {
      const body = JSON.stringify(set(row.body(bench), field, 'LONE')).replace('LONE', 'a\\ud800');
      await expectRefusal(row, { body }, BAD, field);
    }
    const member = JSON.stringify(row.body(bench)).replace(/^\{/, '{"\\udfff":1,');
    await expectRefusal(row, { body: member }, BAD, 'the name of a member');
  });

  test('an empty text and one of 10,000 characters are refused in every bounded field', async () => {
    const texts = Object.keys(row.required).filter(field => typeof valueAt(row.body(bench), field) === 'string');
    for (const field of [...texts, ...(row.optionalTexts ?? [])])
      for (const value of ['x'.repeat(10_000), ...(texts.includes(field) ? [''] : [])]) {
        const code = row.enums?.[field] ?? 'BAD-REQUEST';
        const body = set(row.body(bench), field, value);
        const expected = field === 'requiredBeneficiaryInfo' && value === '' ? 'BAD-REQUEST' : code;
        await expectRefusal(row, { body }, [400, expected], `${field} of ${value.length}`);
      }
  });

  test('D-01: an unknown API key is 401, before the body is looked at', async () => {
    const keys = ['Bearer unknown', 'Bearer', 'Bearer ', 'Basic dGVzdDp0ZXN0', 'unknown', ''];
    for (const authorization of keys)
      for (const body of [row.body(bench), 'no JSON'])
        await expectRefusal(row, { body, headers: { authorization } }, [401, 'UNAUTHORIZED'], authorization);
  });

  test('D-05: a wrong method is 405 and lists the right ones', async () => {
    const right = endpoints.filter(({ path }) => path === row.path).map(({ method }) => method as string);
    for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter(name => !right.includes(name))) {
      const call = method === 'GET' ? {} : { body: row.body(bench) };
      await expectRefusal({ path: row.path, method }, call, [405, 'METHOD-NOT-ALLOWED'], method);
      const { headers } = await ask(method, row.path, call);
      const allowed = right.flatMap(name => (name === 'GET' ? ['GET', 'HEAD'] : [name]));
      expect(headers.get('allow')).toBe(allowed.join(', '));
    }
  });

  test('D-05: an unknown path is 404', async () => {
    for (const path of [`${row.path}/`, `${row.path}/more/of/it`, `/x${row.path}`])
      await expectRefusal({ ...row, path }, { body: row.body(bench) }, [404, 'NOT-FOUND'], path);
  });

  if (row.unknownUuid)
    test('REF-7: an unknown verification has the code of the operation', async () => {
      const missing = '00000000-0000-4000-8000-000000000000';
      for (const verificationUuid of [missing, 'x', `${bench.uuid} `, "' OR 1=1"]) {
        const body = { ...row.body(bench), verificationUuid };
        const message = await expectRefusal(row, { body }, row.unknownUuid!, verificationUuid);
        expect(message).toBe(`Verification(${verificationUuid}) is not found`);
      }
    });

  if (row.foreign)
    test("someone else's verification is refused", async () => {
      const { apiKey } = bench.stranger;
      await expectRefusal(row, { body: row.body(bench), apiKey }, row.foreign!, 'by a stranger');
    });
});

describe('GET /vega/robot/v1.0/testnet/balance', () => {
  const row = { path: '/vega/robot/v1.0/testnet/balance', method: 'GET' };
  const right = () => ({ vaspId: world.vaspId, symbol: 'XRP', address: world.user('taylor-robbins').accounts.XRP });
  const refuse = (change: Record<string, string | undefined>, expected: readonly [number, string]) => {
    const query = Object.entries({ ...right(), ...change }).filter(([, value]) => value !== undefined);
    const path = `${row.path}?${new URLSearchParams(query as [string, string][])}`;
    return expectRefusal({ ...row, path }, {}, expected, JSON.stringify(change));
  };

  test('REF-4.6, D-19: answers exactly its fields', async () => {
    const answer = await ask('GET', `${row.path}?${new URLSearchParams(right())}`);
    expect([answer.status, JSON.parse(answer.text)]).toEqual([200, { ...right(), value: '0' }]);
  });

  test('D-05, D-21: a missing or wrong parameter has its own code', async () => {
    await refuse({ vaspId: undefined }, [400, 'MISSING-VASP-ID']);
    await refuse({ symbol: undefined }, [400, 'MISSING-SYMBOL']);
    await refuse({ address: undefined }, [400, 'MISSING-ADDRESS']);
    await refuse({ vaspId: 'x' }, BAD);
    await refuse({ vaspId: '1' }, [400, 'ALLIANCE-NOT-FOUND']);
    await refuse({ vaspId: bench.stranger.vaspId }, [400, 'ALLIANCE-NOT-FOUND']);
    await refuse({ symbol: 'BTC' }, [400, 'UNKNOWN-SYMBOL']);
    await refuse({ symbol: 'S'.repeat(10_000) }, BAD);
    const account = right().address.split(':')[0];
    for (const address of [account!, `${account}:4294967296`, `${account}:-1`, `${account}:1`, 'x', '0x01'])
      await refuse({ address }, [400, 'UNKNOWN-ADDRESS']);
  });
});
