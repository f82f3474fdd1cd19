import { type Endpoint, PRECONDITIONS } from '../endpoint.ts';
import { errorResponses } from './errors.ts';
import { examplesOf, shownExamples } from './examples.ts';
import { parametersOf } from './parameters.ts';
import { sampleOf } from './sample.ts';
import type { Json, Schemas } from './schemas.ts';
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
    [endpoint.success ?? 200]: {
      description: 'Success',
      content: { [contentType(endpoint)]: { schema, example } },
    },
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
