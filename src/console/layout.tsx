import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import { InlineCode } from './components/inline-code.tsx';
import { Now } from './components/time.tsx';
import type { Notice, Page } from './page.ts';

export interface Frame {
  page: Page;
  navigation: readonly Page[];
  /** Address of the page with its query. Live updates read it again. */
  here: string;
  vaspName: string;
  /** Epoch ms, of the signed-in VASP. */
  now: number;
  notice?: Notice | undefined;
  body: Child;
}

const A = '/console/assets';

/** A lost stream reconnects within seconds. Its first event reloads the page. */
const STREAM = JSON.stringify({ sse: { reconnectMaxDelay: 5000 } });

/** The layout of every page. Events make a live page read itself again and change only the differences. */
export const layout = ({ page, navigation, here, vaspName, now, notice, body }: Frame) =>
  html`<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${page.title} – robot-vasp`}</title>
        <link rel="icon" href={`${A}/icon.svg`} type="image/svg+xml" />
        <link rel="stylesheet" href={`${A}/pico.min.css`} />
        <link rel="stylesheet" href={`${A}/console.css`} />
        <link rel="stylesheet" href={`${A}/sequence.css`} />
        {/* Not deferred: htmx must run before the deferred scripts that extend it. */}
        <script src={`${A}/htmx.min.js`} />
        <script src={`${A}/hx-sse.min.js`} defer />
        <script src={`${A}/console.js`} defer />
      </head>
      <body
        hx-sse:connect={page.isLive ? '/console/events' : undefined}
        hx-config={page.isLive ? STREAM : undefined}
        hx-swap="none"
        data-here={here}
      >
        <a class="skip-link" href="#main">
          Skip to the content
        </a>
        <Top page={page} navigation={navigation} vaspName={vaspName} />
        <main id="main" tabindex={-1}>
          <h1>{page.title}</h1>
          <Now.Provider value={now}>
            <div id="notice" role="status">
              {notice ? <NoticeBox {...notice} /> : null}
            </div>
            <Live page={page} here={here}>
              {body}
            </Live>
          </Now.Provider>
        </main>
      </body>
    </html>
  )}`;

const Top = ({ page, navigation, vaspName }: Pick<Frame, 'page' | 'navigation' | 'vaspName'>) => (
  <header class="top">
    <a class="brand" href="/console">
      <img src={`${A}/icon.svg`} alt="" width="22" height="22" />
      robot-vasp
    </a>
    <a class="identity" href="/console/settings" title="The signed-in VASP">
      {vaspName}
    </a>
    <nav aria-label="Pages">
      <button type="button" class="menu-button secondary outline" popovertarget="pages">
        Menu
      </button>
      <ul id="pages" popover="auto">
        {navigation.map(each => (
          <li>
            <a href={`/console${each.path}`} aria-current={each === page ? 'page' : undefined}>
              {each.title}
            </a>
          </li>
        ))}
        <li>
          <a href="/guide">Guide</a>
        </li>
        <li>
          <a href="/docs">API</a>
        </li>
      </ul>
    </nav>
  </header>
);

/** Also reloads regularly, so that relative times stay correct. */
const Live = ({ page, here, children }: { page: Page; here: string; children?: Child }) =>
  page.isLive ? (
    <div
      id="live"
      hx-get={here}
      hx-trigger="changed from:body, every 10s"
      hx-sync="this:queue last"
      hx-select="#live > *"
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
    <p>
      <InlineCode text={text} />
    </p>
    {detail}
  </article>
);
