import { Hono } from 'hono';
import type { Operation } from '../contract/errors.ts';
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

/** `/openapi.json`. The document is built at the first request. */
export function openApiRoutes({
  endpoints,
  version,
  examples,
  rename,
  isHosted,
  hasPath,
}: OpenApiDeps): Hono {
  let text: Promise<string> | undefined;
  async function make(): Promise<string> {
    const { openApiDocument } = await import('./openapi/document.ts');
    const generated = await examples();
    const complete = endpoints.map(each => ({
      ...each,
      examples: each.examples ?? generated[each.operation],
    }));
    return rename(JSON.stringify(openApiDocument(complete, version, { isHosted, hasPath })));
  }
  const document = () => {
    text ??= make();
    return text;
  };
  return new Hono()
    .use(
      '/openapi.json',
      keptPages(() => ''),
    )
    .get('/openapi.json', async c =>
      c.body(await document(), 200, { 'content-type': 'application/json; charset=UTF-8' }),
    );
}
