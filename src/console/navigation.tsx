import { GROUPS, type Page } from './page.ts';

interface Place {
  page: Page;
  pages: readonly Page[];
}

const addressOf = ({ path }: Page): string => `/console${path}`;
const pageAt = (pages: readonly Page[], path: string | undefined): Page | undefined =>
  path === undefined ? undefined : pages.find(page => page.path === path);
/** The listed page at or above a page. */
const listed = ({ page, pages }: Place): Page | undefined =>
  page.group ? page : pageAt(pages, page.parent) && listed({ page: pageAt(pages, page.parent)!, pages });

/** Four groups. Each leads to its first page and opens below the pointer or the focus. */
export const Navigation = ({ page, pages }: Place) => {
  const current = listed({ page, pages });
  return (
    <nav aria-label="Pages">
      <button type="button" class="menu-button secondary outline" popovertarget="pages">
        Menu
      </button>
      <ul id="pages" popover="auto">
        {GROUPS.map(group => {
          const members = pages.filter(each => each.group === group);
          return members.length === 0 ? null : (
            <li class="group">
              <a href={addressOf(members[0]!)} aria-current={current?.group === group ? 'true' : undefined}>
                {group}
              </a>
              <ul>
                {members.map(each => (
                  <li>
                    <PageLink to={each} current={current} page={page} />
                  </li>
                ))}
              </ul>
            </li>
          );
        })}
        <li>
          <a href="/guide">Guide</a>
        </li>
        <li>
          <a href="/docs">API</a>
        </li>
      </ul>
    </nav>
  );
};

/** The other pages of the same group. */
export const Siblings = ({ page, pages }: Place) => {
  const current = listed({ page, pages });
  if (!current) return null;
  return (
    <nav class="siblings" aria-label={`Pages of ${current.group}`}>
      <span class="muted" aria-hidden="true">
        {current.group}
      </span>
      {pages
        .filter(({ group }) => group === current.group)
        .map(each => (
          <PageLink to={each} current={current} page={page} />
        ))}
    </nav>
  );
};

const PageLink = ({ to, current, page }: { to: Page; current: Page | undefined; page: Page }) => (
  <a href={addressOf(to)} aria-current={to === page ? 'page' : to === current ? 'true' : undefined}>
    {to.title}
  </a>
);

/** The way down to a page that the navigation does not list. */
export const Breadcrumbs = ({ page, pages, title }: Place & { title: string }) => {
  const above = pageAt(pages, page.parent);
  if (!above) return null;
  return (
    <nav class="breadcrumbs" aria-label="Breadcrumbs">
      <ol>
        <li>{listed({ page, pages })?.group}</li>
        <li>
          <a href={addressOf(above)}>{above.title}</a>
        </li>
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
};
