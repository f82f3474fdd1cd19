import { Hono } from 'hono';
import type { Operation } from '../contract/errors.ts';
import { refusals } from '../contract/refusals.ts';
import { answerRefusal, send } from './answer.ts';
import type { Endpoint } from './endpoint.ts';

export type ExamplesByOperation = Readonly<Partial<Record<Operation, Endpoint['examples']>>>;

export interface OpenApiDeps {
  endpoints: readonly Endpoint[];
  version: string;
  /** Example requests with the users and addresses of the running program. */
  examples(): Promise<ExamplesByOperation>;
  /** Puts in the configured provider names. */
  rename(text: string): string;
  isHosted: boolean;
}

/** `/openapi.json` and the collections of requests made of it. The document is built at the first request. */
export function openApiRoutes({ endpoints, version, examples, rename, isHosted }: OpenApiDeps): Hono {
  let text: Promise<string> | undefined;
  async function make(): Promise<string> {
    const { openApiDocument } = await import('./openapi/document.ts');
    const generated = await examples();
    const complete = endpoints.map(each => ({
      ...each,
      examples: each.examples ?? generated[each.operation],
    }));
    return rename(JSON.stringify(openApiDocument(complete, version, isHosted)));
  }
  const document = () => {
    text ??= make();
    return text;
  };
  return new Hono()
    .get('/openapi.json', async c =>
      c.body(await document(), 200, { 'content-type': 'application/json; charset=UTF-8' }),
    )
    .get('/sandbox/v1/collection', async c => {
      const { COLLECTION_FORMATS } = await import('./collection/formats.ts');
      const name = c.req.query('format') ?? 'postman';
      const format = Object.hasOwn(COLLECTION_FORMATS, name) ? COLLECTION_FORMATS[name] : undefined;
      if (!format) {
        const flaw = `should be one of ${Object.keys(COLLECTION_FORMATS).join(', ')}`;
        return send(answerRefusal('sandbox', refusals.invalidField('format', flaw)));
      }
      const { mediaType, fileName, make: render } = format;
      return c.body(render(JSON.parse(await document()), new URL(c.req.url).origin), 200, {
        'content-type': mediaType,
        'content-disposition': `inline; filename="${fileName}"`,
      });
    });
}
