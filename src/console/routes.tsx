import { type Context, Hono, type MiddlewareHandler } from 'hono';
import { compress } from 'hono/compress';
import { HTTPException } from 'hono/http-exception';
import { type Client, Refused } from '../client/client.ts';
import { ASSET_SYMBOLS } from '../contract/assets.ts';
import type { Roles } from '../contract/tenancy.ts';
import { asset } from './assets.ts';
import { type CallerDeps, createCallers } from './callers.ts';
import { withQuery } from './components/table.tsx';
import { Paragraph } from './components/text.tsx';
import { changeEvents } from './events.ts';
import { keys } from './keys/page.tsx';
import { isAmong } from './layout.tsx';
import type { GoTo, Notice, Page } from './page.ts';
import { pageHeaders, withoutTrailingSlash } from './page-headers.ts';
import { isFor, PAGES, paletteEntries } from './pages.ts';
import { formOf, hereAfterAction, hereOf } from './request.ts';
import { audienceOf, contextOf, pagesFor, refusalNotice, refused, type Site, show } from './show.tsx';
import { EVENT_STREAM, sessionRequired, signInRoutes } from './sign-in.tsx';
import { chooseLanguage, languageOf, textsOf } from './texts/languages.ts';

interface ConsoleDeps extends Omit<CallerDeps, 'originOf'> {
  /** The address of the program for browsers. Undefined: the address of their request. */
  publicUrl?: string | undefined;
  roles: Roles;
}

/** `/console`: pages rendered on the server. */
export function consoleRoutes({ publicUrl, roles, ...deps }: ConsoleDeps): Hono {
  const originOf = (c: Context) => new URL(publicUrl ?? c.req.url).origin;
  const callers = createCallers({ ...deps, originOf });
  const site = { callers, roles, originOf, nextTurn: deps.nextTurn };
  const app = new Hono().basePath('/console');
  // An action reads the referrer to show the page again with the same filter.
  const headers = pageHeaders({ referrerPolicy: 'same-origin' });
  // Compressed already.
  app.get('/assets/:name', headers, answerAsset);
  app.use(...chooseLanguage(), compress(), headers, withoutTrailingSlash, keptNowhere);
  if (callers.isHosted) app.use(sessionRequired(callers));
  app.get('/json/:api{(sandbox/)?v1/.+}', c => callApi(site, c, `/${c.req.param('api')}${new URL(c.req.url).search}`));
  app.get('/find', async c => {
    const place = await placeOf(callers.apiOf(c), c.req.query('search') ?? '');
    return c.redirect(isAmong(pagesFor(site, c), place) ? place : '/console/verifications', 302);
  });
  app.get('/palette', c => {
    const pages = pagesFor(site, c);
    return c.json(paletteEntries(pages, textsOf(languageOf(c))).filter(({ href }) => isAmong(pages, href)));
  });
  app.get('/events', c => liveEvents(site, c));
  const showKeys = (c: Context, text: string) =>
    show(site, c, keys, '/console/keys', { notice: { kind: 'failed', text } });
  app.route('/', signInRoutes(callers, showKeys));
  for (const page of PAGES) addPage(app, site, page);
  app.notFound(async c => {
    const page = await show(site, c, NOT_FOUND, hereOf(c));
    return new Response(page.body, { status: 404, headers: page.headers });
  });
  app.onError(error => {
    if (error instanceof HTTPException) return error.getResponse();
    // The main app logs and answers unexpected errors.
    throw error;
  });
  return app;
}

const NOT_FOUND: Page = {
  path: '',
  title: 'Not found',
  isLive: false,
  render: async ({ texts }) => (
    <article class="notice failed">
      <Paragraph of={texts.frame.noSuchPage} />
    </article>
  ),
};

/** The page with its downloads and actions. For everybody but its audience there is no such page. */
function addPage(app: Hono, site: Site, page: Page): void {
  const forItsAudience =
    (answer: (c: Context) => Promise<Response>): MiddlewareHandler =>
    async (c, next) =>
      isFor(page, audienceOf(site, c), site.roles) ? answer(c) : next();
  app.get(
    page.path === '' ? '/' : page.path,
    forItsAudience(c => show(site, c, page, hereOf(c))),
    async (c, next) => (audienceOf(site, c) === 'operator' ? c.redirect('/console/operator', 303) : next()),
  );
  for (const name of Object.keys(page.downloads ?? {}))
    app.get(
      `${page.path}/${name}`,
      forItsAudience(c => download(site, c, page, name)),
    );
  for (const name of Object.keys(page.actions ?? {}))
    app.post(
      `${page.path}/${name}`,
      forItsAudience(c => act(site, c, page, name)),
    );
}

async function act(site: Site, c: Context, page: Page, name: string): Promise<Response> {
  const here = hereAfterAction(c);
  const form = await formOf(c);
  let outcome: Notice | GoTo;
  try {
    outcome = await page.actions![name]!(contextOf(site, c, here), form);
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    outcome = refusalNotice(error, textsOf(languageOf(c)));
  }
  if ('goTo' in outcome) return c.redirect(outcome.goTo, 303);
  return show(site, c, page, here, { notice: outcome, form });
}

async function download(site: Site, c: Context, page: Page, name: string): Promise<Response> {
  try {
    const file = await page.downloads![name]!(contextOf(site, c, hereOf(c)));
    return c.body(file.content, 200, {
      'content-type': file.type,
      'content-disposition': `attachment; filename="${file.name}"`,
    });
  } catch (error) {
    return refused(site, c, page, hereOf(c), error);
  }
}

const answerAsset: MiddlewareHandler = async (c, next) => {
  const found = await asset(c.req.param('name')!);
  if (!found) return next();
  if (c.req.header('if-none-match')?.includes(found.tag)) return c.body(null, 304);
  const isZipped = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
  return c.body(isZipped ? found.gzipped : found.bytes, 200, {
    'content-type': found.type,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
    vary: 'accept-encoding',
    etag: found.tag,
    'cache-control': 'no-cache',
  });
};

/** Calls the API for the signed-in VASP: a plain link cannot carry its key. */
const callApi = ({ callers }: Site, c: Context, address: string): Response | Promise<Response> =>
  callers.send(c, new Request(new URL(address, c.req.url), { signal: c.req.raw.signal }));

async function liveEvents(site: Site, c: Context): Promise<Response> {
  const source = await callApi(site, c, '/sandbox/v1/events');
  if (source.status !== 200 || !source.body) return source;
  const isSignedIn = () => site.callers.signedIn(c) !== undefined;
  return c.body(changeEvents(source.body, isSignedIn), 200, EVENT_STREAM);
}

/** Pages show keys and persons' data. */
const keptNowhere: MiddlewareHandler = async (c, next) => {
  await next();
  if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const HASH = /^(0x)?[0-9a-f]{64}$/i;

const isSame = (txHash: string | null, hash: string): boolean => txHash?.toLowerCase() === hash.toLowerCase();

/** The address of the thing that is named exactly, or of the list that the search narrows. */
export async function placeOf(api: Client, text: string): Promise<string> {
  const search = text.trim();
  const list = withQuery('/console/verifications', search === '' ? {} : { search });
  try {
    const isUuid = UUID.test(search);
    if (!isUuid && !HASH.test(search)) return list;
    const { verifications } = await api.verifications(isUuid ? { verificationUuid: search } : { search });
    const found = verifications.find(each => isUuid || isSame(each.txHash, search));
    if (found) return `/console/verifications/${found.verificationUuid}`;
    if (isUuid) return list;
    const symbol = search.startsWith('0x') ? ASSET_SYMBOLS[0] : ASSET_SYMBOLS[1];
    return `/console/chain/${symbol}/${search}`;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return list;
  }
}
