import type { Child } from 'hono/jsx';
import { fill, useTexts } from '../texts/languages.ts';

interface Picture {
  /** Unique on the page. */
  id: string;
  title: string;
  /** In px, as it is drawn. Undefined: as wide as its place, and the children have their places in %. */
  width?: number;
  height: number;
  hasLinks?: boolean;
  /** The newest stands on the right: a narrow screen shows that end first. */
  isNewestLast?: boolean;
  /** The same as a table, for screen readers and for exact figures. */
  heads: readonly string[];
  rows: readonly (readonly (string | number)[])[];
  /** What its colours mean: class and name of each. */
  legend?: readonly (readonly [string, string])[];
  children?: Child;
}

/** An SVG, made on the server, with its figures as a table. */
export const Picture = ({
  id,
  title,
  width,
  height,
  hasLinks,
  isNewestLast,
  heads,
  rows,
  legend = [],
  children,
}: Picture) => {
  const texts = useTexts().pictures;
  return (
    <figure class={isNewestLast ? 'picture newest-last' : 'picture'} id={id}>
      <svg
        viewBox={width === undefined ? undefined : `0 0 ${width} ${height}`}
        width={width ?? '100%'}
        height={height}
        style={width === undefined ? `height:${height}px` : `max-width:${width}px`}
        role={hasLinks ? 'group' : 'img'}
        aria-label={fill(texts.summary, { title })}
      >
        {children}
      </svg>
      {legend.length === 0 ? null : <Legend of={legend} />}
      <details id={`${id}-table`}>
        <summary>{fill(texts.figures, { title })}</summary>
        <Figures title={title} heads={heads} rows={rows} />
      </details>
    </figure>
  );
};

interface Grid {
  values: readonly number[];
  y(value: number): number;
  /** Where the lines begin, in % of the width. */
  left: number;
  label?(value: number): string;
}

/** A line across the picture for each of the values. */
export const Grid = ({ values, y, left, label = String }: Grid) => (
  <>
    {values.map(value => (
      <>
        <line x1={`${left}%`} x2="100%" y1={y(value)} y2={y(value)} class="grid" />
        <text x={`${left - 1}%`} y={y(value) + 4} class="tick end">
          {label(value)}
        </text>
      </>
    ))}
  </>
);

const Legend = ({ of }: { of: NonNullable<Picture['legend']> }) => (
  <ul class="legend">
    {of.map(([kind, name]) => (
      <li>
        <svg width={11} height={11} aria-hidden="true">
          <rect width={11} height={11} rx={2} class={kind} />
        </svg>{' '}
        {name}
      </li>
    ))}
  </ul>
);

const Figures = ({ title, heads, rows }: Pick<Picture, 'title' | 'heads' | 'rows'>) => (
  <section class="table" tabindex={0} aria-label={title}>
    <table>
      <thead>
        <tr>
          {heads.map(head => (
            <th scope="col">{head}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(row => (
          <tr>
            {row.map((cell, column) => (
              <td data-head={heads[column]}>
                <div>{cell}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </section>
);
