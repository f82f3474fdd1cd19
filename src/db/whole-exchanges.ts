import { eq, getTableColumns, sql } from 'drizzle-orm';
import type { Callback } from '../contract/callbacks.ts';
import type { Db } from './open.ts';
import { callbacks, verifications } from './schema/enclave.ts';
import { exchanges } from './schema/runtime.ts';

export type ExchangeRow = Omit<typeof exchanges.$inferSelect, 'callbackId'>;

const { callbackId, ...columns } = getTableColumns(exchanges);
const { callbackType, data } = callbacks;

/** The beneficiary of a result as it was sent stands in the row of the verification, and `null` in the callback. */
const wholeData = sql`CASE WHEN substr(${data}, -16) = ',"ivms101":null}'
  THEN coalesce(substr(${data}, 1, length(${data}) - 5) || '{"beneficiary":' || ${verifications.ivms101Beneficiary} || '}}', ${data})
  ELSE ${data} END`;
export const ofVerification = eq(verifications.uuid, callbacks.verificationUuid);
export const wholeCallbacks = ({ orm }: Db) =>
  orm
    .select({ ...getTableColumns(callbacks), data: sql<Callback['data']>`${wholeData}`.mapWith(data) })
    .from(callbacks)
    .leftJoin(verifications, ofVerification);

const body = sql<string>`'{"callbackType":"' || ${callbackType} || '","data":' || ${wholeData} || '}'`;
const request = sql<string | null>`coalesce(${exchanges.request}, ${body})`;
/** With the body of the callback. */
export const wholeExchanges = ({ orm }: Db) =>
  orm
    .select({ ...columns, request })
    .from(exchanges)
    .leftJoin(callbacks, eq(callbacks.id, callbackId))
    .leftJoin(verifications, ofVerification);
