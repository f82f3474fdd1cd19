import { type Context, Hono } from 'hono';
import { csrf } from 'hono/csrf';
import { secureHeaders } from 'hono/secure-headers';
import { client, Refused } from '../client/client.ts';
import { asset } from './assets.ts';
import { layout } from './layout.tsx';
import type { Notice, Page, PageContext } from './page.ts';
import { PAGES } from './pages.ts';
import { apiKeyOf, signIn, signOut } from './session.ts';

export interface ConsoleDeps {
  /** The API of this very program: the console shows and does what anybody could by HTTP. */
  send(request: Request): Promise<Response> | Response;
}

const POLICY = {
  contentSecurityPolicy: {
    defaultSrc: ["'self'"],
    // Diagrams place their parts by style attributes; Pico's icons are data addresses.
    styleSrc: ["'self'", "'unsafe-inline'"],
    imgSrc: ["'self'", 'data:'],
    frameAncestors: ["'none'"],
    formAction: ["'self'"],
  },
  crossOriginOpenerPolicy: false,
  strictTransportSecurity: false,
};

/** `/console`: pages made on the server. */
export function consoleRoutes(deps: ConsoleDeps): Hono {
  const app = new Hono();
  const navigation = PAGES.filter(({ inNavigation }) => inNavigation);
  app.use(secureHeaders(POLICY), csrf());

  const contextOf = (c: Context): PageContext => ({
    api: client(new URL(c.req.url).origin, { apiKey: apiKeyOf(c), send: deps.send }),
    origin: new URL(c.req.url).origin,
    params: c.req.param() as Record<string, string>,
    query: c.req.query(),
  });

  async function show(c: Context, page: Page, notice?: Notice): Promise<Response> {
    const context = contextOf(c);
    const url = new URL(c.req.url);
    const here = c.req.method === 'GET' ? url.pathname + url.search : url.pathname.replace(/\/[^/]+$/, '');
    try {
      const { vasp } = await context.api.info();
      const body = await page.render(context);
      return c.html(layout({ page, navigation, here, vaspName: vasp.name, notice, body }));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      const refused = { kind: 'failed', text: error.message } as const;
      const status = error.status as 400;
      return c.html(layout({ page, navigation, here, vaspName: '', notice: refused, body: null }), status);
    }
  }

  async function act(c: Context, page: Page, name: string): Promise<Response> {
    const form = Object.fromEntries(
      Object.entries(await c.req.parseBody()).map(([field, value]) => [field, String(value)]),
    );
    try {
      return show(c, page, await page.actions![name]!(contextOf(c), form));
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return show(c, page, { kind: 'failed', text: error.message });
    }
  }

  app.get('/assets/:name', async c => {
    const found = await asset(c.req.param('name'));
    if (!found) return c.notFound();
    return c.body(new Uint8Array(found.bytes), 200, {
      'content-type': found.type,
      'cache-control': 'no-cache',
    });
  });
  app.get('/events', c => {
    const headers = new Headers();
    const apiKey = apiKeyOf(c);
    if (apiKey !== undefined) headers.set('authorization', `Bearer ${apiKey}`);
    const last = c.req.header('last-event-id');
    if (last !== undefined) headers.set('last-event-id', last);
    const { signal } = c.req.raw;
    return deps.send(new Request(new URL('/sandbox/v1/events', c.req.url), { headers, signal }));
  });
  app.post('/sign-in', async c => {
    const { apiKey } = await c.req.parseBody();
    signIn(c, String(apiKey ?? '').trim());
    return c.redirect('/console/settings', 303);
  });
  app.post('/sign-out', c => {
    signOut(c);
    return c.redirect('/console/settings', 303);
  });
  for (const page of PAGES) {
    app.get(page.path === '' ? '/' : page.path, c => show(c, page));
    for (const name of Object.keys(page.actions ?? {}))
      app.post(`${page.path}/${name}`, c => act(c, page, name));
  }
  return app;
}
