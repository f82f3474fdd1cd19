/** At most `limit` rows, and the position of the next page. It reads one row more to see whether there is one. */
export function pageOf<T extends { id: number }>(
  limit: number,
  read: (limit: number) => T[],
): { rows: T[]; next: string | null } {
  const rows = read(limit + 1);
  if (rows.length <= limit) return { rows, next: null };
  const shown = rows.slice(0, limit);
  return { rows: shown, next: String(shown.at(-1)!.id) };
}

/** Bodies of one page. With a thousand of the longest ones it would stop everybody. */
const MAX_BYTES = 524_288;

/** The first rows up to `MAX_BYTES`, at least one. */
export function fitting<T extends { bytes: number }>(found: T[]): T[] {
  let bytes = 0;
  const end = found.findIndex((row, i) => {
    bytes += row.bytes;
    return i > 0 && bytes > MAX_BYTES;
  });
  return end === -1 ? found : found.slice(0, end);
}
