import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import { CALLBACK_TYPES, CALLBACKS } from '../contract/callbacks.ts';
import { COMMON_ERRORS, ErrorBody, type ErrorRow, OPERATIONS } from '../contract/errors.ts';
import type { Endpoint } from './endpoint.ts';

/** The API as OpenAPI 3.1, made of what validates: the endpoints, their schemas, the table of errors, the callbacks. */

type Json = { [member: string]: unknown };
type Io = 'input' | 'output';

export function openApiDocument(endpoints: readonly Endpoint[], version: string): Json {
  const schemas = components();
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas) };
  }
  const webhooks = Object.fromEntries(
    CALLBACK_TYPES.map(type => [type, { post: callbackOf(type, schemas) }]),
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'robot-vasp',
      version,
      description:
        'Enclave (`/v1`), robot VASP (`/vega/robot/v1.0`) and control of the sandbox (`/sandbox/v1`).',
    },
    security: [{}, { apiKey: [] }],
    paths,
    webhooks,
    components: {
      schemas: schemas.all,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'D-01: the API key of a registered VASP.' },
      },
    },
  };
}

function operationOf(
  { operation, method, path, summary, body, query, response }: Endpoint,
  schemas: Components,
): Json {
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
  }));
  return {
    operationId: `${operation}: ${method} ${path}`.replace(/[^A-Za-z0-9]+/g, '-'),
    summary,
    parameters: [...inPath, ...(query ? queryParameters(query, schemas) : [])],
    ...(body ? { requestBody: { required: true, content: json(schemas.of(body, 'input')) } } : {}),
    responses: {
      200: { description: 'Success', content: json(schemas.of(response, 'output')) },
      ...errorResponses(operation, schemas),
    },
  };
}

function queryParameters(query: z.ZodType, schemas: Components): Json[] {
  const written = schemas.of(query, 'input');
  const [, id] = /([^/]+)$/.exec(String(written.$ref ?? '')) ?? [];
  const shape = (id === undefined ? written : schemas.all[id]) as {
    properties: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(shape.properties).map(([name, schema]) => ({
    name,
    in: 'query',
    required: shape.required?.includes(name) ?? false,
    schema,
  }));
}

/** §7: one response per status, naming its codes. A missing field has a code of its own: `MISSING-…`. */
function errorResponses(operation: Endpoint['operation'], schemas: Components): Json {
  const rows = { ...COMMON_ERRORS, ...OPERATIONS[operation] } as Record<string, ErrorRow>;
  const codes: Record<number, string[]> = {};
  for (const [kind, row] of Object.entries(rows)) {
    const code = kind === 'missing-field' ? 'MISSING-…' : row.code;
    codes[row.status] = [...(codes[row.status] ?? []).filter(known => known !== code), code];
  }
  const content = json(schemas.of(ErrorBody, 'output'));
  return Object.fromEntries(
    Object.entries(codes).map(([status, all]) => [status, { description: all.join(', '), content }]),
  );
}

const callbackOf = (type: (typeof CALLBACK_TYPES)[number], schemas: Components): Json => ({
  summary: `To the ${CALLBACKS[type].receiver} VASP: ${CALLBACKS[type].trigger}`,
  requestBody: {
    required: true,
    content: json({
      type: 'object',
      required: ['callbackType', 'data'],
      properties: { callbackType: { const: type }, data: schemas.of(CALLBACKS[type].data, 'output') },
    }),
  },
  responses: { 200: { description: 'Taken. Anything else is tried again (D-13).' } },
});

const json = (schema: unknown): Json => ({ 'application/json': { schema } });

interface Components {
  all: Record<string, Json>;
  /** A reference into `all` where the schema has an id, otherwise the schema itself. */
  of(schema: z.ZodType, io: Io): Json;
}

/** Named schemas stand once under `components`; one that is read otherwise than it is written stands there twice. */
function components(): Components {
  const all: Record<string, Json> = {};
  const firstForms = new Map<string, Json>();

  function of(schema: z.ZodType, io: Io): Json {
    const {
      $schema: _,
      $defs = {},
      ...rest
    } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json;
    const inside = $defs as Record<string, Json>;
    const names = new Map(Object.entries(inside).map(([id, def]) => [id, nameFor(id, def)]));
    for (const [id, name] of names) all[name] = pointing(inside[id]!, names) as Json;
    return pointing(rest, names) as Json;
  }

  function nameFor(id: string, schema: Json): string {
    const form = pointing(schema, new Map()) as Json;
    const first = firstForms.get(id) ?? form;
    firstForms.set(id, first);
    return isDeepStrictEqual(first, form) ? id : `${id}Answered`;
  }

  return { all, of };
}

/** References into `components`, and no `id`: that is what the schema is called there. */
function pointing(value: unknown, names: Map<string, string>): unknown {
  if (Array.isArray(value)) return value.map(element => pointing(element, names));
  if (typeof value !== 'object' || value === null) return value;
  const isSchema =
    'type' in value || 'anyOf' in value || 'allOf' in value || 'oneOf' in value || 'enum' in value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([member, inside]) => !(isSchema && member === 'id' && typeof inside === 'string'))
      .map(([member, inside]) => {
        const [, id] = member === '$ref' ? (/^#\/\$defs\/(.+)$/.exec(String(inside)) ?? []) : [];
        if (id === undefined) return [member, pointing(inside, names)];
        return [member, `#/components/schemas/${names.get(id) ?? id}`];
      }),
  );
}
