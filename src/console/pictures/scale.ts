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
