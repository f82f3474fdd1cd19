import type { exchanges } from '../../db/schema/runtime.ts';
import type { Exchange } from '../../http/exchange.ts';
import { MOST_ANSWER_BYTES } from '../../vasps/port.ts';

/** A list of very many VASPs is megabytes long, and a page shows a hundred exchanges. */
const MOST_KEPT = 65_536;

const cut = (text: string | null, most = MOST_KEPT): string | null =>
  text === null || text.length <= most
    ? text
    : `${text.slice(0, most).toWellFormed()}… (${text.length - most} more characters are not kept)`;

/** A verdict judges an answer of the tested VASP by the kept one, so that one is whole. Written out: V8 copies the members one by one where an object is spread after a member. */
export function rowOf(exchange: Exchange): typeof exchanges.$inferInsert {
  return {
    vaspId: exchange.vaspId,
    direction: exchange.direction,
    operation: exchange.operation,
    method: exchange.method,
    url: exchange.url,
    verificationUuid: exchange.verificationUuid,
    request: cut(exchange.request),
    status: exchange.status,
    response: cut(exchange.response, exchange.direction === 'OUT' ? MOST_ANSWER_BYTES : MOST_KEPT),
    headers: exchange.headers,
    responseHeaders: exchange.responseHeaders,
    error: exchange.error,
    durationMs: exchange.durationMs,
    connectMs: exchange.connectMs ?? null,
    standstillMs: exchange.standstillMs ?? null,
    isCheck: exchange.isCheck,
    isRepeated: exchange.isRepeated,
    at: exchange.at,
    afterHistory: exchange.afterHistory,
  };
}
