import type { Child } from 'hono/jsx';
import { layoutHere } from '../console/links.ts';
import { isFor, PAGES } from '../console/pages.tsx';
import { type Language, textsOf } from '../console/texts/languages.ts';
import type { Roles } from '../contract/tenancy.ts';
import { CHAPTERS, type Chapter, titleOf } from './chapters.ts';

interface GuidePage {
  language: Language;
  /** Address of the guide in this language. */
  base: string;
  title: string;
  /** Path of the page. */
  here: string;
  /** Words of the search field. */
  query?: string;
  body: Child;
  roles: Roles;
}

/** The guide does not know its reader. The addresses of the local mode exist in both modes. */
const COMMON_PAGES = PAGES.filter(page => isFor(page, 'local'));

/** The console's layout with search field and chapters beside the text. */
export const guideLayout = ({ language, base, title, here, query = '', body, roles }: GuidePage) => {
  const { guide } = textsOf(language);
  return layoutHere(
    {
      language,
      title,
      page: { path: here, title: 'Guide', isLive: false, render: async () => body },
      pages: COMMON_PAGES,
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
                {(Object.keys(CHAPTERS) as Chapter[]).map(name => (
                  <Entry href={`${base}/${name}`} title={titleOf(name, language)} here={here} />
                ))}
                <Entry href={`${base}/codes`} title={guide.codes} here={here} />
                <Entry href={`${base}/clauses`} title={guide.clauses} here={here} />
              </ul>
            </nav>
          </aside>
          <div class="chapter">{body}</div>
        </div>
      ),
    },
    roles,
  );
};

const Entry = ({ href, title, here }: { href: string; title: string; here: string }) => (
  <li>
    <a href={href} aria-current={href === here ? 'page' : undefined}>
      {title}
    </a>
  </li>
);
