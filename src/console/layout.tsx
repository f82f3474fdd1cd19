import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Notice, Page } from './page.ts';

export interface Frame {
  page: Page;
  navigation: readonly Page[];
  /** Address of the page with its query: read again when something happens. */
  here: string;
  vaspName: string;
  notice?: Notice | undefined;
  body: Child;
}

const A = '/console/assets';

/** The frame of every page. One event stream wakes the page; it then reads itself again and changes only what differs. */
export const layout = ({ page, navigation, here, vaspName, notice, body }: Frame) =>
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
        <script src={`${A}/htmx.min.js`} defer />
        <script src={`${A}/hx-sse.min.js`} defer />
        <script src={`${A}/console.js`} defer />
      </head>
      <body hx-sse:connect={page.isLive ? '/console/events' : undefined}>
        <a class="skip-link" href="#main">
          Skip to the page
        </a>
        <header class="top">
          <a class="brand" href="/console">
            robot-vasp
          </a>
          <a class="who" href="/console/settings">
            {vaspName}
          </a>
          <nav aria-label="Pages">
            <ul>
              {navigation.map(each => (
                <li>
                  <a href={`/console${each.path}`} aria-current={each === page ? 'page' : undefined}>
                    {each.title}
                  </a>
                </li>
              ))}
              <li>
                <a href="/docs">API</a>
              </li>
            </ul>
          </nav>
        </header>
        <main id="main" tabindex={-1}>
          <h1>{page.title}</h1>
          <div id="notice" role="status">
            {notice ? <NoticeBox {...notice} /> : null}
          </div>
          <Live page={page} here={here}>
            {body}
          </Live>
        </main>
      </body>
    </html>
  )}`;

const Live = ({ page, here, children }: { page: Page; here: string; children?: Child }) =>
  page.isLive ? (
    <div
      id="live"
      data-live="on"
      hx-get={here}
      hx-trigger="happened from:body"
      hx-sync="this:queue last"
      hx-select="#live > *"
      hx-target="this"
      hx-swap="innerMorph"
    >
      {children}
    </div>
  ) : (
    <div id="live">{children}</div>
  );

const NoticeBox = ({ kind, text, detail }: Notice) => (
  <article class={`notice ${kind}`}>
    <p>{text}</p>
    {detail}
  </article>
);
