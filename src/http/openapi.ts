import { Hono } from 'hono';
import type { Operation } from '../contract/errors.ts';
import { onceMade, runInParts } from '../kernel/turns.ts';
import type { Endpoint } from './endpoint.ts';
import { keptPages } from './kept-pages.ts';

export type ExamplesByOperation = Readonly<Partial<Record<Operation, Endpoint['examples']>>>;

export interface OpenApiDeps {
  endpoints: readonly Endpoint[];
  version: string;
  /** Example requests with the users and addresses of the running program. */
  examples(): Promise<ExamplesByOperation>;
  /** Puts in the configured provider names. */
  rename(text: string): string;
  isHosted: boolean;
  /** The routes beside the endpoints that this process has. */
  hasPath(path: string): boolean;
}

/** `/openapi.json`. The document is built at the first request, in parts: it takes long. */
export function openApiRoutes({ endpoints, version, examples, rename, isHosted, hasPath }: OpenApiDeps): Hono {
  const document = onceMade(async () => {
    const { openApiDocument } = await import('./openapi/document.ts');
    const generated = await examples();
    const complete = endpoints.map(each => ({ ...each, examples: each.examples ?? generated[each.operation] }));
    const built = await runInParts(openApiDocument(complete, version, { isHosted, hasPath }));
    return rename(JSON.stringify(built));
  });
  const kept = keptPages(() => '');
  return new Hono().get('/openapi.json', kept, async c =>
    c.body(await document(), 200, { 'content-type': 'application/json; charset=UTF-8' }),
  );
}
