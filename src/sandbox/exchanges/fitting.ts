/** Bodies of one page. With a thousand of the longest ones it would stop everybody. */
const MOST_BYTES = 1_048_576;

/** The first rows up to `MOST_BYTES`, at least one. */
export function fitting<T extends { bytes: number }>(found: T[]): T[] {
  let bytes = 0;
  const end = found.findIndex((row, i) => {
    bytes += row.bytes;
    return i > 0 && bytes > MOST_BYTES;
  });
  return end === -1 ? found : found.slice(0, end);
}
