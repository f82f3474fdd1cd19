import { Hono } from 'hono';
import type { Operation } from '../contract/errors.ts';
import type { Endpoint } from './endpoint.ts';

export type ExamplesByOperation = Readonly<Partial<Record<Operation, Endpoint['examples']>>>;

export interface OpenApiDeps {
  endpoints: readonly Endpoint[];
  version: string;
  /** Requests that hold what only the running program knows: users, addresses. */
  examples(): Promise<ExamplesByOperation>;
  /** The provider names of the configuration, applied to the whole text. */
  rename(text: string): string;
}

/** `/openapi.json`, made at the first request. */
export function openApiRoutes({ endpoints, version, examples, rename }: OpenApiDeps): Hono {
  let text: Promise<string> | undefined;
  async function make(): Promise<string> {
    const { openApiDocument } = await import('./openapi/document.ts');
    const given = await examples();
    const complete = endpoints.map(each => ({ ...each, examples: each.examples ?? given[each.operation] }));
    return rename(JSON.stringify(openApiDocument(complete, version)));
  }
  return new Hono().get('/openapi.json', async c => {
    text ??= make();
    return c.body(await text, 200, { 'content-type': 'application/json; charset=UTF-8' });
  });
}
