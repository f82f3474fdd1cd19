import { eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Callback } from '../contract/callbacks.ts';
import { vaspPerson } from '../contract/ivms101.ts';
import type { Db } from './open.ts';
import { callbacks, verifications } from './schema/enclave.ts';
import { exchanges } from './schema/runtime.ts';

export type ExchangeRow = Omit<typeof exchanges.$inferSelect, 'callbackId'>;

const { callbackId, ...columns } = getTableColumns(exchanges);
const { callbackType, data } = callbacks;

const { uuid, status, reason, message, ivms101Originator, ivms101Beneficiary, ivms101Answer } = verifications;
const NAME = 'the name';
const [beforeName, afterName] = JSON.stringify(vaspPerson(NAME)).split(JSON.stringify(NAME)) as [string, string];
const personOf = (name: SQLWrapper): SQL => sql`${beforeName} || json_quote(${name}) || ${afterName}`;
/** WIRE-3.4: a result other than VERIFIED returns the information as it was sent. */
const resultInformation = sql`CASE ${status}
  WHEN 'VERIFIED' THEN '{"beneficiary":' || coalesce(${ivms101Answer}, ${ivms101Beneficiary})
  ELSE '{"originator":' || ${ivms101Originator} || ',"beneficiary":' || ${ivms101Beneficiary}
    || ',"originatingVASP":' || ${personOf(verifications.originatingVaspName)}
    || ',"beneficiaryVASP":' || ${personOf(verifications.beneficiaryVaspName)} END || '}'`;
/** The result of a verification stands in its row, and its callback has no data of its own. */
const result = sql`json_object('verificationUuid', ${uuid}, 'verificationResult', ${status}, 'reason', ${reason},
  'message', ${message}, 'ivms101', json(${resultInformation}))`;
export const wholeData = sql`coalesce(${data}, ${result})`;
export const ofVerification = eq(uuid, callbacks.verificationUuid);
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
