import type { Child } from 'hono/jsx';
import { type Query, queryText } from '../../client/client.ts';
import { MAX_COUNTED, MAX_LENGTH } from '../../contract/text.ts';
import type { Texts } from '../texts/english.ts';
import { fill, useTexts } from '../texts/languages.ts';
import { Field } from './form.tsx';
import { Empty } from './text.tsx';

export interface Column<Row> {
  head: string;
  cell(row: Row): Child;
  /** Figures, right-aligned. */
  numeric?: boolean;
  /** The value needs no head: on a phone it stands in one line with its like. */
  bare?: boolean;
  /** Begins a line of the card on a phone, where a head is not needed. */
  line?: boolean;
}

interface DataTable<Row> {
  caption: string;
  columns: readonly Column<NoInfer<Row>>[];
  rows: readonly Row[];
  /** Shown instead of a table without rows. */
  empty?: string;
  /** Unique on the page: live updates find the row by it. */
  idOf(row: Row): string;
  /** The page that a click in the row opens. */
  hrefOf?(row: Row): string | undefined;
  /** Highlights rows that need attention. */
  isLoud?(row: Row): boolean;
  /** Shown below the row, over the whole width. Null: nothing. */
  more?(row: Row): Child;
}

/** A table. On a phone every row becomes a card. */
export const DataTable = <Row,>({ empty, ...table }: DataTable<Row>) =>
  table.rows.length === 0 && empty !== undefined ? <Empty of={empty} /> : <Table {...table} />;

const Table = <Row,>({ caption, columns, rows, idOf, hrefOf, isLoud, more = () => null }: DataTable<Row>) => (
  <div class="table">
    <table>
      <caption class="unseen">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ head, numeric }) => (
            <th scope="col" class={numeric ? 'numeric' : undefined}>
              {head}
            </th>
          ))}
        </tr>
      </thead>
      {rows.map(row => (
        <tbody id={idOf(row)} class={isLoud?.(row) ? 'loud' : undefined} data-href={hrefOf?.(row)}>
          <tr>
            {columns.map(({ head, cell, numeric, bare, line }) => (
              <td
                data-head={bare ? undefined : head}
                class={[numeric && 'numeric', line && 'line'].filter(Boolean).join(' ') || undefined}
              >
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
          {[more(row)].filter(Boolean).map(below => (
            <tr class="more">
              <td colspan={columns.length}>{below}</td>
            </tr>
          ))}
        </tbody>
      ))}
    </table>
  </div>
);

interface Beside {
  /** What the reader has chosen. Undefined: nothing. */
  shown: Child | undefined;
  label: string;
  children?: Child;
}

/** A list, and beside it the details of one of its rows. */
export const Beside = ({ shown, label, children }: Beside) =>
  shown === undefined ? (
    children
  ) : (
    <div class="beside">
      <div>{children}</div>
      <section class="shown" aria-label={label} tabindex={0}>
        {shown}
      </section>
    </div>
  );

/** Of the row with this id. The list stays as it is. */
export const hrefOfRow = (path: string, query: Readonly<Record<string, string>>, id: string, row: string): string =>
  `${withQuery(path, { ...query, shown: id })}#${row}`;

interface FilterBar {
  action: string;
  /** The query of the page's address: it has the values. */
  query: Readonly<Record<string, string>>;
  /** Options begin with one that narrows nothing. */
  fields: readonly Omit<Parameters<typeof Field>[0], 'value'>[];
}

/** Filters a list, while it is typed. Its fields become the query of the page's address. */
export const FilterBar = ({ action, query, fields }: FilterBar) => {
  const { list } = useTexts();
  return (
    <form method="get" action={action} class="filter" aria-label={list.filter} data-instant>
      {fields.map(field => (
        <Field
          {...(field.options ? { any: list.any } : {})}
          {...field}
          value={query[field.name]?.trim() || undefined}
        />
      ))}
      <button type="submit" class="secondary">
        {list.filter}
      </button>
      <a href={action}>{list.clear}</a>
    </form>
  );
};

/** Narrows a list to one verification. */
export const verificationField = ({ verification }: Texts) => ({
  name: 'verificationUuid',
  label: verification.verification,
  type: 'search' as const,
  maxLength: MAX_LENGTH.verificationUuid,
  placeholder: 'verificationUuid',
  code: true,
});

/** The named values of the query, without the empty ones. */
export const filled = (query: Record<string, string>, ...names: string[]): Record<string, string> =>
  Object.fromEntries(names.flatMap(name => (query[name]?.trim() ? [[name, query[name].trim()]] : [])));

interface Pager {
  path: string;
  query: Readonly<Record<string, string>>;
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

const SIZES = [25, 50, 100] as const;

/** Rows of one page, as the address says. */
export const pageSize = ({ size = '' }: Readonly<Record<string, string>>): number =>
  SIZES.find(each => String(each) === size) ?? SIZES[0];

/** `25 of 512`, `26–50 of 512`, with links to the other pages and page sizes. Nothing below a list that fits on a page. */
export const Pager = ({ path, query, list, cursor = 'before', shown, total, next }: Pager) => {
  const { [cursor]: position, from = '0', ...others } = query;
  const start = position === undefined ? 0 : Number(from) || 0;
  const size = pageSize(query);
  if (position === undefined && next === null && shown <= SIZES[0]) return null;
  const older = next === null ? undefined : { ...others, [cursor]: next, from: String(start + shown) };
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
            <a href={withQuery(path, { ...unsized, size: each })} aria-label={fill(texts.sizePerPage, { size: each })}>
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
    total: total > MAX_COUNTED ? fill(texts.moreThan, { count: MAX_COUNTED.toLocaleString('en') }) : String(total),
  });
}

/** The address with another query. */
export const withQuery = (path: string, query: Query): string => path + queryText(query);
