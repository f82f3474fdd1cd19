import { type Context, Hono } from 'hono';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { trimTrailingSlash } from 'hono/trailing-slash';
import { pageHeaders } from '../console/page-headers.ts';
import { CHAPTERS, isChapter, readChapter } from './chapters.ts';
import { codePages, type Meaning, pageOfCode } from './codes.ts';
import { guideLayout } from './layout.tsx';
import { toHtml, toInlineHtml } from './markdown.ts';
import { search } from './search.ts';

/** `/guide`: the chapters, a page for every code, and a search. It needs no network and no session. */
export const guide = new Hono().use(pageHeaders(), trimTrailingSlash());

guide.get('/guide', async c => {
  const query = c.req.query('search') ?? '';
  return show(
    c,
    'Guide',
    query === '' ? <Contents /> : <Hits query={query} hits={await search(query)} />,
    query,
  );
});

guide.get('/guide/codes', c =>
  show(
    c,
    'Codes',
    <ul>
      {[...codePages()].map(([code, meanings]) => (
        <li>
          <a href={`/guide/codes/${code}`}>
            <code>{code}</code>
          </a>{' '}
          – {[...new Set(meanings.map(({ kind }) => kind))].join(', ')}
        </li>
      ))}
    </ul>,
  ),
);

guide.get('/guide/codes/:code', c => {
  const code = pageOfCode(c.req.param('code'));
  const meanings = codePages().get(code);
  if (!meanings) return notFound(c);
  return show(
    c,
    code,
    meanings.map(meaning => <MeaningOf {...meaning} />),
  );
});

guide.get('/guide/:chapter', async c => {
  const name = c.req.param('chapter');
  if (!isChapter(name)) return notFound(c);
  const [, text] = (await readChapter(name)).split(/^# .+\n/m);
  return show(c, CHAPTERS[name], raw(toHtml(text!)));
});

guide.notFound(notFound);

const show = (c: Context, title: string, body: Child, query = ''): Response | Promise<Response> =>
  c.html(guideLayout({ title, here: c.req.path, query, body }));

function notFound(c: Context): Response | Promise<Response> {
  c.status(404);
  return show(c, 'Not found', <p>The guide has no such page. Choose a chapter, or search.</p>);
}

const Contents = () => (
  <>
    <p>How to test a Travel Rule integration against this sandbox, chapter by chapter.</p>
    <ol>
      {Object.entries(CHAPTERS).map(([name, title]) => (
        <li>
          <a href={`/guide/${name}`}>{title}</a>
        </li>
      ))}
    </ol>
    <p>
      Every code has a page with its meaning and advice: <a href="/guide/codes">all codes</a>. Every operation
      with its fields stands in the <a href="/docs">API document</a>.
    </p>
  </>
);

const Hits = ({ query, hits }: { query: string; hits: Awaited<ReturnType<typeof search>> }) =>
  hits.length === 0 ? (
    <p>Nothing contains “{query}”. Try fewer words.</p>
  ) : (
    <ul>
      {hits.map(({ href, title, excerpt }) => (
        <li>
          <a href={href}>{title}</a>
          <br />
          <small>{excerpt}</small>
        </li>
      ))}
    </ul>
  );

const MeaningOf = ({ kind, text, advice, clause, operations }: Meaning) => (
  <article>
    <header>As {kind}</header>
    <p>{raw(toInlineHtml(text))}</p>
    <p>
      <strong>What to do:</strong> {raw(toInlineHtml(advice))}
    </p>
    {operations === undefined ? null : (
      <p>
        Answered by{' '}
        {operations.length === 0 ? 'every operation' : operations.map(name => <code>{name} </code>)}
      </p>
    )}
    {clause === undefined ? null : <small>{clause}</small>}
  </article>
);
