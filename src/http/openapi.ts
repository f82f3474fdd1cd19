import { Hono } from 'hono';
import type { Endpoint } from './endpoint.ts';

/**
 * `/openapi.json`, made at the first request. `rename`: the provider names of the configuration, applied to the whole
 * text.
 */
export function openApiRoutes(
  endpoints: readonly Endpoint[],
  version: string,
  rename: (text: string) => string,
): Hono {
  let text: string | undefined;
  return new Hono().get('/openapi.json', async c => {
    const { openApiDocument } = await import('./openapi-document.ts');
    text ??= rename(JSON.stringify(openApiDocument(endpoints, version)));
    return c.body(text, 200, { 'content-type': 'application/json; charset=UTF-8' });
  });
}
