import type { Hono } from 'hono';
import type { SignIn } from '../http/caller.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { allowOnly } from '../http/mount.ts';
import type { Config } from './config/config.ts';

/** The web pages. Each part is loaded when somebody opens it: a container in CI never pays for it. */
export function mountPages(
  app: Hono,
  config: Config,
  api: { version: string; endpoints: readonly Endpoint[] },
  whoHas?: (key: string) => SignIn | undefined,
): void {
  const { parts, publicUrl } = config;
  let pages: Promise<Hono> | undefined;
  const consoleApp = () => {
    pages ??= import('../console/routes.tsx').then(({ consoleRoutes }) =>
      consoleRoutes({
        send: (request, bindings) => app.fetch(request, bindings),
        publicUrl,
        parts,
        whoHas,
        hasTrials: config.registration === 'trial',
      }),
    );
    return pages;
  };
  app.get('/', c => c.redirect('/console'));
  const readApi = async (request: Request) => app.fetch(request);
  app.all('/docs/*', async c =>
    (await import('../console/docs.tsx')).docs(readApi, parts).fetch(c.req.raw, c.env),
  );
  app.use('/guide/*', allowOnly('GET', 'HEAD'));
  app.all('/guide/*', async c =>
    (await import('../guide/routes.tsx')).guide.fetch(c.req.raw, {
      ...Object(c.env),
      readApi,
      parts,
      publicUrl,
    }),
  );
  for (const path of ['/llms.txt', '/llms-full.txt'])
    app.get(path, async c => (await import('../guide/routes.tsx')).llms.fetch(c.req.raw, { publicUrl }));
  let mcp: Promise<Hono> | undefined;
  const mcpApp = () => {
    mcp ??= import('../mcp/routes.ts').then(({ mcpRoutes }) =>
      mcpRoutes({ ...api, send: readApi, publicUrl }),
    );
    return mcp;
  };
  app.use('/mcp', allowOnly('POST'));
  app.post('/mcp', async c => (await mcpApp()).fetch(c.req.raw, c.env));
  app.use('/console/*', allowOnly('GET', 'HEAD', 'POST'));
  app.all('/console/*', async c => (await consoleApp()).fetch(c.req.raw, c.env));
}
