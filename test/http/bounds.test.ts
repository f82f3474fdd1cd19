import { afterAll, expect, test } from 'vitest';
import { client } from '../../src/client/client.ts';
import { type ApiDocument, loadDocument } from '../support/http/document-check.ts';
import { createHostedWorld, OPERATOR_KEY } from '../support/world/hosted-world.ts';
import { createWorld } from '../support/world/world.ts';

/** Whatever a caller sends has a most: each list, each text, each number of the API document. */

type Schema = { [member: string]: unknown };

const [local, hosted] = await Promise.all([createWorld(), createHostedWorld()]);
afterAll(() => local.close());
afterAll(() => hosted.close());

const isEndless = (pattern: string) => /[*+]|\{\d+,\}/.test(pattern.replace(/\\.|\[(?:\\.|[^\]])*\]/g, 'x'));

/** The paths of the parts that have no most. */
function unbounded(schema: Schema, all: Record<string, Schema>, at: string, seen: string[] = []): string[] {
  const { $ref, type, properties = {}, items, additionalProperties: others } = schema;
  if (typeof $ref === 'string') {
    const name = $ref.split('/').at(-1)!;
    return seen.includes(name) ? [] : unbounded(all[name]!, all, at, [...seen, name]);
  }
  const inside = ['anyOf', 'oneOf', 'allOf'].flatMap(word => (schema[word] as Schema[] | undefined) ?? []);
  return [
    ...(hasMost(schema, type) ? [] : [`${at} (${String(type)})`]),
    ...Object.entries(properties as Record<string, Schema>).flatMap(([name, member]) =>
      unbounded(member, all, `${at}.${name}`, seen),
    ),
    ...(typeof items === 'object' ? unbounded(items as Schema, all, `${at}[]`, seen) : []),
    ...(typeof others === 'object' ? unbounded(others as Schema, all, `${at}.*`, seen) : []),
    ...inside.flatMap(each => unbounded({ type, ...each }, all, at, seen)),
  ];
}

function hasMost(schema: Schema, type: unknown): boolean {
  if (Array.isArray(type)) return type.every(each => hasMost(schema, each));
  const has = (...names: string[]) => names.some(name => schema[name] !== undefined);
  if (has('enum', 'const', 'anyOf', 'oneOf', 'allOf')) return true;
  if (type === 'array') return has('maxItems');
  if (type === 'number' || type === 'integer')
    return has('maximum', 'exclusiveMaximum') && has('minimum', 'exclusiveMinimum');
  if (type !== 'string') return true;
  return has('maxLength', 'format') || (has('pattern') && !isEndless(String(schema.pattern)));
}

/** The operator brings what another sandbox has written. Its bytes and rows have a most. */
const isImport = (method: string, path: string) => method === 'post' && path === '/sandbox/v1/tenants';

const unboundedIn = ({ paths, components }: ApiDocument): string[] =>
  Object.entries(paths)
    .filter(([path]) => !/^\/(devnet|mcp)/.test(path))
    .flatMap(([path, operations]) =>
      Object.entries(operations)
        .filter(([method]) => !isImport(method, path))
        .flatMap(([method, { requestBody, parameters = [] }]) => [
          ...parameters.flatMap(({ name, schema }) =>
            unbounded(schema as Schema, components.schemas, `${method} ${path} ?${name}`),
          ),
          ...Object.values(requestBody?.content ?? {}).flatMap(({ schema = {} }) =>
            unbounded(schema as Schema, components.schemas, `${method} ${path} body`),
          ),
        ]),
    );

test('every part of a request has a most in the document of the local mode', async () => {
  expect(unboundedIn(await loadDocument(local.url))).toEqual([]);
});

test('every part of a request has a most in the document of the hosted mode', async () => {
  const { body } = await client(hosted.url, { apiKey: OPERATOR_KEY }).call<ApiDocument>('GET', '/openapi.json');
  expect(unboundedIn(body)).toEqual([]);
});
