import { type Context, Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Marked, type Tokens } from 'marked';
import { gfmHeadingId } from 'marked-gfm-heading-id';
import { pageHeaders, withoutTrailingSlash } from '../console/page-headers.ts';
import { isFor } from '../console/pages.ts';
import { send } from '../console/send/page.tsx';
import { chooseLanguage, IN_GUIDE, isLanguage, LANGUAGES, languageOf, textsOf } from '../console/texts/languages.ts';
import { withClauseLinks } from '../contract/clauses.ts';
import type { Roles } from '../contract/tenancy.ts';
import { keptPages } from '../http/kept-pages.ts';
import { isChapter, readChapter, readClauses, titleOf } from './chapters.ts';
import { codePages, KIND_TEXTS, type Meaning, pageOfCode, type ReadApi, scenarioScript } from './codes.ts';
import { Contents, guideLayout, Hits } from './layout.tsx';
import {
  codeMarkdown,
  codesMarkdown,
  contentsMarkdown,
  llmsFullText,
  llmsText,
  meaningMarkdown,
  type Scripts,
  search,
} from './search.ts';

/**
 * `/guide`: the chapters, a page for every code, and a search. It needs no network and no session. Each page is Markdown
 * with the ending `.md`, and for a client that prefers `text/markdown`.
 */
export const guide = new Hono().use(
  pageHeaders(),
  withoutTrailingSlash,
  ...chooseLanguage('path'),
  keptPages(
    c => `${languageOf(c)} ${wantsMarkdown(c)} ${rolesOf(c)} ${originOf(c)}`,
    // The users of the caller decide what a scenario is.
    c => c.req.query('search') !== undefined || c.req.path.includes('/codes/'),
  ),
);

const pages = new Hono();

pages.get('/', async c => {
  if (wantsMarkdown(c)) return markdown(c, contentsMarkdown(languageOf(c), baseOf(c)));
  const query = c.req.query('search') ?? '';
  const title = textsOf(languageOf(c)).pages.Guide;
  if (query === '') return show(c, title, <Contents language={languageOf(c)} base={baseOf(c)} />);
  const hits = await search(query, languageOf(c), originOf(c));
  const found = <Hits query={query} hits={hits} base={baseOf(c)} texts={textsOf(languageOf(c))} />;
  return show(c, title, found, query);
});

pages.get('/:page{codes(?:\\.md)?}', c => {
  const texts = textsOf(languageOf(c));
  if (wantsMarkdown(c)) return markdown(c, codesMarkdown(texts, baseOf(c)));
  return show(
    c,
    texts.guide.codes,
    <ul>
      {[...codePages(texts)].map(([code, meanings]) => (
        <li>
          <a href={`${baseOf(c)}/codes/${code}`}>
            <code>{code}</code>
          </a>{' '}
          – {[...new Set(meanings.map(({ kind }) => texts.guide[kind]))].join(', ')}
        </li>
      ))}
    </ul>,
  );
});

pages.get('/:page{clauses(?:\\.md)?}', async c => {
  const markdownText = await readClauses(languageOf(c));
  if (wantsMarkdown(c)) return markdown(c, markdownText);
  const html = toHtml(withoutTitle(markdownText), baseOf(c)).replace(
    /<li>(<a href="[^"]*#([^"]+)")/g,
    '<li id="$2">$1',
  );
  return show(c, textsOf(languageOf(c)).guide.clauses, raw(html));
});

pages.get('/codes/:code', async c => {
  const code = pageOfCode(c.req.param('code').replace(MARKDOWN, ''));
  const texts = textsOf(languageOf(c));
  const meanings = codePages(texts).get(code);
  const scripts = await scriptsOf(c, meanings ?? []);
  if (wantsMarkdown(c)) return markdown(c, codeMarkdown(code, texts, scripts));
  if (!meanings) return notFound(c);
  return show(
    c,
    code,
    meanings.map(meaning => (
      <article>
        <p class="muted">{texts.guide[KIND_TEXTS[meaning.kind]]}</p>
        {raw(toHtml(meaningMarkdown(meaning, texts.guide, scripts), baseOf(c)))}
        {meaning.scenario && isFor(send, 'local', rolesOf(c)) ? (
          <form action="/console/send">
            <button type="submit" class="outline" name="scenario" value={meaning.scenario}>
              {texts.guide.provoke}
            </button>
          </form>
        ) : null}
      </article>
    )),
  );
});

pages.get('/:chapter', async c => {
  const name = c.req.param('chapter').replace(MARKDOWN, '');
  if (!isChapter(name)) return wantsMarkdown(c) ? markdown(c, undefined) : notFound(c);
  const language = languageOf(c);
  const markdownText = await readChapter(name, language, originOf(c));
  if (wantsMarkdown(c)) return markdown(c, markdownText);
  return show(c, titleOf(name, language), raw(toHtml(withoutTitle(markdownText), baseOf(c))));
});

for (const language of LANGUAGES) guide.route(`/guide/${language}`, pages);
guide.route('/guide', pages);
guide.notFound(notFound);

const MARKDOWN = /\.md$/;
const withoutTitle = (text: string): string => text.replace(/^# .+\n/, '');

interface Bindings {
  readonly readApi?: ReadApi;
  readonly roles?: Roles;
  /** Where others reach it. */
  readonly publicUrl?: string;
}
const bindingsOf = (c: Context): Bindings => c.env ?? {};
const rolesOf = (c: Context): Roles => bindingsOf(c).roles ?? 'both';

/** The address by which the reader asks. */
function originOf(c: Context): string {
  return new URL(bindingsOf(c).publicUrl ?? c.req.url).origin;
}

const wantsMarkdown = (c: Context): boolean =>
  MARKDOWN.test(c.req.path) ||
  accepts(c, { header: 'Accept', supports: ['text/html', 'text/markdown'], default: 'text/html' }) === 'text/markdown';

/** Undefined: there is no such page. */
function markdown(c: Context, text: string | undefined): Response {
  const headers = { 'content-type': 'text/markdown; charset=UTF-8', vary: 'Accept' };
  return text === undefined
    ? c.body('# Not found\n\n[/llms.txt](/llms.txt) lists every page.\n', 404, headers)
    : c.body(text, 200, headers);
}

/** `/llms.txt` and `/llms-full.txt`. */
export const llms = new Hono()
  .use(keptPages(originOf))
  .get('/llms.txt', c => c.text(llmsText()))
  .get('/llms-full.txt', async c => c.text(await llmsFullText(originOf(c))));

/** What provokes a code, for a shell. Needs `readApi` among the bindings. */
async function scriptsOf(c: Context, meanings: readonly Meaning[]): Promise<Scripts> {
  const { readApi } = bindingsOf(c);
  const origin = originOf(c);
  const found = meanings.map(async ({ scenario }) => {
    const script = scenario && readApi && (await scenarioScript(readApi, origin, scenario));
    return scenario && script ? [[scenario, script] as const] : [];
  });
  return new Map((await Promise.all(found)).flat());
}

/** The address of the guide. The links of a page keep its language. */
function baseOf(c: Context): string {
  const inPath = c.req.path.split('/')[2] ?? '';
  if (isLanguage(inPath)) return `/guide/${inPath}`;
  return languageOf(c) === 'en' ? '/guide' : `/guide/${languageOf(c)}`;
}

/** As the links of its language name it, also where the path names none. */
const hereOf = (c: Context): string => c.req.path.replace(IN_GUIDE, baseOf(c));

async function show(c: Context, title: string, body: Child, query = ''): Promise<Response> {
  const roles = rolesOf(c);
  const frame = { title, language: languageOf(c), base: baseOf(c), here: hereOf(c) };
  return c.html(await guideLayout({ ...frame, body, query, headings: headingsIn(body), roles }));
}

/** Of a chapter: its text is HTML already. */
const headingsIn = (body: Child) =>
  body instanceof String
    ? [...body.matchAll(/<h2 id="([^"]+)">(.*?)<\/h2>/gs)].map(([, id, html]) => ({ id: id!, html: html! }))
    : [];

function notFound(c: Context): Response | Promise<Response> {
  const { pages: titles, guide: texts } = textsOf(languageOf(c));
  c.status(404);
  return show(c, titles['Not found'], <p>{texts.noSuchPage}</p>);
}

/** A cell of at most this length, such as an id or a date, stays in one line. */
const SHORT_CELL = 12;

/** HTML of a chapter. `base`: address of the guide in the language. The text is ours, so it is not sanitised. */
export function toHtml(text: string, base: string): string {
  const html = new Marked(gfmHeadingId(), {
    // `0.001~0.002 … 1~6` is no deleted text.
    tokenizer: { del: () => undefined },
    renderer: {
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href, base);
        return target === undefined ? inner : `<a href="${target.replaceAll('"', '%22')}">${inner}</a>`;
      },
      // On a phone the cells of a row stand below each other: behind the first, each says what it is.
      table({ header, rows }: Tokens.Table) {
        const inner = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        const nameOf = (column: number) =>
          header.length > 2 && column > 0 ? ` data-head="${header[column]!.text.replaceAll(/[`"]/g, '')}"` : '';
        const classOf = ({ text }: Tokens.TableCell) => (text.length > SHORT_CELL ? '' : ' class="together"');
        const head = header.map(cell => `<th${classOf(cell)}>${inner(cell)}</th>`).join('');
        const body = rows.map(
          row =>
            `<tr>${row.map((cell, column) => `<td${nameOf(column)}${classOf(cell)}>${inner(cell)}</td>`).join('')}</tr>`,
        );
        return `<table><thead><tr>${head}</tr></thead><tbody>${body.join('')}</tbody></table>`;
      },
    },
  })
    .parse(text, { async: false })
    // A long line of code scrolls, by keys too; so does a wide table.
    .replaceAll('<pre>', '<pre tabindex="0">')
    .replaceAll('<table>', '<div class="wide" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
  return withClauseLinks(html, `${base}/clauses`);
}

/** The served address of a link: chapters lead to chapters, and files of the repository are not served. */
function targetOf(href: string, base: string): string | undefined {
  if (href.endsWith('src/contract/clauses.md')) return `${base}/clauses`;
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [, chapter, anchor = ''] = /^(?:\.\.\/)?([a-z\d-]+)\.md(#.*)?$/.exec(href) ?? [];
  return chapter === undefined ? undefined : `${base}/${chapter}${anchor}`;
}
