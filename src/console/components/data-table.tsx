import type { Child } from 'hono/jsx';

export interface Column<Row> {
  head: string;
  cell(row: Row): Child;
  /** Figures, right-aligned. */
  numeric?: boolean;
}

interface DataTable<Row> {
  /** What the rows are; read out before the table. */
  caption: string;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Unique on the page: a live update finds the row again by it. */
  idOf(row: Row): string;
  /** For rows that want attention. */
  isLoud?(row: Row): boolean;
  /** Over the whole width below the row; null: nothing. */
  more?(row: Row): Child;
}

/** A table; on a phone every row is a card, and every cell has its head beside it. */
export const DataTable = <Row,>({ caption, columns, rows, idOf, isLoud, more }: DataTable<Row>) => (
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
        <tbody id={idOf(row)} class={isLoud?.(row) ? 'loud' : undefined}>
          <tr>
            {columns.map(({ head, cell, numeric }) => (
              <td data-head={head} class={numeric ? 'numeric' : undefined}>
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
