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
