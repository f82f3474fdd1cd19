import type { Context } from 'hono';
import { Refused } from '../client/client.ts';
import type { Roles } from '../contract/tenancy.ts';
import { systemClock } from '../kernel/clock.ts';
import { type Callers, cookieOf } from './callers.ts';
import { NOTHING_SENT, type SentForm } from './components/form.tsx';
import { Fold, Paragraph } from './components/text.tsx';
import { type Frame, layout, NoticeBox } from './layout.tsx';
import { type Audience, type Notice, type Page, type PageContext, Titled } from './page.ts';
import { isFor, PAGES } from './pages.ts';
import { toSignIn } from './sign-in.tsx';
import type { Texts } from './texts/english.ts';
import { languageOf, textsOf } from './texts/languages.ts';

export interface Site {
  callers: Callers;
  roles: Roles;
  /** The address of the program for browsers. */
  originOf(c: Context): string;
  nextTurn(c: Context): Promise<void>;
}

/** After an action: its notice, and what its form has sent. */
interface Outcome {
  notice?: Notice;
  form?: Record<string, string>;
}

/** `here`: the address of the page with its query. */
export const contextOf = ({ callers, originOf }: Site, c: Context, here: string): PageContext => ({
  api: callers.apiOf(c),
  texts: textsOf(languageOf(c)),
  isSignedIn: callers.isHosted || cookieOf(c, 'key') !== undefined,
  origin: originOf(c),
  params: c.req.param() as Record<string, string>,
  query: Object.fromEntries(new URL(here, originOf(c)).searchParams),
});

export function audienceOf({ callers }: Site, c: Context): Audience {
  const signedIn = callers.signedIn(c);
  if (signedIn === 'local') return 'local';
  return signedIn?.role === 'operator' ? 'operator' : 'hosted VASP';
}

/** Those that the navigation may list. */
export const pagesFor = (site: Site, c: Context): Page[] =>
  PAGES.filter(page => isFor(page, audienceOf(site, c), site.roles));

type Shown = Pick<Frame, 'page' | 'here' | 'body'> & Partial<Frame>;

async function inLayout(site: Site, c: Context, frame: Shown, status = 200): Promise<Response> {
  // Pages that waited for one thing would all be made in one turn.
  await site.nextTurn(c);
  const empty = { language: languageOf(c), pages: pagesFor(site, c), vaspName: '', now: 0 };
  return c.html(await layout({ ...empty, ...frame }), status as 200);
}

export async function show(site: Site, c: Context, page: Page, here: string, outcome: Outcome = {}): Promise<Response> {
  const contentFor = audienceOf(site, c) === 'operator' ? contentForOperator : contentForVasp;
  try {
    const { status, ...content } = await contentFor(contextOf(site, c, here), page);
    const { notice } = outcome;
    return await inLayout(site, c, { page, here, notice, sent: sentForm(c, outcome), ...content }, status);
  } catch (error) {
    return refused(site, c, page, here, error);
  }
}

async function contentForOperator(context: PageContext, page: Page) {
  const content = await page.render(context);
  const body = content instanceof Titled ? content.body : content;
  return { body, vaspName: context.texts.pages.Operator, now: systemClock.now(), status: 200 };
}

async function contentForVasp(context: PageContext, page: Page) {
  const { api, texts } = context;
  const [{ vasp }, clock, faults, content] = await Promise.all([
    api.info(),
    api.clock(),
    api.faults(),
    page.render(context).catch(missing),
  ]);
  const frame = { vaspName: vasp.name, now: Date.parse(clock.now), conditions: { ...clock, ...faults }, status: 200 };
  if (content instanceof Titled) return { ...frame, ...content };
  if (!(content instanceof Refused)) return { ...frame, body: content };
  const body = <RefusedPage error={content} page={page} texts={texts} />;
  return { ...frame, body, page: { ...page, isLive: false }, status: 404 };
}

/** The layout with the error of the API instead of the page. An unknown key is signed out. */
export async function refused(site: Site, c: Context, page: Page, here: string, error: unknown): Promise<Response> {
  if (!(error instanceof Refused)) throw error;
  const { callers } = site;
  if (error.status === 401 || error.code === 'SUSPENDED') callers.signOut(c);
  if (callers.isHosted && !callers.signedIn(c)) return toSignIn(c, here);
  const body = <RefusedPage error={error} page={page} texts={textsOf(languageOf(c))} />;
  return inLayout(site, c, { page: { ...page, isLive: false }, here, body }, error.status);
}

const sentForm = (c: Context, { notice, form = {} }: Outcome): SentForm =>
  notice
    ? {
        to: c.req.path,
        values: form,
        errors: notice.field === undefined ? {} : { [notice.field]: notice.text },
        isDone: notice.kind === 'done',
      }
    : NOTHING_SENT;

/** The frame of the page stays. */
function missing(error: unknown): Refused {
  if (error instanceof Refused && error.status === 404) return error;
  throw error;
}

/** What is not there links to the list of what is there. */
const RefusedPage = ({ error, page, texts }: { error: Refused; page: Page; texts: Texts }) => {
  const list = error.status === 404 && PAGES.find(({ path }) => path === page.parent);
  const notice = refusalNotice(error, texts);
  if (!list) return <NoticeBox {...notice} />;
  const link = <a href={`/console${list.path}`}>{texts.pages[list.title]}</a>;
  return (
    <article class="notice failed">
      <Paragraph of={texts.frame.noSuchEntry} with={{ list: link }} />
      {notice.detail}
    </article>
  );
};

/** In words. The API call is folded away. */
export const refusalNotice = ({ reason, call, field }: Refused, { frame }: Texts): Notice => ({
  kind: 'failed',
  text: reason === '' ? call : reason,
  field: field?.split('.').at(-1),
  detail: (
    <Fold id="refused-call" summary={frame.apiCall}>
      <code>{call}</code>
    </Fold>
  ),
});
