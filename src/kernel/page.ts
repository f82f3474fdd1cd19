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
export const MAX_PAGE_BYTES = 524_288;

/** The first ones whose sizes together are at most `max`, and always one. */
export function firstUpTo<T>(max: number, all: readonly T[], sizeOf: (each: T) => number): T[] {
  let size = 0;
  const end = all.findIndex((each, i) => {
    size += sizeOf(each);
    return i > 0 && size > max;
  });
  return end === -1 ? [...all] : all.slice(0, end);
}
