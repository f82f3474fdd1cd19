import {
  and,
  asc,
  count,
  desc,
  eq,
  gte,
  inArray,
  isNotNull,
  lt,
  lte,
  ne,
  or,
  type SQL,
  sql,
} from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS, ASSETS } from '../../contract/assets.ts';
import type { ListQuery } from '../../contract/requests.ts';
import { parseDay } from '../../contract/time.ts';
import { countsOf } from '../../db/count-by.ts';
import type { Db } from '../../db/open.ts';
import { preparedQuery } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import { conditionsOf, filtersOf, isOfWords, matching, type VerificationSearch } from './search/store.ts';

type Verification = typeof verifications.$inferSelect;
type Place = Pick<Verification, 'createdAt' | 'id'>;
type Role = 'originating' | 'beneficiary';

/** The columns of a list: the persons' data are many times as long. */
const LISTED = {
  id: verifications.id,
  uuid: verifications.uuid,
  status: verifications.status,
  reason: verifications.reason,
  message: verifications.message,
  symbol: verifications.symbol,
  network: verifications.network,
  amount: verifications.amount,
  txHash: verifications.txHash,
  originatingVaspId: verifications.originatingVaspId,
  originatorAccountNumber: verifications.originatorAccountNumber,
  beneficiaryVaspId: verifications.beneficiaryVaspId,
  beneficiaryAccountNumber: verifications.beneficiaryAccountNumber,
  createdAt: verifications.createdAt,
  verifiedAt: verifications.verifiedAt,
  orderedAt: verifications.orderedAt,
};

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const BEGINNING = '1970-01-01';
const ROLES = { SEND: 'originating', RECEIVE: 'beneficiary' } as const;
const CASELESS_SYMBOLS = ASSET_SYMBOLS.filter(symbol => ASSETS[symbol].addressIgnoresCase);
const { id, uuid, createdAt, status, symbol, originatingVaspId, beneficiaryVaspId } = verifications;
const position = sql`(${createdAt}, ${id})`;

/** Which verifications of a VASP. */
interface Part {
  caller: string;
  role: Role | undefined;
  filters: (SQL | undefined)[];
  counterparty?: string | undefined;
  /** Another index than the one of the VASP finds few rows. */
  isByIndex?: boolean;
}

/** In the order of `ids`. */
function rowsOf<T extends { id: number }>(
  query: { all(values: { ids: string }): T[] },
  ids: readonly number[],
): T[] {
  const byId = new Map(query.all({ ids: JSON.stringify(ids) }).map(row => [row.id, row]));
  return ids.map(each => byId.get(each)!);
}

/** Both sides have the order of their index, so that SQLite merges them without sorting. */
function sideOf(db: Db, { caller, role, filters, counterparty, isByIndex }: Part, side: Role) {
  const [own, other] =
    side === 'originating' ? [originatingVaspId, beneficiaryVaspId] : [beneficiaryVaspId, originatingVaspId];
  return db.orm
    .select({ id, createdAt, status })
    .from(verifications)
    .where(
      and(
        isByIndex ? sql`+${own} = ${caller}` : eq(own, caller),
        counterparty === undefined ? undefined : eq(other, counterparty),
        // One with itself is among those that it sends.
        side === 'beneficiary' && role === undefined ? ne(other, caller) : undefined,
        ...filters,
      ),
    );
}

function idsOf(db: Db, part: Part, limit: number, offset = 0): number[] {
  const newestFirst = [desc(sql`created_at`), desc(sql`id`)];
  const found =
    part.role === undefined
      ? unionAll(sideOf(db, part, 'originating'), sideOf(db, part, 'beneficiary'))
          .orderBy(...newestFirst)
          .limit(limit)
          .offset(offset)
          .all()
      : sideOf(db, part, part.role)
          .orderBy(...newestFirst)
          .limit(limit)
          .offset(offset)
          .all();
  return found.map(row => row.id);
}

const countOf = (db: Db, part: Part): number =>
  (part.role === undefined ? (['originating', 'beneficiary'] as const) : [part.role])
    .map(
      side =>
        db.orm
          .select({ count: count() })
          .from(sideOf(db, part, side).as('side'))
          .get()!.count,
    )
    .reduce((sum, each) => sum + each, 0);

/** The position behind the row of an id, although the row may be gone. */
function behind(db: Db, before: number | undefined): SQL | undefined {
  if (before === undefined) return undefined;
  const at =
    db.orm.select({ createdAt }).from(verifications).where(lte(id, before)).orderBy(desc(id)).limit(1).get()
      ?.createdAt ?? 0;
  return and(lte(createdAt, at), sql`${position} < (${at}, ${before})`);
}

const countStored = (
  db: Db,
  caller: string,
  fits: (role: string, status: string, symbol: string) => boolean,
): number =>
  countsOf(db, `verifications ${caller}`)
    .filter(({ values: [role, its, asset] }) => fits(role!, its!, asset!))
    .reduce((sum, each) => sum + each.count, 0);

const isNamed = sql`${id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`;
const wholeRows = preparedQuery(db => db.orm.select().from(verifications).where(isNamed));
const listedRows = preparedQuery(db => db.orm.select(LISTED).from(verifications).where(isNamed));

/** D-04: `caller` is one of the two VASPs. */
export function page(db: Db, query: ListQuery, caller: string): { count: number; rows: Verification[] } {
  const part = partOf(query, caller);
  const total = isCountedApart(query)
    ? countStored(
        db,
        caller,
        (role, its, asset) =>
          (query.actionType === undefined || role === query.actionType || role === 'BOTH') &&
          (query.result === undefined || its === query.result) &&
          (query.symbol === undefined || asset === query.symbol),
      )
    : countOf(db, part);
  const offset = (query.page - 1) * query.rpp;
  const ids = offset < total ? idsOf(db, part, query.rpp, offset) : [];
  return { count: total, rows: rowsOf(wholeRows(db), ids) };
}

/** `caller` is one of the two VASPs. `next`: where the next page begins; null: there is none. */
export function newest(db: Db, query: VerificationSearch, caller: string) {
  const { role, limit, before } = query;
  const window = isOfWords(query)
    ? matching(db, caller, query, limit + 1)
    : {
        ids: idsOf(db, { caller, role, filters: [...conditionsOf(query), behind(db, before)] }, limit + 1),
        next: null,
      };
  const ids = window.ids.slice(0, limit);
  const next = window.ids.length > limit ? ids.at(-1)! : window.next;
  return { rows: rowsOf(listedRows(db), ids), next };
}

/** Number of verifications that a search finds on all pages. Null: nobody counts by its filters. */
export function countFound(
  db: Db,
  { words, reason, role, status: wanted, result, symbol: its }: VerificationSearch,
  caller: string,
): number | null {
  if (words.length > 0 || reason !== undefined) return null;
  return countStored(
    db,
    caller,
    (action, each, asset) =>
      (role === undefined || action === 'BOTH' || ROLES[action as keyof typeof ROLES] === role) &&
      (wanted === undefined || (wanted === 'OPEN') === (each === 'OPEN')) &&
      (result === undefined || each === result) &&
      (its === undefined || asset === its),
  );
}

export const countAll = (db: Db, caller: string): number => countStored(db, caller, () => true);

/** Counts the newest verifications since `since`, at most `most` of each side. `hour`: since the epoch. */
export const countsSince = (db: Db, caller: string, since: number, most: number) =>
  (['originating', 'beneficiary'] as const).flatMap(side => {
    const newest = sideOf(db, { caller, role: undefined, filters: [gte(createdAt, since)] }, side)
      .orderBy(desc(createdAt), desc(id))
      .limit(most)
      .as('newest');
    const hour = sql<number>`${newest.createdAt} / ${sql.raw(String(HOUR_MS))}`;
    return db.orm
      .select({ hour, status: newest.status, count: count() })
      .from(newest)
      .groupBy(hour, newest.status)
      .all();
  });

/** The verifications before and after one in the list of the caller, which begins with the newest. */
export function neighboursOf(db: Db, { createdAt: at, id: its }: Place, caller: string) {
  const nearest = (beyond: SQL | undefined, order: typeof asc) =>
    [originatingVaspId, beneficiaryVaspId]
      .flatMap(side =>
        db.orm
          .select({ uuid, createdAt, id })
          .from(verifications)
          .where(and(eq(side, caller), beyond))
          .orderBy(order(createdAt), order(id))
          .limit(1)
          .all(),
      )
      .sort((a, b) => a.createdAt - b.createdAt || a.id - b.id);
  const newer = nearest(and(gte(createdAt, at), sql`${position} > (${at}, ${its})`), asc);
  const older = nearest(and(lte(createdAt, at), sql`${position} < (${at}, ${its})`), desc);
  return { newer: newer[0]?.uuid ?? null, older: older.at(-1)?.uuid ?? null };
}

/** Are verifications counted apart by everything that the query filters by? */
const isCountedApart = ({ fromDate, toDate, ...query }: ListQuery): boolean =>
  fromDate === BEGINNING &&
  [
    toDate,
    query.network,
    query.txHash,
    query.oppositeVaspId,
    query.originatorAccountNumber,
    query.beneficiaryAccountNumber,
  ].every(value => value === undefined);

function partOf(query: ListQuery, caller: string): Part {
  const { network, txHash, result, fromDate, toDate } = query;
  const named = [txHash, query.originatorAccountNumber, query.beneficiaryAccountNumber];
  return {
    caller,
    role: query.actionType && ROLES[query.actionType],
    counterparty: query.oppositeVaspId,
    isByIndex: named.some(value => value !== undefined),
    filters: [
      fromDate === BEGINNING ? undefined : gte(createdAt, parseDay(fromDate)!),
      toDate === undefined ? undefined : lt(createdAt, parseDay(toDate)! + DAY_MS),
      query.symbol === undefined ? undefined : eq(symbol, query.symbol),
      // A partial index has those with a network.
      network === undefined
        ? undefined
        : and(isNotNull(verifications.network), eq(verifications.network, network)),
      txHash === undefined ? undefined : eq(sql`lower(${verifications.txHash})`, txHash.toLowerCase()),
      ...(result === undefined ? [] : filtersOf({ result })),
      ofAccount(verifications.originatorAccountKey, query.originatorAccountNumber),
      ofAccount(verifications.beneficiaryAccountKey, query.beneficiaryAccountNumber),
    ],
  };
}

/** Addresses compare as their chain compares them (D-04): keys are folded where case does not matter. */
function ofAccount(key: SQLiteColumn, accountNumber: string | undefined): SQL | undefined {
  if (accountNumber === undefined) return undefined;
  const folded = accountNumber.toLowerCase();
  if (folded === accountNumber) return eq(key, accountNumber);
  const isFolded = and(inArray(symbol, CASELESS_SYMBOLS), eq(key, folded));
  return and(inArray(key, [accountNumber, folded]), or(eq(key, accountNumber), isFolded));
}
