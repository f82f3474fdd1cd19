import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { Db } from './open.ts';
import { callbacks } from './schema/enclave.ts';
import { exchanges } from './schema/runtime.ts';

export type ExchangeRow = Omit<typeof exchanges.$inferSelect, 'callbackId'>;

const { callbackId, ...columns } = getTableColumns(exchanges);
const { callbackType, data } = callbacks;
const body = sql<string>`'{"callbackType":"' || ${callbackType} || '","data":' || ${data} || '}'`;
const request = sql<string | null>`coalesce(${exchanges.request}, ${body})`;
/** With the body of the callback. */
export const wholeExchanges = ({ orm }: Db) =>
  orm
    .select({ ...columns, request })
    .from(exchanges)
    .leftJoin(callbacks, eq(callbacks.id, callbackId));
