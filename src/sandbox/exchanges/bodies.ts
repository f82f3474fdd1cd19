import type { exchanges } from '../../db/schema/runtime.ts';
import type { Exchange } from '../../http/exchange.ts';
import { MOST_ANSWER_BYTES } from '../../vasps/port.ts';

/** A list of very many VASPs is megabytes long, and a page shows a hundred exchanges. */
const MOST_KEPT = 65_536;

const cut = (text: string | null, most = MOST_KEPT): string | null =>
  text === null || text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters are not kept)`;

/** A verdict judges an answer of the tested VASP by the kept one, so that one is whole. */
export const rowOf = (exchange: Exchange): typeof exchanges.$inferInsert => ({
  ...exchange,
  request: cut(exchange.request),
  response: cut(exchange.response, exchange.direction === 'OUT' ? MOST_ANSWER_BYTES : MOST_KEPT),
});
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
