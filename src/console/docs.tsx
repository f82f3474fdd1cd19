import { Hono } from 'hono';
import { html } from 'hono/html';
import { ASSETS, Head } from './components/head.tsx';
import type { ApiDocument } from './docs-requests.ts';
import { snippetsPage } from './docs-snippets.tsx';
import { pageHeaders } from './page-headers.ts';
import { chooseLanguage, type Language, languageOf, textsOf } from './texts/languages.ts';

const page = (language: Language) =>
  html`<!doctype html>${(
    <html lang={language}>
      <Head title={textsOf(language).pages.API}>
        <link rel="stylesheet" href={`${ASSETS}/swagger-ui.css`} />
        <link rel="stylesheet" href={`${ASSETS}/docs.css`} />
        <link rel="preload" href="/openapi.json" as="fetch" crossorigin="anonymous" />
        <script src={`${ASSETS}/swagger-ui-bundle.js`} defer />
        <script src={`${ASSETS}/docs.js`} defer />
      </Head>
      <body>
        <header>
          <a href="/console">robot-vasp</a>
          <a href="/openapi.json">openapi.json</a>
        </header>
        <div id="docs">
          <noscript>{textsOf(language).docs.needsScripts}</noscript>
        </div>
      </body>
    </html>
  )}`;

/**
 * `/docs`: Swagger UI for `/openapi.json`, and `/docs/snippets/<operationId>`. Nothing is loaded from another host.
 * `readApi` answers a GET of the own API.
 */
export const docs = (readApi: (request: Request) => Promise<Response>) =>
  new Hono()
    .use(...chooseLanguage(), pageHeaders())
    .get('/docs', c => c.html(page(languageOf(c))))
    .get('/docs/snippets/:operationId', async c => {
      const { origin } = new URL(c.req.url);
      const answer = await readApi(new Request(`${origin}/openapi.json`, { headers: c.req.raw.headers }));
      const document = (await answer.json()) as ApiDocument;
      const found = snippetsPage(document, origin, c.req.param('operationId'), languageOf(c));
      return found ? c.html(found) : c.notFound();
    });
