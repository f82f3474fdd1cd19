import type * as z from 'zod';
import * as errors from '../../contract/errors.ts';
import { type Refusal, refusals } from '../../contract/refusals.ts';
import { type Endpoint, PRECONDITIONS, type RequestExample } from '../endpoint.ts';
import { callbacksOf, EXAMPLE_REFUSALS, TAG, webhooks } from './examples.ts';
import { otherPaths, otherSchemas, tagOf, tags } from './other-routes.ts';
import { collectSchemas, type Json, notNull, PATH_PARAMETERS, parametersIn, type Schemas } from './schemas.ts';

/** The API as OpenAPI 3.1, built in steps from the endpoints, their schemas, the error table and the callbacks. */
export function* openApiDocument(
  endpoints: readonly Endpoint[],
  version: string,
  { isHosted, hasPath }: { isHosted: boolean; hasPath(path: string): boolean },
): Generator<void, Json> {
  const schemas = collectSchemas();
  const all = Object.assign(schemas.all, otherSchemas);
  const paths: Record<string, Json> = {};
  for (const endpoint of endpoints.filter(({ alwaysRefuses }) => !alwaysRefuses)) {
    const path = endpoint.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operationOf(endpoint, schemas, isHosted) };
    yield;
  }
  const others = Object.fromEntries(Object.entries(otherPaths).filter(([path]) => hasPath(path)));
  const document: Json = {
    openapi: '3.1.0',
    info: {
      title: 'robot-vasp',
      version,
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
      contact: { name: 'robot-vasp', url: 'https://github.com/robot-vasp/robot-vasp' },
    },
    servers: [{ url: '/', description: 'The program that served this document.' }],
    tags: [...tags.slice(0, -1), TAG, ...tags.slice(-1)],
    security: isHosted ? [{ apiKey: [] }] : [{}, { apiKey: [] }],
    paths: { ...paths, ...others },
    webhooks: webhooks(schemas),
    components: {
      schemas: all,
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'D-01: API key of a registered VASP.' },
        vaspToken: {
          type: 'apiKey',
          in: 'header',
          name: 'Authorization',
          description: 'Header and token of the registration of the VASP.',
        },
      },
    },
  };
  yield;
  removeUnused(all, document);
  yield;
  return document;
}

/** Queries are shown as parameters, so nothing refers to their schemas. The local mode has no operation of the hosted one. */
function removeUnused(all: Record<string, Json>, document: Json): void {
  const text = JSON.stringify(document);
  document.tags = (document.tags as { name: string }[]).filter(({ name }) => text.includes(`"tags":["${name}"]`));
  for (const name of Object.keys(all)) if (!text.includes(`#/components/schemas/${name}"`)) delete all[name];
}

const DESCRIPTION = `\
Enclave (\`/v1\`), robot VASP (\`/vega/robot/v1.0\`) and control of the sandbox (\`/sandbox/v1\`).

**Caller.** A request with an API key acts for the VASP that registered the key. A request without a key acts for the
tested VASP of the configuration (D-01). Every operation reads and changes data of the calling VASP only.

**Errors** have the form \`{code, message}\`. Each operation lists its codes, with an example for each. The header \`Refused-Field\` names
a wrong field by its path, percent-encoded. In addition, an unknown path returns 404
\`NOT-FOUND\`. A known path refuses any other method with 405 \`METHOD-NOT-ALLOWED\` and the header \`Allow\`.

**Examples** are complete requests that are answered with 200. An operation with \`x-precondition\` needs data that you
create first; its description says which id to put into the example. Path, query and body of one example share a name.

**Clauses.** \`REF-\` is a section of the interface description of the enclave (\`REF-4.6.8\`: section 4.6, item 8),
\`WIRE-\` a section of the description of its wire formats, \`D-\` a decision where both are silent.
[Clauses](/guide/clauses) has one sentence for each.`;

function operationOf(endpoint: Endpoint, schemas: Schemas, isHosted: boolean): Json {
  const { path, summary, body, bodyMayBeAbsent, precondition } = endpoint;
  const examples = examplesOf(endpoint, schemas);
  const operationId = operationIdOf(endpoint);
  return {
    operationId,
    tags: [tagOf(path)],
    summary,
    description: descriptionOf(endpoint, operationId),
    parameters: parametersOf(endpoint, examples, schemas),
    ...(body
      ? {
          requestBody: {
            required: !bodyMayBeAbsent || needsMembers(schemas.resolved(schemas.of(body, 'input'))),
            content: {
              'application/json': {
                schema: schemas.of(body, 'input'),
                ...shownExamples(examples, example => example.body),
              },
            },
          },
        }
      : {}),
    responses: { ...success(endpoint, schemas), ...errorResponses(endpoint, schemas, isHosted) },
    ...callbacksOf(operationId, endpoint.callbacks, schemas),
    ...(precondition ? { 'x-precondition': precondition } : {}),
  };
}

const needsMembers = ({ required = [] }: Json): boolean => (required as string[]).length > 0;

function success(endpoint: Endpoint, schemas: Schemas): Json {
  const schema = schemas.of(endpoint.response, 'output');
  const example = endpoint.responseExample ?? sampleOf(schema, schemas);
  return {
    [endpoint.success ?? 200]: { description: 'Success', content: { [contentType(endpoint)]: { schema, example } } },
  };
}

const operationIdOf = ({ operation, method, path }: Endpoint): string =>
  operation === 'sandbox'
    ? `${method.toLowerCase()}${path}`.replace(/[^A-Za-z0-9]+/g, '-').replace('-v1', '')
    : operation;

/** The schema of a stream describes the data of one event. */
const contentType = ({ isEventStream, mediaType = 'application/json' }: Endpoint): string =>
  isEventStream ? 'text/event-stream' : mediaType;

const descriptionOf = ({ description, precondition }: Endpoint, operationId: string): string =>
  [
    ...(description ? [description] : []),
    ...(precondition ? [`The examples need ${PRECONDITIONS[precondition]}`] : []),
    `[The same request in curl, TypeScript, Python, Go and Java](/docs/snippets/${operationId})`,
  ].join('\n\n');

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: '`id` of the last event that was received. The stream continues after it.',
  schema: { type: 'string', maxLength: 31 },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeated request with the same key gets the first answer and has no second effect.',
  schema: { type: 'string', pattern: '^[\\x20-\\x7e]{1,255}$' },
};

const parametersOf = (
  { path, query, acceptsIdempotencyKey: takesIdempotencyKey, isEventStream }: Endpoint,
  examples: Examples,
  schemas: Schemas,
): Json[] => [
  ...parametersIn(path).map(name => ({
    name,
    in: 'path',
    required: true,
    description: PATH_PARAMETERS[name].description,
    schema: { type: 'string', ...PATH_PARAMETERS[name].shape },
    ...shownExamples(examples, ({ params }) => params?.[name]),
  })),
  ...(query ? queryParameters(query, examples, schemas) : []),
  ...(takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ...(isEventStream ? [LAST_EVENT_ID] : []),
];

function queryParameters(query: z.ZodType, examples: Examples, schemas: Schemas): Json[] {
  const { properties, required = [] } = schemas.resolved(schemas.of(query, 'input'));
  return Object.entries(properties as Record<string, Json>).map(([name, member]) => {
    const schema = notNull(member);
    return {
      name,
      in: 'query',
      required: (required as string[]).includes(name),
      description: schema.description ?? schemas.resolved(schema).description,
      schema,
      ...shownExamples(examples, example => example.query?.[name]),
    };
  });
}

/** REF-7: one response per status, with one example for each of its codes. All have one schema: clients get one type. */
function errorResponses(endpoint: Endpoint, schemas: Schemas, isHosted: boolean): Json {
  const byStatus: Record<number, Messages> = {
    503: {
      [errors.STORAGE_UNAVAILABLE.code]: errors.STORAGE_UNAVAILABLE.message,
      [errors.STOPPING.code]: errors.STOPPING.message,
    },
  };
  for (const refusal of refusalsOf(endpoint, schemas, isHosted)) {
    const { status, code, message } = errors.wireError(endpoint.operation, refusal);
    byStatus[status] = { ...byStatus[status], [code]: byStatus[status]?.[code] ?? message };
  }
  return Object.fromEntries(Object.entries(byStatus).map(([status, codes]) => [status, errorResponse(codes, schemas)]));
}

type Messages = Record<string, string>;

function errorResponse(messages: Messages, schemas: Schemas): Json {
  const codes = Object.keys(messages);
  const schema = schemas.of(errors.ErrorBody, 'output');
  const examples = Object.fromEntries(
    Object.entries(messages).map(([code, message]) => [code, { value: { code, message } }]),
  );
  return {
    description: codes.map(code => `\`${code}\``).join(', '),
    content: { 'application/json': { schema, examples } },
  };
}

const OF_HOSTED = ['forbidden', 'suspended', 'rate-limited', 'quota-exceeded'] as const;

function refusalsOf(endpoint: Endpoint, schemas: Schemas, isHosted: boolean): Refusal[] {
  const { operation, method, body, query, path } = endpoint;
  const own = endpoint.refusals ?? (Object.keys(errors.OPERATIONS[operation]) as errors.RefusalKind[]);
  const possible = { ...errors.COMMON_ERRORS } as Partial<Record<errors.RefusalKind, unknown>>;
  for (const kind of ['missing-field', 'unknown-path', 'wrong-method'] as const) delete possible[kind];
  if (!isHosted) for (const kind of OF_HOSTED) delete possible[kind];
  if (!body)
    for (const kind of ['not-json', 'not-object', 'too-large', 'unsupported-media'] as const) delete possible[kind];
  if (method === 'GET') delete possible['foreign-origin'];
  if (!body && !query && !path.includes(':')) delete possible['invalid-field'];
  const common = Object.keys(possible) as errors.RefusalKind[];
  return [...missingFields(endpoint, schemas), ...[...common, ...own].map(kind => EXAMPLE_REFUSALS[kind])];
}

/** D-05: every required field has its own code. */
function missingFields(endpoint: Endpoint, schemas: Schemas): Refusal[] {
  const { operation, body, query, conditionallyRequired: requiredAtTimes = [] } = endpoint;
  const always = [body, query].flatMap(schema =>
    schema ? requiredFields(schemas.of(schema, 'input'), '', schemas) : [],
  );
  const fields = [...always, ...requiredAtTimes];
  const byCode = new Map(fields.map(field => [errors.missingCode(operation, field), field] as const).reverse());
  return [...byCode.values()].reverse().map(field => refusals.missingField(field));
}

/** Dotted paths, at any depth. */
function requiredFields(schema: Json, path: string, schemas: Schemas, depth = 0): string[] {
  if (depth > 12) return [];
  const { properties = {}, required = [], items, anyOf, allOf, oneOf } = schemas.resolved(schema);
  const inside = Object.entries(properties as Record<string, Json>).flatMap(([name, member]) => {
    const at = path === '' ? name : `${path}.${name}`;
    const isRequired = (required as string[]).includes(name);
    return [...(isRequired ? [at] : []), ...requiredFields(member, at, schemas, depth + 1)];
  });
  const others = [...((anyOf ?? allOf ?? oneOf ?? []) as Json[]), ...(items ? [items as Json] : [])];
  return [...inside, ...others.flatMap(each => requiredFields(each, path, schemas, depth + 1))];
}

type Examples = Readonly<Record<string, RequestExample>>;

/** The complete example requests of an endpoint. A test sends each of them unchanged. */
function examplesOf(endpoint: Endpoint, schemas: Schemas): Examples {
  const declared = endpoint.examples ?? { default: {} };
  return Object.fromEntries(
    Object.entries(declared).map(([name, example]) => [name, completed(example, endpoint, schemas)]),
  );
}

function completed(example: RequestExample, endpoint: Endpoint, schemas: Schemas): RequestExample {
  const { path, query, body } = endpoint;
  const params = parametersIn(path).map(name => [name, PATH_PARAMETERS[name].example]);
  const inQuery = query ? (sampleOf(schemas.of(query, 'input'), schemas) as Record<string, string>) : {};
  return {
    ...example,
    params: { ...Object.fromEntries(params), ...example.params },
    query: { ...inQuery, ...example.query },
    ...(body ? { body: example.body ?? sampleOf(schemas.of(body, 'input'), schemas) } : {}),
  };
}

/** In OpenAPI each parameter and the body have examples of their own. The parts of one request share a name. */
const shownExamples = (examples: Examples, part: (example: RequestExample) => unknown): Json => {
  const shown = Object.entries(examples)
    .map(([name, example]) => [name, { summary: example.summary, value: part(example) }] as const)
    .filter(([, { value }]) => value !== undefined);
  return shown.length === 0 ? {} : { examples: Object.fromEntries(shown) };
};

/** A value that matches the schema, built from its examples. An object gets its required members only. */
function sampleOf(schema: Json, schemas: Schemas): unknown {
  const { examples, const: only, enum: values, anyOf, oneOf, allOf, type: types, ...rest } = schemas.resolved(schema);
  const type = Array.isArray(types) ? types[0] : types;
  if (Array.isArray(examples)) return examples[0];
  if (only !== undefined) return only;
  if (Array.isArray(values)) return values[0];
  if (type === 'object') return sampleObject(rest, schemas);
  const [alternative] = (anyOf ?? oneOf ?? allOf ?? []) as Json[];
  if (alternative) return sampleOf(alternative, schemas);
  if (rest.format === 'uuid') return PATH_PARAMETERS.uuid.example;
  switch (type) {
    case 'array':
      return rest.minItems === undefined ? [] : [sampleOf(rest.items as Json, schemas)];
    case 'integer':
    case 'number':
      return Math.max(Number(rest.minimum ?? 1), 0);
    case 'boolean':
      return true;
    default:
      return 'text';
  }
}

function sampleObject({ properties = {}, required = [] }: Json, schemas: Schemas): Json {
  const members = properties as Record<string, Json>;
  return Object.fromEntries((required as string[]).map(name => [name, sampleOf(members[name] ?? {}, schemas)]));
}
