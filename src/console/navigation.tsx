import { GROUPS, type Page } from './page.ts';
import { fill, useTexts } from './texts/languages.ts';

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
  const texts = useTexts();
  return (
    <nav aria-label={texts.frame.pages}>
      <button type="button" class="menu-button secondary outline" popovertarget="pages">
        {texts.frame.menu}
      </button>
      <ul id="pages" popover="auto">
        {GROUPS.map(group => {
          const members = pages.filter(each => each.group === group);
          return members.length === 0 ? null : (
            <li class="group">
              <a href={addressOf(members[0]!)} aria-current={current?.group === group ? 'true' : undefined}>
                {texts.groups[group]}
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
          <a href="/guide">{texts.pages.Guide}</a>
        </li>
        <li>
          <a href="/docs">{texts.pages.API}</a>
        </li>
      </ul>
    </nav>
  );
};

export const Siblings = ({ page, pages }: Place) => {
  const current = listed({ page, pages });
  const { groups, frame } = useTexts();
  if (!current?.group) return null;
  const group = groups[current.group];
  return (
    <nav class="siblings" aria-label={fill(frame.pagesOf, { group })}>
      <span class="muted" aria-hidden="true">
        {group}
      </span>
      {pages
        .filter(each => each.group === current.group)
        .map(each => (
          <PageLink to={each} current={current} page={page} />
        ))}
    </nav>
  );
};

const PageLink = ({ to, current, page }: { to: Page; current: Page | undefined; page: Page }) => (
  <a href={addressOf(to)} aria-current={to === page ? 'page' : to === current ? 'true' : undefined}>
    {useTexts().pages[to.title]}
  </a>
);

/** The way down to a page that the navigation does not list. */
export const Breadcrumbs = ({ page, pages, title }: Place & { title: string }) => {
  const above = pageAt(pages, page.parent);
  const texts = useTexts();
  if (!above) return null;
  const group = listed({ page, pages })?.group;
  return (
    <nav class="breadcrumbs" aria-label={texts.frame.breadcrumbs}>
      <ol>
        <li>{group && texts.groups[group]}</li>
        <li>
          <a href={addressOf(above)}>{texts.pages[above.title]}</a>
        </li>
        <li aria-current="page">{title}</li>
      </ol>
    </nav>
  );
};
