import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { HTTPException } from 'hono/http-exception';
import { Refused } from '../client/client.ts';
import type { Parts } from '../contract/parts.ts';
import { systemClock } from '../kernel/clock.ts';
import { asset } from './assets.ts';
import { conditionsOf } from './banner.tsx';
import { type CallerDeps, type Callers, createCallers } from './callers.ts';
import { Prose } from './components/prose.tsx';
import { NOTHING_SENT, type SentForm } from './components/sent-form.ts';
import { CHANGED, changeEvents } from './events.ts';
import { placeOf } from './find.ts';
import { keys } from './keys/page.tsx';
import { isHere, layoutHere } from './links.ts';
import { type Audience, type GoTo, type Notice, type Page, type PageContext, Titled } from './page.ts';
import { pageHeaders } from './page-headers.ts';
import { isFor, PAGES } from './pages.ts';
import { paletteEntries } from './palette.ts';
import { missing, RefusedPage, refusalNotice } from './refused.tsx';
import { formOf, hereAfterAction, hereOf } from './request.ts';
import { cookieOf } from './session.ts';
import { signInRoutes } from './sign-in/routes.ts';
import { chooseLanguage, languageOf, textsOf } from './texts/languages.ts';

export interface ConsoleDeps extends Omit<CallerDeps, 'originOf'> {
  /** The address of the program for browsers. Undefined: the address of their request. */
  publicUrl?: string | undefined;
  /** The parts of this process. */
  parts: Parts;
}

const NOT_FOUND: Page = {
  path: '',
  title: 'Not found',
  isLive: false,
  render: async ({ texts }) => (
    <article class="notice failed">
      <p>
        <Prose of={texts.frame.noSuchPage} />
      </p>
    </article>
  ),
};

/** `/console`: pages rendered on the server. */
export function consoleRoutes(deps: ConsoleDeps): Hono {
  const app = new Hono().basePath('/console');
  app.use(
    ...chooseLanguage(),
    compress(),
    // An action reads the referrer to show the page again with the same filter.
    pageHeaders({ referrerPolicy: 'same-origin' }),
    withoutTrailingSlash,
    keptNowhere,
  );

  const originOf = (c: Context) => new URL(deps.publicUrl ?? c.req.url).origin;
  const callers = createCallers({ ...deps, originOf });
  const contextOf = (c: Context, here: string): PageContext => ({
    api: callers.apiOf(c),
    texts: textsOf(languageOf(c)),
    isSignedIn: callers.isHosted || cookieOf(c, 'key') !== undefined,
    origin: originOf(c),
    params: c.req.param() as Record<string, string>,
    query: Object.fromEntries(new URL(here, originOf(c)).searchParams),
  });
  const audienceOf = (c: Context): Audience => {
    const signedIn = callers.signedIn(c);
    if (signedIn === 'local') return 'local';
    return signedIn?.role === 'operator' ? 'operator' : 'hosted VASP';
  };
  const frameOf = (c: Context) => ({
    language: languageOf(c),
    pages: PAGES.filter(page => isFor(page, audienceOf(c), deps.parts)),
    vaspName: '',
    now: 0,
  });
  if (callers.isHosted) app.use(sessionRequired(callers));

  async function show(
    c: Context,
    page: Page,
    here: string,
    { notice, form }: { notice?: Notice; form?: Record<string, string> } = {},
  ): Promise<Response> {
    const context = contextOf(c, here);
    const frame = frameOf(c);
    try {
      const { api } = context;
      if (audienceOf(c) === 'operator') {
        const content = await page.render(context);
        const body = content instanceof Titled ? content.body : content;
        const now = systemClock.now();
        const vaspName = context.texts.pages.Operator;
        return c.html(await layoutHere({ ...frame, page, here, vaspName, now, notice, body }, deps.parts));
      }
      const [{ vasp }, clock, health, faults, content] = await Promise.all([
        api.info(),
        api.clock(),
        api.health(),
        api.faults(),
        page.render(context).catch(missing),
      ]);
      const isMissing = content instanceof Refused;
      const shown =
        content instanceof Titled
          ? content
          : { body: isMissing ? <RefusedPage error={content} page={page} texts={context.texts} /> : content };
      const conditions = conditionsOf(health, clock, faults);
      const now = Date.parse(clock.now);
      const sent = sentForm(c, notice, form);
      const { name: vaspName } = vasp;
      const live = isMissing ? { ...page, isLive: false } : page;
      const filled = { ...frame, page: live, here, vaspName, now, conditions, notice, sent, ...shown };
      return c.html(await layoutHere(filled, deps.parts), isMissing ? 404 : 200);
    } catch (error) {
      return refused(c, page, here, error);
    }
  }

  /** The layout with the error of the API instead of the page. An unknown key is signed out. */
  async function refused(c: Context, page: Page, here: string, error: unknown): Promise<Response> {
    if (!(error instanceof Refused)) throw error;
    if (error.status === 401 || error.code === 'SUSPENDED') callers.signOut(c);
    if (callers.isHosted && !callers.signedIn(c)) return toSignIn(c, here);
    const body = <RefusedPage error={error} page={page} texts={textsOf(languageOf(c))} />;
    const frame = { ...frameOf(c), page: { ...page, isLive: false }, here, body };
    return c.html(await layoutHere(frame, deps.parts), error.status as 400);
  }

  async function act(c: Context, page: Page, name: string): Promise<Response> {
    const here = hereAfterAction(c);
    const form = await formOf(c);
    let outcome: Notice | GoTo;
    try {
      outcome = await page.actions![name]!(contextOf(c, here), form);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      outcome = refusalNotice(error, textsOf(languageOf(c)));
    }
    return 'goTo' in outcome ? c.redirect(outcome.goTo, 303) : show(c, page, here, { notice: outcome, form });
  }

  async function download(c: Context, page: Page, name: string): Promise<Response> {
    try {
      const file = await page.downloads![name]!(contextOf(c, hereOf(c)));
      return c.body(file.content, 200, {
        'content-type': file.type,
        'content-disposition': `attachment; filename="${file.name}"`,
      });
    } catch (error) {
      return refused(c, page, hereOf(c), error);
    }
  }

  app.get('/assets/:name', async c => {
    const found = await asset(c.req.param('name'));
    if (!found) return c.notFound();
    if (c.req.header('if-none-match')?.includes(found.tag)) return c.body(null, 304);
    return c.body(new Uint8Array(found.bytes), 200, {
      'content-type': found.type,
      etag: found.tag,
      'cache-control': 'no-cache',
    });
  });
  /** Calls the API for the signed-in VASP: a plain link cannot carry its key. */
  const callApi = (c: Context, address: string): Response | Promise<Response> =>
    callers.send(c, new Request(new URL(address, c.req.url), { signal: c.req.raw.signal }));
  app.get('/json/:api{(sandbox/)?v1/.+}', c =>
    callApi(c, `/${c.req.param('api')}${new URL(c.req.url).search}`),
  );
  app.get('/find', async c => {
    const place = await placeOf(callers.apiOf(c), c.req.query('search') ?? '');
    return c.redirect(isHere(place, deps.parts) ? place : '/console/verifications', 302);
  });
  app.get('/palette', c => {
    const entries = paletteEntries(frameOf(c).pages, textsOf(languageOf(c)));
    return c.json(entries.filter(({ href }) => isHere(href, deps.parts)));
  });
  app.get('/events', async c => {
    const source = await callApi(c, '/sandbox/v1/events');
    if (source.status !== 200 || !source.body) return source;
    return c.body(
      changeEvents(source.body, () => callers.signedIn(c) !== undefined),
      200,
      EVENT_STREAM,
    );
  });
  const showKeys = (c: Context, text: string) =>
    show(c, keys, '/console/keys', { notice: { kind: 'failed', text } });
  app.route('/', signInRoutes(callers, showKeys));
  for (const page of PAGES) {
    /** For everybody else there is no such page. */
    const forItsAudience =
      (answer: (c: Context) => Promise<Response>): MiddlewareHandler =>
      async (c, next) =>
        isFor(page, audienceOf(c), deps.parts) ? answer(c) : next();
    app.get(
      page.path === '' ? '/' : page.path,
      forItsAudience(c => show(c, page, hereOf(c))),
      async (c, next) => (audienceOf(c) === 'operator' ? c.redirect('/console/operator', 303) : next()),
    );
    for (const name of Object.keys(page.downloads ?? {}))
      app.get(
        `${page.path}/${name}`,
        forItsAudience(c => download(c, page, name)),
      );
    for (const name of Object.keys(page.actions ?? {}))
      app.post(
        `${page.path}/${name}`,
        forItsAudience(c => act(c, page, name)),
      );
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

const OPEN_WITHOUT_SESSION = /^\/console\/(?:sign-in|trial|assets\/.*)$/;

const EVENT_STREAM = { 'content-type': 'text/event-stream', 'cache-control': 'no-store' };

/**
 * A live update would follow a redirect and find nothing to show. It leaves its page instead. An event stream cannot
 * leave: it makes the page read itself.
 */
function toSignIn(c: Context, here: string): Response {
  const address = `/console/sign-in?to=${encodeURIComponent(here)}`;
  if (c.req.path === '/console/events') return c.body(CHANGED, 200, EVENT_STREAM);
  if (c.req.header('hx-request') !== 'true') return c.redirect(address, 303);
  return c.body(null, 204, { 'hx-redirect': address });
}

/** Hosted mode: without a session every page leads to the sign-in page. */
const sessionRequired =
  (callers: Callers): MiddlewareHandler =>
  async (c, next) => {
    if (OPEN_WITHOUT_SESSION.test(c.req.path) || callers.signedIn(c)) return next();
    return c.req.method === 'GET' ? toSignIn(c, hereOf(c)) : c.redirect('/console/sign-in', 303);
  };

/** Pages show keys and persons' data. */
const keptNowhere: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
};

/** The address of the answer never comes from the header `Host`. */
const withoutTrailingSlash: MiddlewareHandler = async (c, next) => {
  await next();
  const { path } = c.req;
  if (c.res.status === 404 && c.req.method === 'GET' && /.\/$/.test(path))
    c.res = c.redirect(path.replace(/\/+$/, '') + new URL(c.req.url).search, 301);
};

const sentForm = (c: Context, notice: Notice | undefined, form: Record<string, string> = {}): SentForm =>
  notice
    ? {
        to: c.req.path,
        values: form,
        errors: notice.field === undefined ? {} : { [notice.field]: notice.text },
        isDone: notice.kind === 'done',
      }
    : NOTHING_SENT;
