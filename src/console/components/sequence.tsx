import type { Child } from 'hono/jsx';

interface Sequence {
  /** Names of the parties, from left to right. */
  lanes: readonly string[];
  /** For the narrow lanes of a phone. */
  short?: readonly string[];
  children?: Child;
}

/** Time runs down, with a lane for each party. */
export const Sequence = ({ lanes, short, children }: Sequence) => (
  <div class={lanes.length === 2 ? 'sequence two' : 'sequence'}>
    <div class="lanes" aria-hidden="true">
      {lanes.map((name, lane) => (
        <span>
          <span class={short && 'long'}>{name}</span>
          {short ? <span class="short">{short[lane]}</span> : null}
        </span>
      ))}
    </div>
    <ol>{children}</ol>
  </div>
);

interface SequenceLine extends Pick<Sequence, 'lanes'> {
  id: string;
  /** Numbers of its lanes. */
  from: number;
  to: number;
  /** ISO 8601 */
  at: string;
  style: string;
  /** What opens below the line. */
  details?: Child;
  children?: Child;
}

export function SequenceLine({ id, lanes, from, to, at, style: lineStyle, details, children }: SequenceLine) {
  const direction = from < to ? 'right' : from > to ? 'left' : '';
  const style = `--first:${Math.min(from, to)};--lanes:${Math.abs(from - to) + 1}`;
  const line = (
    <>
      <time datetime={at} title={`${at} (UTC)`} data-utc="clock">
        {at.slice(11, -1)}
      </time>
      <span class="drawn" aria-hidden="true" />
      <span class="text">
        <span class="parties">{from === to ? lanes[from] : `${lanes[from]} → ${lanes[to]}`}</span> {children}
      </span>
    </>
  );
  return (
    <li class={`${lineStyle} ${direction}`}>
      {details ? (
        <details id={id}>
          <summary class="line" style={style}>
            {line}
          </summary>
          <div class="opened">{details}</div>
        </details>
      ) : (
        <div id={id} class="line" style={style}>
          {line}
        </div>
      )}
    </li>
  );
}
