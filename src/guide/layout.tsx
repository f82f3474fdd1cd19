import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { Paragraph } from '../console/components/text.tsx';
import { layout } from '../console/layout.tsx';
import { isFor, PAGES } from '../console/pages.ts';
import type { Texts } from '../console/texts/english.ts';
import { fill, type Language, textsOf } from '../console/texts/languages.ts';
import type { Roles } from '../contract/tenancy.ts';
import { GROUP_NAMES, GROUPS, titleOf } from './chapters.ts';
import type { search } from './search.ts';

interface Heading {
  id: string;
  /** HTML of our own texts. */
  html: string;
}

interface GuidePage {
  language: Language;
  /** Address of the guide in this language. */
  base: string;
  title: string;
  /** Address of the page in this language. */
  here: string;
  /** Words of the search field. */
  query?: string;
  /** Of the parts of a long page. */
  headings?: readonly Heading[];
  body: Child;
  roles: Roles;
}

/** The console's layout with search field and chapters beside the text. */
export const guideLayout = ({ language, base, title, here, query = '', headings = [], body, roles }: GuidePage) => {
  const { guide } = textsOf(language);
  return layout({
    language,
    title,
    page: { path: here, title: 'Guide', isLive: false, render: async () => body },
    // It does not know its reader. The addresses of the local mode exist in both modes.
    pages: PAGES.filter(page => isFor(page, 'local', roles)),
    here,
    vaspName: '',
    now: 0,
    body: (
      <div class="guide">
        <aside>
          <search>
            <form action={base}>
              <input
                type="search"
                name="search"
                value={query}
                aria-label={guide.searchTheGuide}
                placeholder={guide.search}
              />
            </form>
          </search>
          <nav aria-label={guide.chapters}>
            <ul>
              <Entry href={base} title={guide.contents} here={here} />
              <Entry
                href={`${base}/codes`}
                title={guide.codes}
                here={here}
                isAbove={here.startsWith(`${base}/codes/`)}
              />
              <Entry href={`${base}/clauses`} title={guide.clauses} here={here} />
            </ul>
            {GROUP_NAMES.map(group => (
              <>
                <h2>{guide.groups[group].title}</h2>
                <ul>
                  {GROUPS[group].map(name => (
                    <Entry href={`${base}/${name}`} title={titleOf(name, language)} here={here} />
                  ))}
                </ul>
              </>
            ))}
          </nav>
        </aside>
        <div class="chapter">{body}</div>
        <OnThisPage headings={headings} title={guide.onThisPage} />
      </div>
    ),
  });
};

const OnThisPage = ({ headings, title }: { headings: readonly Heading[]; title: string }) =>
  headings.length < 2 ? null : (
    <nav class="on-this-page" aria-label={title}>
      <h2>{title}</h2>
      <ul>
        {headings.map(({ id, html }) => (
          <li>
            <a href={`#${id}`}>{raw(html)}</a>
          </li>
        ))}
      </ul>
    </nav>
  );

interface EntryProps {
  href: string;
  title: string;
  here: string;
  /** The page belongs to it. */
  isAbove?: boolean;
}

const Entry = ({ href, title, here, isAbove = false }: EntryProps) => (
  <li>
    <a href={href} aria-current={href === here ? 'page' : isAbove ? 'true' : undefined}>
      {title}
    </a>
  </li>
);

/** The parts of the guide's pages. */

export const Contents = ({ language, base }: { language: Language; base: string }) => {
  const texts = textsOf(language).guide;
  return (
    <>
      <p>{texts.intro}</p>
      {GROUP_NAMES.map(group => (
        <section>
          <h2>{texts.groups[group].title}</h2>
          <p>{texts.groups[group].meaning}</p>
          <ul>
            {GROUPS[group].map(name => (
              <li>
                <a href={`${base}/${name}`}>{titleOf(name, language)}</a>
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Paragraph of={fill(texts.codesAndApi, { codes: `${base}/codes` })} />
    </>
  );
};

interface HitsProps {
  query: string;
  hits: Awaited<ReturnType<typeof search>>;
  base: string;
  texts: Texts;
}

export const Hits = ({ query, hits, base, texts }: HitsProps) =>
  hits.length === 0 ? (
    <p>{fill(texts.guide.nothingContains, { query })}</p>
  ) : (
    <ul>
      {hits.map(({ href, title, excerpt }) => (
        <li>
          <a href={`${base}${href}`}>{title}</a>
          <br />
          <small>{excerpt}</small>
        </li>
      ))}
    </ul>
  );
