import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { CALLBACK_TYPES } from '../../src/contract/callbacks.ts';
import { COMMON_ERRORS, type ErrorRow, OPERATIONS, type Operation } from '../../src/contract/errors.ts';
import { VASP_API } from '../../src/contract/vasp-api.ts';
import { renaming } from '../../src/contract/vasps.ts';
import { type ApiDocument, documentCheck, loadDocument } from '../support/http/document-check.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

type Described = {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  parameters?: { name: string; in: string; description?: string }[];
  responses: Record<string, { content?: Record<string, { schema: ErrorSchema; examples?: Examples }> }>;
  callbacks?: Record<string, unknown>;
};
type ErrorSchema = { $ref: string };
type Examples = Record<string, { value: { code: string; message: string } }>;

const world = await forFile(createWorld());
const document = (await loadDocument(world.url)) as ApiDocument & { tags: { name: string }[] };

const operations = () =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, ...(operation as unknown as Described) })),
  );

const operationOf = (id: string) => operations().find(({ operationId }) => operationId === id)!;
const codesOf = ({ responses }: Described, status: number): string[] =>
  Object.keys(responses[status]?.content?.['application/json']?.examples ?? {});

test('it is valid OpenAPI 3.1', async () => {
  const result = await new Validator().validate(JSON.stringify(document, null, 1));
  expect(result).toEqual({ valid: true });
  expect(document).toMatchObject({ openapi: '3.1.0' });
});

/** `/a/:b` -> `/a/{b}` */
const templateOf = (route: string) => route.replace(/:(\w+)/g, '{$1}');

describe('every route is in it, and the reverse', () => {
  test.each([
    ['with the names of the reference', {}],
    ['with other provider names', { PROVIDER_A_NAME: 'acme', PROVIDER_B_NAME: 'globex' }],
  ])('%s', async (_with, env) => {
    const renamed = await createWorld({ env });
    const { paths } = await loadDocument(renamed.url);
    const documented = Object.entries(paths).flatMap(([path, methods]) =>
      Object.keys(methods).map(method => `${method.toUpperCase()} ${path}`),
    );
    const routes = renamed.routes.map(({ method, path }) => ({ method, path: templateOf(path) }));
    const served = routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`);
    // If a path has routes for methods, the route for all other methods answers 405.
    const open = routes
      .filter(({ method, path }) => method === 'ALL' && !served.some(route => route.endsWith(` ${path}`)))
      .map(({ path }) => path.replace(/\/\*$/, ''));
    await renamed.close();

    expect(served.length).toBeGreaterThan(45);
    // The address with a slash that clients add, a redirection for people, and the refusal of a chain control that does not exist.
    const others = ['POST /devnet/ethereum/', 'GET /', 'POST /sandbox/v1/chains/{symbol}/{control}'];
    expect(served.filter(route => !documented.includes(route))).toEqual(others);
    expect(open.filter(path => !Object.keys(paths).some(each => each.startsWith(path)))).toEqual([]);
    const isServed = (operation: string) =>
      served.includes(operation) || open.some(path => operation.split(' ')[1]!.startsWith(path));
    expect(documented.filter(operation => !isServed(operation))).toEqual([]);
  });
});

test('every operation says what it is: an id of its own, a section, a summary, its parameters', () => {
  const ids = operations().map(({ operationId }) => operationId);
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids).toEqual(expect.arrayContaining(Object.keys(OPERATIONS).filter(each => each !== 'sandbox')));
  const sections = document.tags.map(({ name }) => name);
  const used = new Set(operations().flatMap(({ tags }) => tags));
  expect(sections.filter(name => !used.has(name))).toEqual(['your VASP']); // Only of webhooks.
  for (const { operationId, tags, summary, description, parameters = [] } of operations()) {
    expect(sections, operationId).toEqual(expect.arrayContaining(tags));
    expect(tags, operationId).toHaveLength(1);
    expect(summary, operationId).toBeTruthy();
    expect(description, operationId).toBeTruthy();
    for (const parameter of parameters) expect(parameter.description, `${operationId} ${parameter.name}`).toBeTruthy();
  }
});

test('it names the server, and every address of a callback is a plain one', () => {
  expect(document).toMatchObject({ servers: [{ url: '/' }] });
  const keys = operations().flatMap(({ callbacks = {} }) =>
    Object.values(callbacks).flatMap(each => Object.keys(each as object)),
  );
  expect(keys.length).toBeGreaterThan(5);
  expect(keys.filter(key => /[{}]/.test(key))).toEqual([]);
});

test('every body and every answer has an example, and the schema admits it', () => {
  const { examplesOf } = documentCheck(document);
  const all = examplesOf();
  expect(all.length).toBeGreaterThan(500);
  expect(all.filter(({ count }) => count === 0).map(({ where }) => where)).toEqual([]);
  expect(all.flatMap(({ where, problems }) => problems.map(problem => `${where}: ${problem}`))).toEqual([]);
});

/** Every object of the document, with the name of the member that holds it. */
function everyObject(value: unknown = document, name = ''): { name: string; object: Found }[] {
  if (typeof value !== 'object' || value === null || name === 'example' || name === 'value') return [];
  const inside = Object.entries(value).flatMap(([member, each]) => everyObject(each, member));
  return [{ name, object: value as Found }, ...inside];
}
interface Found {
  [member: string]: unknown;
  responses?: Record<string, unknown>;
  examples?: unknown;
  properties?: object;
}

describe('what Redocly (recommended) and Spectral (spectral:oas) look for', () => {
  test('every operation has an answer for success and one for a refusal', () => {
    const lacking = operations().flatMap(({ operationId, responses, callbacks = {} }) =>
      [responses, ...everyObject(callbacks).flatMap(({ object }) => object.responses ?? [])]
        .map(each => Object.keys(each as object).join())
        .filter(statuses => !/\b2\d\d/.test(statuses) || !/\b4\d\d/.test(statuses))
        .map(statuses => `${operationId}: ${statuses}`),
    );
    expect(lacking).toEqual([]);
  });

  test('a link is an absolute address', () => {
    const links = everyObject().filter(({ object, name }) => typeof object.url === 'string' && name !== '0');
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter(({ object }) => !URL.canParse(String(object.url)))).toEqual([]);
  });

  test('a condition on some members leaves the others open', () => {
    const conditions = everyObject().filter(({ name }) => ['if', 'then', 'else', 'not'].includes(name));
    const open = conditions.filter(({ object }) => object.properties);
    expect(open.length).toBeGreaterThan(0);
    expect(open.filter(({ object }) => object.additionalProperties !== true)).toEqual([]);
  });

  test('a schema admits its own examples', () => {
    const ajv = new Ajv2020({ strict: false });
    addFormats.default(ajv);
    ajv.addSchema({ $id: 'api', components: document.components });
    const shown = everyObject().filter(({ object }) => Array.isArray(object.examples));
    expect(shown.length).toBeGreaterThan(50);
    const refused = shown.filter(({ object }) => {
      const inside = JSON.stringify(object).replaceAll('"#/components', '"api#/components');
      return !(object.examples as unknown[]).every(each => ajv.validate(JSON.parse(inside), each));
    });
    expect(refused).toEqual([]);
  });
});

test('headers that mean something are documented', () => {
  const headers = operations().flatMap(({ operationId, parameters = [] }) =>
    parameters.filter(each => each.in === 'header').map(({ name }) => `${operationId}: ${name}`),
  );
  expect(headers).toEqual(['robot-verify-user: Idempotency-Key', 'get-sandbox-events: Last-Event-ID']);
});

describe('REF-7: every error', () => {
  test.each(Object.keys(OPERATIONS).filter(operation => operation !== 'sandbox') as Operation[])(
    '%s: each of its codes, at its status, with an example',
    id => {
      const operation = operationOf(id);
      for (const { status, code } of Object.values(OPERATIONS[id] as Record<string, ErrorRow>))
        expect(codesOf(operation, status)).toContain(code);
      expect(codesOf(operation, COMMON_ERRORS.unauthorized.status)).toContain('UNAUTHORIZED');
      for (const [status, { content }] of Object.entries(operation.responses)) {
        if (status === '200') continue;
        const { schema, examples } = content!['application/json']!;
        expect(schema).toEqual({ $ref: '#/components/schemas/ErrorBody' });
        for (const [code, { value }] of Object.entries(examples!)) expect(value.code).toBe(code);
      }
    },
  );

  test('a missing field has a code of its own', () => {
    expect(codesOf(operationOf('verify-user'), 400)).toEqual(
      expect.arrayContaining(['MISSING-VASP', 'MISSING-ASSET-INFO', 'MISSING-TRADE-ISO-DATETIME']),
    );
    expect(codesOf(operationOf('assess-wco'), 400)).toEqual([
      'MISSING-VERIFICATION-UUID',
      'BAD-REQUEST',
      'NOT-FOUND-VERIFICATION',
    ]);
    expect(codesOf(operationOf('get-self'), 400)).toEqual(['BAD-REQUEST']);
  });
});

test('generators: no id names two operations, and no schema has the name of the answer to an operation', () => {
  const called = operations().flatMap(({ callbacks = {} }) =>
    everyObject(callbacks).flatMap(({ object }) => (object.operationId as string) ?? []),
  );
  const ids = [...operations().map(({ operationId }) => operationId), ...called];
  expect(called).toHaveLength(11);
  expect(new Set(ids).size).toBe(ids.length);
  const inPascalCase = (id: string) => id.replace(/(?:^|-)(\w)/g, (_, first: string) => first.toUpperCase());
  const answers = operations().map(({ operationId }) => `${inPascalCase(operationId)}Response`);
  expect(answers.filter(name => name in document.components.schemas)).toEqual([]);
});

test('REF-6: callbacks stand at what causes them, and with the questions among what a VASP has to answer', () => {
  const causes = Object.fromEntries(
    operations()
      .filter(({ callbacks }) => callbacks)
      .map(({ operationId, callbacks }) => [operationId, Object.keys(callbacks!)]),
  );
  expect(causes).toEqual({
    'verify-user': ['VERIFICATION_RESULT'],
    'report-transaction': ['TX_REPORT'],
    'report-error': ['ERROR_REPORT'],
    'assess-kyt': ['PROVIDER_A_KYT_RESULT'],
    'assess-wco': ['PROVIDER_B_WCO_RESULT'],
    'robot-withdraw': ['TX_REPORT', 'ERROR_REPORT'],
    'robot-report-tx': ['TX_REPORT'],
    'robot-report-error': ['ERROR_REPORT'],
    'post-sandbox-transfers': ['TX_REPORT', 'ERROR_REPORT'],
  });
  expect(new Set(Object.values(causes).flat())).toEqual(new Set(CALLBACK_TYPES));
  const questions = Object.keys(VASP_API).filter(operation => operation !== 'callback');
  expect(Object.keys(document.webhooks).sort()).toEqual(['driver', ...questions, ...CALLBACK_TYPES].sort());
});

test('every operation of the network cites its clause, and every call of the enclave to a VASP', () => {
  const clause = /\b(REF|WIRE)-\d/;
  const ofTheNetwork = operations().filter(({ path }) => /^\/(v1|vega)\//.test(path));
  expect(ofTheNetwork.length).toBe(19);
  for (const { operationId, description } of ofTheNetwork) expect(description, operationId).toMatch(clause);
  const { driver: _, ...calls } = document.webhooks as Record<string, { post: Described }>;
  for (const [name, { post }] of Object.entries(calls)) expect(post.description, name).toMatch(clause);
});

test('provider names of the configuration stand everywhere', async () => {
  const env = { PROVIDER_A_NAME: 'acme', PROVIDER_B_NAME: 'globex' };
  const renamed = await createWorld({ env });
  const text = JSON.stringify(await loadDocument(renamed.url));
  await renamed.close();
  expect(text).toBe(renaming({ a: 'acme', b: 'globex' }).text(text));
  for (const name of ['/v1/risk-assessment/acme-sanction', 'ACME_KYT_RESULT', 'globexWCO'])
    expect(text).toContain(name);
});

test('every object of a request and an answer has a name, so that generators make one type of it', () => {
  const inline: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== 'object' || value === null) return;
    const { type, properties } = value as { type?: unknown; properties?: object };
    if (type === 'object' && properties && Object.keys(properties).length > 1) inline.push(at);
    for (const [name, member] of Object.entries(value)) if (name !== 'example') look(member, `${at}/${name}`);
  };
  look(document.paths, '');
  look(document.webhooks, '/webhooks');
  expect(inline).toEqual([]);
});

/** The members of `then` and `else` are no business of a generator. */
const readByGenerators = () =>
  everyObject(
    JSON.parse(JSON.stringify(document, (name, value) => (/^(if|then|else)$/.test(name) ? undefined : value))),
  ).map(({ object }) => object);

test('what openapi-generator cannot read stands nowhere', () => {
  const problems = readByGenerators().flatMap(schema => {
    const { pattern, properties, type, format } = schema;
    const isComposed = ['anyOf', 'oneOf', 'allOf', 'not'].some(word => word in schema);
    const isPattern = typeof pattern === 'string';
    return [
      ...(isComposed && properties ? ['alternatives beside members'] : []),
      ...(isPattern && type === undefined ? ['a pattern without a type'] : []),
      ...(isPattern && !/^\^.*\$$/.test(pattern) ? ['a pattern that is not anchored'] : []),
      ...(isPattern && format === 'uuid' ? ['a pattern beside the format uuid'] : []),
    ].map(problem => `${problem}: ${JSON.stringify(schema).slice(0, 200)}`);
  });
  expect(problems).toEqual([]);
});
