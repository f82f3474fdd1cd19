import { Hono } from 'hono';
import { html } from 'hono/html';
import { pageHeaders } from './page-headers.ts';

const A = '/console/assets';

const page = html`<!doctype html>${(
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>API – robot-vasp</title>
      <link rel="icon" href={`${A}/icon.svg`} type="image/svg+xml" />
      <link rel="stylesheet" href={`${A}/swagger-ui.css`} />
      <link rel="stylesheet" href={`${A}/docs.css`} />
      <link rel="preload" href="/openapi.json" as="fetch" crossorigin="anonymous" />
      <script src={`${A}/swagger-ui-bundle.js`} defer />
      <script src={`${A}/docs.js`} defer />
    </head>
    <body>
      <header>
        <a href="/console">robot-vasp</a>
        <a href="/openapi.json">openapi.json</a>
      </header>
      <main id="docs">
        <noscript>
          This page needs JavaScript. The link openapi.json above leads to the document itself.
        </noscript>
      </main>
    </body>
  </html>
)}`;

/** `/docs`: Swagger UI for `/openapi.json`. Nothing is loaded from another host. */
export const docs = new Hono().use(pageHeaders()).get('/docs', c => c.html(page));
