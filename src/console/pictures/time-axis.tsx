import { durationText, moment } from '../components/values.tsx';
import { fill, useTexts } from '../texts/languages.ts';
import { Picture } from './picture.tsx';

/** Maps a number of the domain to a length. A domain without width maps to the begin. */
export const linear =
  ([from, to]: readonly [number, number], [begin, end]: readonly [number, number]) =>
  (value: number): number =>
    rounded(to === from ? begin : begin + ((value - from) / (to - from)) * (end - begin));

/** Short numbers keep the page small. */
export const rounded = (value: number): number => Math.round(value * 10) / 10;

/** `950`, `10K`, `2.3K`: fits beside an axis. */
export const compact = (count: number): string =>
  new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 }).format(count);

/** The next number at or above a value that reads well: 1, 2, 5, 10, 20, … */
export function niceCeiling(value: number): number {
  if (value <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  return [1, 2, 5, 10].map(step => step * power).find(each => each >= value)!;
}

interface DueTimer {
  /** Epoch ms. */
  dueAt: number;
  meaning: string;
}

const HEIGHT = 90;
/** In % of the width, so that a phone shows the whole axis. */
const [LEFT, RIGHT] = [6, 94];
const LABEL = 11;
const Y = 48;
const MAX_ROWS = 50;
/** Ticks at round distances, in ms. */
const TICKS = [1e3, 1e4, 6e4, 6e5, 3.6e6, 2.16e7, 8.64e7, 6.048e8, 2.592e9];
/** A timer is due in seconds or in days: the axis is logarithmic. */
const stretch = (distanceMs: number): number => Math.log10(1 + Math.max(0, distanceMs) / 1000);

const radiusOf = (due: readonly DueTimer[]): number => rounded(4 + 2 * Math.log2(due.length));

/** A label stands where the one before it leaves room. */
function ticksUpTo(farthest: number, x: (stretched: number) => number) {
  let last = LEFT;
  return TICKS.filter(tick => tick <= farthest).map(tick => {
    const at = x(stretch(tick));
    const hasLabel = at - last >= LABEL;
    if (hasLabel) last = at;
    return { tick, at, hasLabel };
  });
}

export const TimeAxis = ({ timers, now }: { timers: readonly DueTimer[]; now: number }) => {
  const { pictures: texts, time } = useTexts();
  const farthest = Math.max(60_000, ...timers.map(({ dueAt }) => dueAt - now));
  const x = linear([0, stretch(farthest)], [LEFT, RIGHT]);
  const groups = new Map<number, DueTimer[]>();
  for (const timer of timers) {
    const at = Math.round(x(stretch(timer.dueAt - now)));
    groups.set(at, [...(groups.get(at) ?? []), timer]);
  }
  return (
    <Picture
      id="time-axis"
      title={texts.timeAxis}
      height={HEIGHT}
      heads={[texts.due, texts.distance, texts.what]}
      rows={timers
        .slice(0, MAX_ROWS)
        .map(({ dueAt, meaning }) => [
          moment(new Date(dueAt).toISOString()),
          durationText(Math.max(0, dueAt - now), time),
          meaning,
        ])}
    >
      <line x1={`${LEFT}%`} x2="100%" y1={Y} y2={Y} class="axis" />
      <line x1={`${LEFT}%`} x2={`${LEFT}%`} y1={Y - 8} y2={Y + 8} class="axis" />
      <text x={`${LEFT}%`} y={Y + 24} class="tick middle">
        {time.now}
      </text>
      {ticksUpTo(farthest, x).map(({ tick, at, hasLabel }) => (
        <>
          <line x1={`${at}%`} x2={`${at}%`} y1={Y - 4} y2={Y + 4} class="axis" />
          {hasLabel ? (
            <text x={`${at}%`} y={Y + 24} class="tick middle">
              {durationText(tick, time)}
            </text>
          ) : null}
        </>
      ))}
      {[...groups].map(([at, due]) => (
        <g>
          <circle cx={`${at}%`} cy={Y} r={radiusOf(due)} class="dot">
            <title>
              {due.length === 1 ? due[0]!.meaning : fill(texts.timers, { count: due.length, first: due[0]!.meaning })}
            </title>
          </circle>
          {due.length === 1 ? null : (
            <text x={`${at}%`} y={rounded(Y - 8 - radiusOf(due))} class="tick middle">
              {due.length}
            </text>
          )}
        </g>
      ))}
    </Picture>
  );
};
