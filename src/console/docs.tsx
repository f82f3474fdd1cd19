import { type Context, Hono } from 'hono';
import { html } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { Roles } from '../contract/tenancy.ts';
import { ASSETS, Head } from './components/head.tsx';
import { withQuery } from './components/table.tsx';
import { Copyable, Fold, Paragraph } from './components/text.tsx';
import { layout } from './layout.tsx';
import { pageHeaders, withoutTrailingSlash } from './page-headers.ts';
import { isFor, PAGES } from './pages.ts';
import type { Texts } from './texts/english.ts';
import { chooseLanguage, fill, type Language, languageOf, textsOf, useTexts } from './texts/languages.ts';

/** `document`: of the process, for the list of its operations. */
const page = (language: Language, document: ApiDocument) =>
  html`<!doctype html>${(
    <html lang={language}>
      <Head title={textsOf(language).pages.API}>
        <link rel="stylesheet" href={`${ASSETS}/swagger-ui.css`} />
        <link rel="stylesheet" href={`${ASSETS}/docs.css`} />
        <link rel="preload" href="/openapi.json" as="fetch" crossorigin="anonymous" />
        <script src={`${ASSETS}/swagger-ui-bundle.js`} defer />
        <script src={`${ASSETS}/docs.js`} defer />
      </Head>
      <body class={needsKey(document) ? undefined : 'open'}>
        <header>
          <a href="/console">robot-vasp</a>
          <a href="/guide">{textsOf(language).pages.Guide}</a>
          <a href="/openapi.json">openapi.json</a>
        </header>
        <div class="reader">
          <Operations of={document} texts={textsOf(language).docs} />
          <div id="docs">
            <noscript>{textsOf(language).docs.needsScripts}</noscript>
          </div>
        </div>
      </body>
    </html>
  )}`;

/** In local mode a request needs none. */
const needsKey = ({ security = [] }: ApiDocument): boolean => security.every(each => Object.keys(each).length > 0);

/** Every operation by its section. The script narrows the list, and opens what is chosen. */
const Operations = ({ of: { paths, tags = [] }, texts }: { of: ApiDocument; texts: Texts['docs'] }) => {
  const all = Object.values(paths).flatMap(each => Object.entries(each));
  const sections = tags.map(({ name }) => ({ name, operations: all.filter(([, { tags: own }]) => own?.[0] === name) }));
  return (
    <aside>
      <search>
        <input id="docs-search" type="search" aria-label={texts.search} placeholder={texts.search} />
      </search>
      <nav aria-label={texts.operations}>
        {sections
          .filter(({ operations }) => operations.length > 0)
          .map(({ name, operations }) => (
            <section>
              <h2>{name}</h2>
              <ul>
                {operations.map(([method, { operationId, summary }]) => (
                  <li>
                    <a href={`#/${encodeURIComponent(name)}/${operationId}`} data-operation={operationId}>
                      <small>{method.toUpperCase()}</small> {summary}
                    </a>
                  </li>
                ))}
              </ul>
            </section>
          ))}
      </nav>
    </aside>
  );
};

/**
 * `/docs`: Swagger UI for `/openapi.json`, and `/docs/snippets/<operationId>`. Nothing is loaded from another host.
 * `readApi` returns the answer of a GET of the own API.
 */
export const docs = (readApi: ReadApi, roles: Roles) =>
  new Hono()
    .use(withoutTrailingSlash, ...chooseLanguage(), pageHeaders())
    .get('/docs', async c => c.html(page(languageOf(c), await documentFor(c, readApi))))
    .get('/docs/snippets/:operationId', async c => {
      const { operationId } = c.req.param();
      const own = requestsIn(await documentFor(c, readApi)).filter(each => each.operationId === operationId);
      if (own.length === 0) return c.notFound();
      const body = inEveryLanguage(own, new URL(c.req.url).origin, languageOf(c));
      return c.html(await framed(c, roles, operationId, body));
    })
    .notFound(async c => {
      const { pages: titles, frame } = textsOf(languageOf(c));
      return c.html(await framed(c, roles, titles['Not found'], <Paragraph of={frame.noSuchPage} />), 404);
    });

type ReadApi = (request: Request) => Promise<Response>;

async function documentFor({ req }: Context, readApi: ReadApi): Promise<ApiDocument> {
  const answer = await readApi(new Request(new URL('/openapi.json', req.url), { headers: req.raw.headers }));
  return (await answer.json()) as ApiDocument;
}

/** A page in the frame of the console. */
const framed = (c: Context, roles: Roles, title: string, body: Child) =>
  layout({
    language: languageOf(c),
    title,
    page: { path: '/docs', title: 'API', isLive: false, render: async () => null },
    pages: PAGES.filter(page => isFor(page, 'local', roles)),
    here: c.req.path,
    vaspName: '',
    now: 0,
    body,
  });

/** The example requests of one operation in every language. */
const inEveryLanguage = (own: readonly ExampleRequest[], origin: string, language: Language) => (
  <>
    <Paragraph of={textsOf(language).docs.snippets} />
    {own.map(({ name, method, pathAndQuery, body }, index) => (
      <section>
        <h2>{name}</h2>
        <p>
          <code>
            {method} {origin + pathAndQuery}
          </code>
        </p>
        <Snippets id={`request-${index}`} method={method} url={origin + pathAndQuery} body={body} />
      </section>
    ))}
  </>
);

type Shown = Pick<ExampleRequest, 'method' | 'body'> & { url: string };

const LANGUAGES = [
  { name: 'curl', target: 'shell', client: 'curl' },
  { name: 'TypeScript', target: 'javascript', client: 'fetch' },
  { name: 'Python', target: 'python', client: 'requests' },
  { name: 'Go', target: 'go', client: 'native' },
  { name: 'Java', target: 'java', client: 'nethttp' },
] as const;

/** One request in every language, each folded, to copy. `id` is unique on the page. */
const Snippets = async ({ id, ...request }: Shown & { id: string }) => {
  const texts = useTexts().exchange;
  const codes = await snippetsOf(request);
  return (
    <div class="snippets">
      {codes.map(({ name, code }) => (
        <Fold id={`${id}-${name}`} summary={name}>
          <Copyable text={code} label={fill(texts.codeIn, { language: name })} />
        </Fold>
      ))}
    </div>
  );
};

/** The library is loaded at the first request. */
async function snippetsOf({ method, url, body }: Shown): Promise<{ name: string; code: string }[]> {
  const { HTTPSnippet } = await import('@readme/httpsnippet');
  const hasBody = body !== undefined;
  const snippet = new HTTPSnippet({
    method,
    url,
    httpVersion: 'HTTP/1.1',
    headers: hasBody ? [{ name: 'content-type', value: 'application/json' }] : [],
    queryString: [],
    cookies: [],
    headersSize: -1,
    bodySize: -1,
    postData: hasBody ? { mimeType: 'application/json', text: JSON.stringify(body) } : { mimeType: '' },
  });
  return LANGUAGES.map(({ name, target, client }) => {
    const [code] = [snippet.convert(target, client)].flat();
    return { name, code: code || '' };
  });
}

/** The requests of the API document, one for each example. */
interface ExampleRequest {
  operationId: string;
  name: string;
  method: string;
  pathAndQuery: string;
  /** Undefined: the request has no body. */
  body: unknown;
}

interface Examples {
  examples?: Record<string, { value: unknown }>;
}
interface Operation {
  operationId: string;
  summary: string;
  tags?: string[];
  parameters?: ({ name: string; in: string } & Examples)[];
  requestBody?: { content: Record<string, Examples & { example?: unknown }> };
  responses: Record<string, { content?: object }>;
}
export interface ApiDocument {
  /** The sections, in their order. */
  tags?: { name: string }[];
  /** What a request needs, as alternatives. */
  security?: object[];
  paths: Record<string, Record<string, Operation>>;
}

/** Event streams are left out: their answers never end. */
export const requestsIn = ({ paths }: ApiDocument): ExampleRequest[] =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      isStream(operation) ? [] : requestsOf(path, method.toUpperCase(), operation),
    ),
  );

const isStream = ({ responses }: Operation): boolean => 'text/event-stream' in (responses['200']?.content ?? {});

function requestsOf(path: string, method: string, operation: Operation): ExampleRequest[] {
  const { operationId, summary, parameters = [] } = operation;
  const body = operation.requestBody?.content['application/json'];
  const sources = [...parameters, ...(body ? [body] : [])];
  const names = new Set(sources.flatMap(({ examples }) => Object.keys(examples ?? {})));
  const valuesIn = (where: string, example: string) =>
    parameters
      .filter(each => each.in === where && each.examples?.[example] !== undefined)
      .map(({ name, examples }) => [name, String(examples![example]!.value)] as const);
  const filledPath = (example: string) =>
    valuesIn('path', example).reduce(
      (text, [name, value]) => text.replace(`{${name}}`, encodeURIComponent(value)),
      path,
    );
  return (names.size === 0 ? [''] : [...names]).map(example => ({
    operationId,
    name: names.size > 1 ? `${summary}: ${example}` : summary,
    method,
    pathAndQuery: withQuery(filledPath(example), Object.fromEntries(valuesIn('query', example))),
    body: body?.examples?.[example]?.value ?? body?.example,
  }));
}
