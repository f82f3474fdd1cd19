interface Pager {
  path: string;
  /** The query of the page's address. */
  query: Readonly<Record<string, string>>;
  /** Name of the query parameter that holds the position. */
  cursor: 'before' | 'after';
  shown: number;
  /** On all pages. Null: they are not counted. */
  total: number | null;
  /** Position of the next page. Null: this is the last page. */
  next: string | null;
}

const SIZES = [25, 50, 100, 250] as const;
const MOST_COUNTED = 10_000;

/** Rows of one page, as the address says. */
export const pageSize = ({ size = '' }: Readonly<Record<string, string>>): number =>
  SIZES.find(each => String(each) === size) ?? SIZES[0];

/** `25 of 512`, `26–50 of 512`, with links to the other pages and page sizes. */
export const Pager = ({ path, query, cursor, shown, total, next }: Pager) => {
  const { [cursor]: position, from = '0', ...others } = query;
  const start = position === undefined ? 0 : Number(from) || 0;
  const size = pageSize(query);
  const older = next === null ? undefined : { ...others, [cursor]: next, from: String(start + shown) };
  const { size: _, ...unsized } = others;
  return (
    <nav class="pager" aria-label="Pages of the list">
      <span class="row">
        {position === undefined ? null : <a href={withQuery(path, others)}>← Newer</a>}
        <span>
          {position !== undefined && start === 0 ? `${shown} shown` : countText(start, shown, total, next)}
        </span>
      </span>
      <span class="row">
        <small>per page</small>
        {SIZES.map(each =>
          each === size ? (
            <strong aria-current="true">{each}</strong>
          ) : (
            <a href={withQuery(path, { ...unsized, size: each })} aria-label={`${each} per page`}>
              {each}
            </a>
          ),
        )}
      </span>
      {older ? (
        <a href={withQuery(path, older)} rel="next">
          Older →
        </a>
      ) : (
        <span class="muted">Older →</span>
      )}
    </nav>
  );
};

function countText(start: number, shown: number, total: number | null, next: string | null): string {
  const range = start === 0 ? `${shown}` : `${start + 1}–${start + shown}`;
  if (next === null) return `${range} of ${start + shown}`;
  if (total === null) return `${range}, more follow`;
  return total > MOST_COUNTED ? `${range} of more than 10,000` : `${range} of ${total}`;
}

/** The address with another query. */
export const withQuery = (path: string, query: Readonly<Record<string, string | number>>): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) text.set(name, String(value));
  return text.size === 0 ? path : `${path}?${text}`;
};
