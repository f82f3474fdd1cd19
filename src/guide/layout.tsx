import type { Child } from 'hono/jsx';
import { layout } from '../console/layout.tsx';
import { PAGES } from '../console/pages.ts';
import { CHAPTERS } from './chapters.ts';

interface GuidePage {
  title: string;
  /** Path of the page. */
  here: string;
  /** Words of the search field. */
  query?: string;
  body: Child;
}

/** The console's layout with search field and chapters beside the text. */
export const guideLayout = ({ title, here, query = '', body }: GuidePage) =>
  layout({
    page: { path: here, title, isLive: false, render: async () => body },
    pages: PAGES,
    here,
    vaspName: '',
    now: 0,
    body: (
      <div class="guide">
        <aside>
          <search>
            <form action="/guide">
              <input
                type="search"
                name="search"
                value={query}
                aria-label="Search the guide"
                placeholder="Search"
              />
            </form>
          </search>
          <nav aria-label="Chapters">
            <ul>
              <Entry href="/guide" title="Contents" here={here} />
              {Object.entries(CHAPTERS).map(([name, chapter]) => (
                <Entry href={`/guide/${name}`} title={chapter} here={here} />
              ))}
              <Entry href="/guide/codes" title="Codes" here={here} />
            </ul>
          </nav>
        </aside>
        <div class="chapter">{body}</div>
      </div>
    ),
  });

const Entry = ({ href, title, here }: { href: string; title: string; here: string }) => (
  <li>
    <a href={href} aria-current={href === here ? 'page' : undefined}>
      {title}
    </a>
  </li>
);
