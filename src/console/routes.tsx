import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { client, Refused } from '../client/client.ts';
import { asset } from './assets.ts';
import { conditionsOf } from './banner.tsx';
import { changeEvents } from './events.ts';
import { keys } from './keys/page.tsx';
import { layout, NoticeBox } from './layout.tsx';
import { type GoTo, type Notice, type Page, type PageContext, Titled } from './page.ts';
import { pageHeaders } from './page-headers.ts';
import { PAGES } from './pages.ts';
import { apiKeyOf, signIn, signOut } from './session.ts';

export interface ConsoleDeps {
  /** Calls the API of this program. The console does nothing that the API cannot do. */
  send(request: Request): Promise<Response> | Response;
  /** Where browsers find the program. Undefined: at the address of their request. */
  publicUrl?: string | undefined;
}

const UNKNOWN_KEY: Notice = {
  kind: 'failed',
  text: 'This API key is unknown. Nothing has changed. Check the key: it begins with rv_ and is shown once, when its VASP is registered.',
};

const NOT_FOUND: Page = {
  path: '',
  title: 'Not found',
  isLive: false,
  render: async () => (
    <NoticeBox kind="failed" text="There is no such page. Choose one from the navigation." />
  ),
};

/** `/console`: pages rendered on the server. */
export function consoleRoutes(deps: ConsoleDeps): Hono {
  const app = new Hono().basePath('/console');
  app.use(
    // An action reads the referrer to show the page again with the same filter.
    pageHeaders({ referrerPolicy: 'same-origin' }),
    withoutTrailingSlash,
  );

  const originOf = (c: Context) => new URL(deps.publicUrl ?? c.req.url).origin;
  const apiOf = (c: Context, apiKey = apiKeyOf(c)) => client(originOf(c), { apiKey, send: deps.send });
  const contextOf = (c: Context, here: string): PageContext => ({
    api: apiOf(c),
    isSignedIn: apiKeyOf(c) !== undefined,
    origin: originOf(c),
    params: c.req.param() as Record<string, string>,
    query: Object.fromEntries(new URL(here, originOf(c)).searchParams),
  });
  const frame = { pages: PAGES, vaspName: '', now: 0 };

  async function show(
    c: Context,
    page: Page,
    here: string,
    { notice, form }: { notice?: Notice; form?: Record<string, string> } = {},
  ): Promise<Response> {
    const context = { ...contextOf(c, here), form };
    try {
      const { api } = context;
      const [{ vasp }, clock, health, faults, content] = await Promise.all([
        api.info(),
        api.clock(),
        api.health(),
        api.faults(),
        page.render(context),
      ]);
      const shown = content instanceof Titled ? content : { body: content };
      const conditions = conditionsOf(health, clock, faults);
      const now = Date.parse(clock.now);
      return c.html(layout({ ...frame, page, here, vaspName: vasp.name, now, conditions, notice, ...shown }));
    } catch (error) {
      return refused(c, page, here, error);
    }
  }

  /** The layout with the error of the API instead of the page. An unknown key is signed out. */
  function refused(c: Context, page: Page, here: string, error: unknown): Response | Promise<Response> {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401) signOut(c);
    const body = <NoticeBox kind="failed" text={error.message} />;
    return c.html(layout({ ...frame, page: { ...page, isLive: false }, here, body }), error.status as 400);
  }

  async function act(c: Context, page: Page, name: string): Promise<Response> {
    const here = hereAfterAction(c);
    const form = await formOf(c);
    let outcome: Notice | GoTo;
    try {
      outcome = await page.actions![name]!(contextOf(c, here), form);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      outcome = { kind: 'failed', text: error.message };
    }
    return 'goTo' in outcome ? c.redirect(outcome.goTo, 303) : show(c, page, here, { notice: outcome, form });
  }

  app.get('/assets/:name', async c => {
    const found = await asset(c.req.param('name'));
    if (!found) return c.notFound();
    return c.body(new Uint8Array(found.bytes), 200, {
      'content-type': found.type,
      'cache-control': 'no-cache',
    });
  });
  /** Calls the API with the key of the signed-in VASP: a plain link cannot carry it. */
  const callApi = (c: Context, address: string): Response | Promise<Response> => {
    const apiKey = apiKeyOf(c);
    const headers = new Headers(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` });
    return deps.send(new Request(new URL(address, c.req.url), { headers, signal: c.req.raw.signal }));
  };
  app.get('/json/:api{(sandbox/)?v1/.+}', c =>
    callApi(c, `/${c.req.param('api')}${new URL(c.req.url).search}`),
  );
  app.get('/events', async c => {
    const source = await callApi(c, '/sandbox/v1/events');
    if (source.status !== 200 || !source.body) return source;
    return c.body(changeEvents(source.body), 200, {
      'content-type': 'text/event-stream',
      'cache-control': 'no-store',
    });
  });
  app.post('/sign-in', async c => {
    const apiKey = (await formOf(c)).apiKey?.trim() ?? '';
    try {
      await apiOf(c, apiKey).info();
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      return show(c, keys, '/console/keys', { notice: UNKNOWN_KEY });
    }
    signIn(c, apiKey, originOf(c).startsWith('https:'));
    return c.redirect('/console/keys', 303);
  });
  app.post('/sign-out', c => {
    signOut(c);
    return c.redirect('/console/keys', 303);
  });
  for (const page of PAGES) {
    app.get(page.path === '' ? '/' : page.path, c => show(c, page, hereOf(c)));
    for (const name of Object.keys(page.actions ?? {}))
      app.post(`${page.path}/${name}`, c => act(c, page, name));
  }
  app.notFound(async c => {
    const page = await show(c, NOT_FOUND, hereOf(c));
    return new Response(page.body, { status: 404, headers: page.headers });
  });
  app.onError(error => {
    if (error instanceof HTTPException) return error.getResponse();
    // The main app logs and answers unexpected errors.
    throw error;
  });
  return app;
}

/** The address of the answer never comes from the header `Host`. */
const withoutTrailingSlash: MiddlewareHandler = async (c, next) => {
  await next();
  const { path } = c.req;
  if (c.res.status === 404 && c.req.method === 'GET' && /.\/$/.test(path))
    c.res = c.redirect(path.replace(/\/+$/, '') + new URL(c.req.url).search, 301);
};

async function formOf(c: Context): Promise<Record<string, string>> {
  const fields = Object.entries(await c.req.parseBody());
  return Object.fromEntries(fields.map(([name, value]) => [name, String(value)]));
}

function hereOf(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  return pathname + search;
}

/** The page of the action, with the query of the form's address or of the referring page. */
function hereAfterAction(c: Context): string {
  const { pathname, search } = new URL(c.req.url);
  const path = pathname.replace(/\/[^/]+$/, '');
  if (search !== '') return path + search;
  const referer = c.req.header('referer') ?? '';
  const from = URL.canParse(referer) ? new URL(referer) : undefined;
  return from?.pathname === path ? path + from.search : path;
}
