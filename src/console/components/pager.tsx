import { MOST_COUNTED } from '../../contract/most-counted.ts';
import type { Texts } from '../texts/english.ts';
import { fill } from '../texts/fill.ts';
import { useTexts } from '../texts/languages.ts';

interface Pager {
  path: string;
  query: Readonly<Record<string, string>>;
  /** Distinguishes the parameters of several lists on one page. */
  of?: string;
  /** Name of the list, where a page has several. */
  list?: string;
  /** Default: before. */
  cursor?: 'before' | 'after';
  shown: number;
  /** On all pages. Null: they are not counted. */
  total: number | null;
  /** Position of the next page. Null: this is the last page. */
  next: string | null;
}

const SIZES = [25, 50, 100, 250] as const;

/** Rows of one page, as the address says. */
export const pageSize = ({ size = '' }: Readonly<Record<string, string>>): number =>
  SIZES.find(each => String(each) === size) ?? SIZES[0];

/** `25 of 512`, `26–50 of 512`, with links to the other pages and page sizes. Nothing below a list that fits on a page. */
export const Pager = ({ path, query, of = '', list, cursor = 'before', shown, total, next }: Pager) => {
  const { [of + cursor]: position, [`${of}from`]: from = '0', ...others } = query;
  const start = position === undefined ? 0 : Number(from) || 0;
  const size = pageSize(query);
  if (position === undefined && next === null && shown <= SIZES[0]) return null;
  const older =
    next === null ? undefined : { ...others, [of + cursor]: next, [`${of}from`]: String(start + shown) };
  const { size: _, ...unsized } = others;
  const texts = useTexts().list;
  const [back, onward] = cursor === 'before' ? [texts.newest, texts.older] : [texts.first, texts.next];
  return (
    <nav class="pager" aria-label={list === undefined ? texts.pages : `${texts.pages}: ${list}`}>
      <span class="row">
        {position === undefined ? null : <a href={withQuery(path, others)}>← {back}</a>}
        <span>
          {position !== undefined && start === 0
            ? fill(texts.shown, { count: shown })
            : countText(start, shown, total, next, texts)}
        </span>
      </span>
      <span class="row">
        <small>{texts.perPage}</small>
        {SIZES.map(each =>
          each === size ? (
            <strong aria-current="true">{each}</strong>
          ) : (
            <a
              href={withQuery(path, { ...unsized, size: each })}
              aria-label={fill(texts.sizePerPage, { size: each })}
            >
              {each}
            </a>
          ),
        )}
      </span>
      {older ? (
        <a href={withQuery(path, older)} rel="next">
          {onward} →
        </a>
      ) : (
        <span class="muted">{onward} →</span>
      )}
    </nav>
  );
};

function countText(
  start: number,
  shown: number,
  total: number | null,
  next: string | null,
  texts: Texts['list'],
): string {
  const range = start === 0 ? `${shown}` : `${start + 1}–${start + shown}`;
  if (next === null) return fill(texts.rangeOf, { range, total: String(start + shown) });
  if (total === null) return fill(texts.moreFollow, { range });
  return fill(texts.rangeOf, {
    range,
    total:
      total > MOST_COUNTED
        ? fill(texts.moreThan, { count: MOST_COUNTED.toLocaleString('en') })
        : String(total),
  });
}

/** The address with another query. */
export const withQuery = (path: string, query: Readonly<Record<string, string | number>>): string => {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) text.set(name, String(value));
  return text.size === 0 ? path : `${path}?${text}`;
};
