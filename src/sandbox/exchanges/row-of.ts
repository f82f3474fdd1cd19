import type { exchanges } from '../../db/schema/runtime.ts';
import type { Tx } from '../../db/transaction.ts';
import { verificationOf } from '../../db/verification-ids.ts';
import type { Exchange } from '../../http/exchange.ts';

/** A list of very many VASPs is megabytes long, and a page shows a hundred exchanges. */
const MOST_KEPT = 65_536;

const cut = (text: string | null): string | null =>
  text === null || text.length <= MOST_KEPT
    ? text
    : `${text.slice(0, MOST_KEPT).toWellFormed()}… (${text.length - MOST_KEPT} more characters are not kept)`;

/** The first member stands before the spread: V8 finds the hidden class of such an object again. */
export function rowOf(tx: Tx, exchange: Exchange): typeof exchanges.$inferInsert {
  const { verificationUuid, verificationId } = verificationOf(tx, exchange.verificationUuid);
  return {
    verificationId,
    ...exchange,
    verificationUuid,
    request: cut(exchange.request),
    response: cut(exchange.response),
  };
}
