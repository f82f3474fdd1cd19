import { eq, getTableColumns, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Callback, CallbackData } from '../contract/callbacks.ts';
import { vaspPerson } from '../contract/ivms101.ts';
import type { Db } from './open.ts';
import { callbacks, verifications } from './schema/enclave.ts';
import { exchanges } from './schema/runtime.ts';

export type ExchangeRow = Omit<typeof exchanges.$inferSelect, 'callbackId'>;

const { callbackId, ...columns } = getTableColumns(exchanges);
const { callbackType, data } = callbacks;
const { uuid, ivms101Originator, ivms101Beneficiary, ivms101Answer } = verifications;

/** What most results say. The result of a verification may change later, so its callback keeps what it said otherwise. */
const USUAL_RESULT = { verificationResult: 'VERIFIED', reason: 'OK', message: '' } as const;
type Said = Pick<CallbackData<'VERIFICATION_RESULT'>, keyof typeof USUAL_RESULT>;

/** The data of a result as it is stored: the row of its verification has the rest. */
export const keptResult = (said: Said): Partial<Said> =>
  Object.fromEntries(Object.entries(said).filter(([member, value]) => value !== USUAL_RESULT[member as keyof Said]));

const said = (member: keyof Said): SQL => sql`coalesce(${data} ->> ${`$.${member}`}, ${USUAL_RESULT[member]})`;

const NAME = 'the name';
const [beforeName, afterName] = JSON.stringify(vaspPerson(NAME)).split(JSON.stringify(NAME)) as [string, string];
const personOf = (name: SQLWrapper): SQL => sql`${beforeName} || json_quote(${name}) || ${afterName}`;
/**
 * WIRE-3.4: a result other than VERIFIED returns the information as it was sent. A callback that came from another cell has
 * its own: the row of its verification may have come earlier, with the other VASP.
 */
const information = sql`coalesce(${data} -> '$.ivms101', CASE ${said('verificationResult')}
  WHEN 'VERIFIED' THEN '{"beneficiary":' || coalesce(${ivms101Answer}, ${ivms101Beneficiary})
  ELSE '{"originator":' || ${ivms101Originator} || ',"beneficiary":' || ${ivms101Beneficiary}
    || ',"originatingVASP":' || ${personOf(verifications.originatingVaspName)}
    || ',"beneficiaryVASP":' || ${personOf(verifications.beneficiaryVaspName)} END || '}')`;
export const wholeData = sql`CASE ${callbackType} WHEN 'VERIFICATION_RESULT'
  THEN json_object('verificationUuid', ${uuid}, 'verificationResult', ${said('verificationResult')},
    'reason', ${said('reason')}, 'message', ${said('message')}, 'ivms101', json(${information}))
  ELSE ${data} END`;
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
