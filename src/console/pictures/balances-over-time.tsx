import { fill, useTexts } from '../texts/languages.ts';
import { Grid, Picture } from './picture.tsx';
import { compact, linear, niceCeiling } from './time-axis.tsx';

export interface Change {
  /** Epoch ms. */
  at: number;
  user: string;
  /** In whole coins: negative when the robot pays. Only drawn, never booked. */
  amount: number;
  what: 'deposit' | 'transfer';
}

interface Balances {
  symbol: string;
  /** The newest changes, in any order. */
  changes: readonly Change[];
  /** Today's balances, in whole coins. */
  now: ReadonlyMap<string, number>;
  /** Epoch ms. */
  until: number;
}

const HEIGHT = 170;
/** In % of the width, so that a phone shows the whole time. */
const LEFT = 11;
/** Of the box of the lines, which is stretched to the rest of the width. */
const BOX = 1000;
const MAX_USERS = 6;
const BASE = HEIGHT - 24;

/** A line for each user that steps with every deposit and transfer. It ends at the balance of now. */
export const BalancesOverTime = ({ symbol, changes, now, until }: Balances) => {
  const { pictures: texts, list, time } = useTexts();
  const sorted = [...changes].sort((a, b) => a.at - b.at);
  const users = [...now.keys()].sort((a, b) => (now.get(b) ?? 0) - (now.get(a) ?? 0)).slice(0, MAX_USERS);
  const lines = users.map(user => pointsOf(sorted, user, now.get(user) ?? 0));
  const since = sorted[0]?.at ?? until;
  const end = Math.max(until, since + 1);
  const values = lines.flatMap(points => points.map(({ value }) => value));
  const top = niceCeiling(Math.max(0, ...values));
  const lowest = Math.min(0, ...values);
  const x = linear([since, end], [0, BOX]);
  const y = linear([lowest, top], [BASE, 12]);
  return (
    <Picture
      id={`balances-${symbol}`}
      title={fill(texts.balances, { symbol })}
      height={HEIGHT}
      legend={users.map((user, index) => [`line-${index}`, `${user}: ${now.get(user)}`])}
      heads={[texts.time, list.user, texts.change, texts.what]}
      rows={sorted.map(({ at, user, amount, what }) => [
        new Date(at).toISOString().slice(0, 19).replace('T', ' '),
        user,
        amount,
        texts[what],
      ])}
    >
      <Grid values={[0, top]} y={y} left={LEFT} label={shortened} />
      <svg
        x={`${LEFT}%`}
        width={`${100 - LEFT}%`}
        height={HEIGHT}
        viewBox={`0 0 ${BOX} ${HEIGHT}`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        {lines.map(([first, ...changes], index) => (
          <path
            d={[
              `M${x(since)} ${y(first!.value)}`,
              ...changes.map(({ at, value }) => `H${x(at)}V${y(value)}`),
              `H${x(end)}`,
            ].join('')}
            class={`line line-${index}`}
          />
        ))}
      </svg>
      <text x={`${LEFT}%`} y={HEIGHT - 6} class="tick">
        {new Date(since).toISOString().slice(0, 16).replace('T', ' ')}
      </text>
      <text x="100%" y={HEIGHT - 6} class="tick end">
        {time.now}
      </text>
    </Picture>
  );
};

/** Of a phone, the place of the figures has room for four. */
function shortened(value: number): string {
  if (value < 1_000) return String(value);
  return value < 1e15 ? compact(value) : value.toExponential(0).replace('+', '');
}

interface Point {
  at: number;
  value: number;
}

/** The balance after each change, counted back from now. */
function pointsOf(sorted: readonly Change[], user: string, now: number): Point[] {
  const own = sorted.filter(each => each.user === user);
  let value = own.reduce((sum, { amount }) => sum - amount, now);
  return [
    { at: Number.NEGATIVE_INFINITY, value },
    ...own.map(({ at, amount }) => {
      value += amount;
      return { at, value };
    }),
  ];
}
