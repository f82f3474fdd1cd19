import type { Json } from './schemas.ts';

/** A route that is no endpoint, and the parts of its description. */
export interface OtherRoute {
  path: string;
  method?: 'get' | 'post';
  operationId: string;
  summary: string;
  description?: string;
  body?: Json;
  bodyMayBeAbsent?: true;
  answers: Readonly<Record<number, Json & { description: string }>>;
}

export const content = (type: string, schema: Json, example?: unknown) => ({
  content: { [type]: { schema, ...(example === undefined ? {} : { example }) } },
});
export const text = { type: 'string' };
export const json = (schema: Json, example?: unknown) => content('application/json', schema, example);
export const anyObject = { type: 'object' };
