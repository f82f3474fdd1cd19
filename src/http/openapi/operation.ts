import type * as z from 'zod';
import { type Endpoint, PRECONDITIONS, type RequestExample } from '../endpoint.ts';
import { errorResponses } from './errors.ts';
import { examplesOf, sampleOf, shownExamples } from './examples.ts';
import { PATH_PARAMETERS, parametersIn } from './path-parameters.ts';
import { type Json, notNull, type Schemas } from './schemas.ts';
import { tagOf } from './tags.ts';
import { callbacksOf } from './webhooks.ts';

export function operationOf(endpoint: Endpoint, schemas: Schemas, isHosted: boolean): Json {
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
  examples: Readonly<Record<string, RequestExample>>,
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

function queryParameters(
  query: z.ZodType,
  examples: Readonly<Record<string, RequestExample>>,
  schemas: Schemas,
): Json[] {
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
