import type { exchanges } from '../../db/schema/runtime.ts';

const bytesOf = ({ request, response }: typeof exchanges.$inferInsert): number =>
  Buffer.byteLength(request ?? '') + Buffer.byteLength(response ?? '');

/** The bytes of the bodies that each VASP has stored since the start, less those of removed ones. To add up all would take long. */
export function bodyBytes() {
  const counts = new Map<string, number>();
  const of = (vaspId: string): number => counts.get(vaspId) ?? 0;
  return {
    of,
    add: (row: typeof exchanges.$inferInsert) => void counts.set(row.vaspId, of(row.vaspId) + bytesOf(row)),
    remove(removed: readonly { vaspId: string; bytes: number }[]) {
      for (const { vaspId, bytes } of removed) counts.set(vaspId, of(vaspId) - bytes);
    },
  };
}
