import type * as z from 'zod';
import type { Endpoint, RequestExample } from '../endpoint.ts';
import { shownExamples } from './examples.ts';
import { PATH_PARAMETERS, parametersIn } from './path-parameters.ts';
import { type Json, notNull, type Schemas } from './schemas.ts';

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

export const parametersOf = (
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
