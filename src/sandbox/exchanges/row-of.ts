import type { exchanges } from '../../db/schema/runtime.ts';
import type { Exchange } from '../../http/exchange.ts';

/** A list of very many VASPs is megabytes long, and a page shows a hundred exchanges. */
const MOST_KEPT = 65_536;

const cut = (text: string | null): string | null =>
  text === null || text.length <= MOST_KEPT
    ? text
    : `${text.slice(0, MOST_KEPT).toWellFormed()}… (${text.length - MOST_KEPT} more characters are not kept)`;

/** Written out: V8 copies the members one by one where an object is spread after a member. */
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
    response: cut(exchange.response),
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
