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
