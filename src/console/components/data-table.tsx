import type { Child } from 'hono/jsx';
import { Empty } from './empty.tsx';

export interface Column<Row> {
  head: string;
  cell(row: Row): Child;
  /** Figures, right-aligned. */
  numeric?: boolean;
  /** The value needs no head: on a phone it stands in one line with its like. */
  bare?: boolean;
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

const Table = <Row,>({ caption, columns, rows, idOf, hrefOf, isLoud, more }: DataTable<Row>) => (
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
            {columns.map(({ head, cell, numeric, bare }) => (
              <td data-head={bare ? undefined : head} class={numeric ? 'numeric' : undefined}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
          <Below columns={columns.length}>{more?.(row)}</Below>
        </tbody>
      ))}
    </table>
  </div>
);

const Below = ({ columns, children }: { columns: number; children?: Child }) =>
  children ? (
    <tr class="more">
      <td colspan={columns}>{children}</td>
    </tr>
  ) : null;
