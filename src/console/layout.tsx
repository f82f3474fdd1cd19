import { html, raw } from 'hono/html';
import { type Child, useContext } from 'hono/jsx';
import type { Answers } from '../client/client.ts';
import { MAX_SEARCH_LENGTH } from '../contract/text.ts';
import { NOTHING_SENT, Sent, type SentForm } from './components/form.tsx';
import { ASSETS, Head } from './components/head.tsx';
import { Room, roomOfPage } from './components/json.tsx';
import { Link, Served } from './components/link.tsx';
import { Prose, Sentence } from './components/text.tsx';
import { durationText, Now } from './components/values.tsx';
import { GROUPS, type Group, type Notice, type Page } from './page.ts';
import { PAGES } from './pages.ts';
import {
  counted,
  fill,
  inLanguage,
  LANGUAGES,
  type Language,
  nameOf,
  PageLanguage,
  textsOf,
  useTexts,
} from './texts/languages.ts';

export interface Frame {
  language: Language;
  page: Page;
  /** Those that the reader has here. What leads to another one is left out. None: nobody is signed in. */
  pages: readonly Page[];
  title?: string | undefined;
  conditions?: Conditions | undefined;
  /** Address of the page with its query. Live updates read it again. */
  here: string;
  vaspName: string;
  /** Epoch ms, of the signed-in VASP. */
  now: number;
  notice?: Notice | undefined;
  /** A form that was refused. */
  sent?: SentForm | undefined;
  body: Child;
}

/** The layout of every page. Events make a live page read itself again and change only the differences. */
export const layout = ({
  language,
  page,
  pages,
  title = textsOf(language).pages[page.title],
  conditions,
  here,
  vaspName,
  now,
  notice,
  sent = NOTHING_SENT,
  body,
}: Frame) =>
  html`<!doctype html>${(
    <html lang={language}>
      <Head title={title}>
        <link rel="stylesheet" href={`${ASSETS}/style.css`} />
        {scriptsOf(page, pages).map(name => (
          <script src={`${ASSETS}/${name}.js`} defer />
        ))}
      </Head>
      <body data-here={here}>
        <PageLanguage.Provider value={language}>
          <Served.Provider value={address => isAmong(pages, address)}>
            <a class="skip-link" href="#main">
              {textsOf(language).frame.skip}
            </a>
            <Top page={page} pages={pages} vaspName={vaspName} here={here} />
            <div id="connection" role="status" />
            <main id="main" tabindex={-1}>
              <Now.Provider value={now}>
                <div id="conditions">{conditions ? <Banner {...conditions} /> : null}</div>
                <Breadcrumbs page={page} pages={pages} title={title} />
                <h1>{title}</h1>
                <div id="notice" role="status" tabindex={-1}>
                  {notice ? <NoticeBox {...notice} /> : null}
                </div>
                <Live page={page} here={here}>
                  <Sent.Provider value={sent}>
                    <Room.Provider value={roomOfPage()}>{body}</Room.Provider>
                  </Sent.Provider>
                </Live>
              </Now.Provider>
            </main>
          </Served.Provider>
        </PageLanguage.Provider>
        {/* Data for scripts, no script: the policy of the page allows none inside. */}
        <script type="application/json" id="texts">
          {raw(JSON.stringify(textsOf(language).scripts))}
        </script>
        {/* Not deferred: htmx must run before the deferred scripts that extend it. Here it delays no paint. */}
        <script src={`${ASSETS}/htmx.min.js`} />
      </body>
    </html>
  )}`;

const scriptsOf = ({ isLive }: Page, pages: readonly Page[]): string[] =>
  pages.length === 0 ? [] : ['console', ...(isLive ? ['live'] : []), 'connection', 'keys'];

const Top = ({ page, pages, vaspName, here }: Pick<Frame, 'page' | 'pages' | 'vaspName' | 'here'>) => {
  const { frame } = useTexts();
  return (
    <header class="top">
      <div class="bar">
        <a class="brand" href="/console">
          <img src={`${ASSETS}/icon.svg`} alt="" width="22" height="22" />
          <span>robot-vasp</span>
        </a>
        {pages.length === 0 ? null : (
          <>
            <search>
              <form class="find" action="/console/find">
                <input
                  id="find"
                  type="search"
                  name="search"
                  maxlength={MAX_SEARCH_LENGTH}
                  aria-label={frame.find}
                  placeholder={`${frame.find}  /`}
                  aria-keyshortcuts="/"
                />
              </form>
            </search>
            {/* Scripts reveal what works only with them. */}
            <button type="button" id="palette-button" class="plain-button" aria-keyshortcuts="Control+K">
              Ctrl-K
            </button>
            <button type="button" id="zone" class="plain-button" title={frame.zone} hidden>
              UTC
            </button>
          </>
        )}
        <LanguageSwitch here={here} />
        {pages.length === 0 ? null : (
          <a class="identity" href="/console/keys" title={frame.signedIn}>
            {vaspName}
          </a>
        )}
        <Navigation page={page} pages={pages} />
      </div>
      <Siblings page={page} pages={pages} />
    </header>
  );
};

const PATTERNS = PAGES.map(page => ({ page, is: new RegExp(`^/console${page.path.replace(/:\w+/g, '[^/]+')}$`) }));

/** False: a page of another process, or of other readers. Addresses that are no page are everywhere. */
export function isAmong(pages: readonly Page[], address: string): boolean {
  const [path = ''] = address.split(/[?#]/);
  const named = PATTERNS.filter(({ is }) => is.test(path));
  return named.length === 0 || named.some(({ page }) => pages.includes(page));
}

/** Also reloads regularly, so that relative times stay correct. */
const Live = ({ page, here, children }: { page: Page; here: string; children?: Child }) =>
  page.isLive ? (
    <div
      id="live"
      hx-get={here}
      hx-trigger="changed from:body, every 10s"
      hx-sync="this:queue last"
      hx-select="#live > *"
      hx-select-oob="#conditions"
      hx-target="this"
      hx-swap="innerMorph"
      {...{ 'hx-status:5xx': 'swap:none' }}
    >
      {children}
    </div>
  ) : (
    <div id="live">{children}</div>
  );

export const NoticeBox = ({ kind, text, detail }: Notice) => (
  <article class={`notice ${kind}`}>
    <Sentence text={text} />
    {detail}
  </article>
);

/** What changes the outcome of every test. */
interface Conditions extends Pick<Answers['clock'], 'aheadMs'>, Pick<Answers['faults'], 'faults' | 'controls'> {}

/** Stands on every page while a chain control is on, a fault is active or the time is moved. */
const Banner = ({ controls, faults, aheadMs }: Conditions) => {
  const { frame, time } = useTexts();
  const held = controls.filter(({ control }) => control === 'hold').map(({ symbol }) => symbol);
  const others = controls
    .filter(({ control }) => control !== 'hold')
    .map(({ symbol, control }) => `${symbol} ${control}`);
  const said = [
    held.length > 0 && ['chains', fill(frame.held, { chains: held.join(', ') })],
    others.length > 0 && ['chains', fill(frame.controls, { controls: others.join(', ') })],
    faults.length > 0 && ['faults', counted(frame.faults, faults.length)],
    aheadMs !== 0 && ['timers', fill(frame.timeMoved, { duration: durationText(aheadMs, time) })],
  ].filter(each => each !== false);
  return said.length === 0 ? null : (
    <aside class="banner" aria-label={frame.conditions}>
      {said.map(([page, text]) => (
        <Link to={`/console/${page}`}>
          <Prose of={text!} />
        </Link>
      ))}
    </aside>
  );
};

/** Links to the same page in every other language. `here`: address of the page with its query. */
const LanguageSwitch = ({ here }: { here: string }) => {
  const current = useContext(PageLanguage);
  return (
    <nav class="languages" aria-label={useTexts().frame.language}>
      {LANGUAGES.filter(each => each !== current).map(each => (
        <a href={inLanguage(here, each)} lang={each} hreflang={each}>
          {nameOf(each)}
        </a>
      ))}
    </nav>
  );
};

interface Place {
  page: Page;
  pages: readonly Page[];
}

const addressOf = ({ path }: Page): string => `/console${path}`;
/** The page above one that the navigation does not list. */
const above = ({ page, pages }: Place): Page | undefined =>
  page.parent === undefined ? undefined : pages.find(({ path }) => path === page.parent);
/** The listed page at or above a page. */
function listed({ page, pages }: Place): Page | undefined {
  const parent = above({ page, pages });
  return page.group ? page : parent && listed({ page: parent, pages });
}

/** A link to each page of a group. */
const membersOf = (group: Group, place: Place) => {
  const current = listed(place);
  return place.pages
    .filter(each => each.group === group)
    .map(each => (
      <a href={addressOf(each)} aria-current={each === place.page ? 'page' : each === current ? 'true' : undefined}>
        {useTexts().pages[each.title]}
      </a>
    ));
};

/** Four groups. Each leads to its first page and opens below the pointer or the focus. */
const Navigation = (place: Place) => {
  const texts = useTexts();
  return (
    <nav aria-label={texts.frame.pages}>
      <button type="button" class="menu-button secondary outline" popovertarget="pages">
        {texts.frame.menu}
      </button>
      <ul id="pages" popover="auto">
        {GROUPS.map(group => {
          const first = place.pages.find(each => each.group === group);
          return first === undefined ? null : (
            <li class="group">
              <a href={addressOf(first)} aria-current={listed(place)?.group === group ? 'true' : undefined}>
                {texts.groups[group]}
              </a>
              <ul>
                {membersOf(group, place).map(link => (
                  <li>{link}</li>
                ))}
              </ul>
            </li>
          );
        })}
        <li>
          <a href="/guide" aria-current={place.page.title === 'Guide' ? 'true' : undefined}>
            {texts.pages.Guide}
          </a>
        </li>
        <li>
          <a href="/docs">{texts.pages.API}</a>
        </li>
      </ul>
    </nav>
  );
};

const Siblings = (place: Place) => {
  const { groups, frame } = useTexts();
  const group = listed(place)?.group;
  return group === undefined ? null : (
    <nav class="siblings" aria-label={fill(frame.pagesOf, { group: groups[group] })}>
      <span class="muted" aria-hidden="true">
        {groups[group]}
      </span>
      {membersOf(group, place)}
    </nav>
  );
};

/** The way down to a page that the navigation does not list. */
const Breadcrumbs = ({ title, ...place }: Place & { title: string }) => {
  const parent = above(place);
  const texts = useTexts();
  if (!parent) return null;
  const group = listed(place)?.group;
  return (
    <nav class="breadcrumbs" aria-label={texts.frame.breadcrumbs}>
      <ol>
        <li>{group && texts.groups[group]}</li>
        <li>
          <a href={addressOf(parent)}>{texts.pages[parent.title]}</a>
        </li>
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
};
