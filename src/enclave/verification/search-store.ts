import { and, asc, count, desc, eq, gte, inArray, lt, lte, ne, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS, ASSETS } from '../../contract/assets.ts';
import { REASON_CODES, REASONS, RESULTS, type Result } from '../../contract/clauses.ts';
import { refusals } from '../../contract/refusals.ts';
import type { ListQuery } from '../../contract/requests.ts';
import { parseDay } from '../../contract/time.ts';
import type { Db } from '../../db/open.ts';
import { preparedQuery } from '../../db/prepared-statements.ts';
import { searchTexts, verifications } from '../../db/schema/enclave.ts';
import { pick } from '../../kernel/members.ts';
import { verificationMachine } from './machine.ts';
import { areNamed, countOf, idsOf, type Part, ROLES, type Role, rowsOf, sideOf } from './sides-store.ts';

/** A search. `words`: all of them must match, with the accounts (as keys) of persons of that name. */
export interface VerificationSearch {
  words: readonly { text: string; accounts: readonly string[] }[];
  /** This one. */
  verificationUuid?: string | undefined;
  result?: Result | undefined;
  reason?: string | undefined;
  symbol?: string | undefined;
  role?: Role | undefined;
  status?: 'OPEN' | 'COMPLETED' | undefined;
  before?: number | undefined;
  limit: number;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** The most matches that are looked at for one page. A page with fewer results goes on behind them. */
const WINDOW = 5_000;

const { id, uuid, status, reason, symbol, createdAt, originatingVaspId, beneficiaryVaspId } = verifications;

type Place = Pick<typeof verifications.$inferSelect, 'createdAt' | 'id'>;

/** The columns of a list: the persons' data are many times as long. */
const LISTED = {
  ...pick(verifications, 'id', 'uuid', 'status', 'reason', 'message', 'symbol', 'network', 'amount', 'txHash'),
  ...pick(verifications, 'originatingVaspId', 'originatorAccountNumber'),
  ...pick(verifications, 'beneficiaryVaspId', 'beneficiaryAccountNumber'),
  ...pick(verifications, 'createdAt', 'verifiedAt', 'orderedAt'),
};

const position = sql`(${createdAt}, ${id})`;
const listedRows = preparedQuery(db => db.orm.select(LISTED).from(verifications).where(areNamed));

/** `caller` is one of the two VASPs. `next`: where the next page begins; null: there is none. */
export function newest(db: Db, query: VerificationSearch, caller: string) {
  const { limit, before } = query;
  const window = isOfWords(query)
    ? matching(db, caller, query, limit + 1)
    : { ids: idsOf(db, partOf(query, caller, behind(db, before)), limit + 1), next: null };
  const ids = window.ids.slice(0, limit);
  const next = window.ids.length > limit ? ids.at(-1)! : window.next;
  return { rows: rowsOf(listedRows(db), ids), next };
}

const partOf = (query: VerificationSearch, caller: string, place?: SQL): Part => ({
  caller,
  role: query.role,
  filters: [...conditionsOf(query), place],
  isNamed: query.verificationUuid !== undefined,
});

/** The position behind the row of an id, although the row may be gone. */
function behind(db: Db, before: number | undefined): SQL | undefined {
  if (before === undefined) return undefined;
  const at =
    db.orm.select({ createdAt }).from(verifications).where(lte(id, before)).orderBy(desc(id)).limit(1).get()
      ?.createdAt ?? 0;
  return and(lte(createdAt, at), sql`${position} < (${at}, ${before})`);
}

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

/** Number of verifications that a search finds on all pages, up to `limit`. Null: those of words are not counted. */
export const countFound = (db: Db, query: VerificationSearch, caller: string, limit: number): number | null =>
  query.words.length > 0 ? null : Math.min(countOf(db, partOf(query, caller), limit), limit);

/** Counts the newest verifications since `since`, at most `limit` of each side. `hour`: since the epoch. */
export const countsSince = (db: Db, caller: string, since: number, limit: number) =>
  ROLES.flatMap(side => {
    const newest = sideOf(db, { caller, role: undefined, filters: [gte(createdAt, since)] }, side)
      .orderBy(desc(createdAt), desc(id))
      .limit(limit)
      .as('newest');
    const hour = sql<number>`${newest.createdAt} / ${sql.raw(String(HOUR_MS))}`;
    return db.orm
      .select({ hour, status: newest.status, count: count() })
      .from(newest)
      .groupBy(hour, newest.status)
      .all();
  });

/**
 * The ids of a VASP that match, newest first, at most `limit` of one window. `next`: the id behind which the search goes
 * on; null: there is nothing more.
 */
function matching(db: Db, caller: string, search: VerificationSearch, limit: number) {
  const window = db.orm
    .select({ rowid: searchTexts.rowid })
    .from(searchTexts)
    .where(
      and(
        isMatch([quoted(caller), ...matchesOf(search)]),
        search.before === undefined ? undefined : lt(searchTexts.rowid, search.before),
      ),
    )
    .orderBy(desc(searchTexts.rowid))
    .limit(WINDOW)
    .all()
    .map(({ rowid }) => rowid);
  const ids = db.orm
    .select({ id })
    .from(verifications)
    .where(
      and(
        sql`${id} IN (SELECT value FROM json_each(${JSON.stringify(window)}))`,
        isOf(caller, search.role),
        ...conditionsOf(search),
      ),
    )
    .orderBy(desc(id))
    .limit(limit)
    .all()
    .map(row => row.id);
  return { ids, next: window.length === WINDOW ? window.at(-1)! : null };
}

/** Words that only the index has. Without them the conditions are enough. */
const matchesOf = ({ words }: VerificationSearch): string[] =>
  words.map(meaningOf).flatMap(each => ('match' in each ? [each.match] : []));

const isOfWords = (search: VerificationSearch): boolean => matchesOf(search).length > 0;

const conditionsOf = (search: VerificationSearch): (SQL | undefined)[] => [
  search.verificationUuid === undefined ? undefined : eq(uuid, search.verificationUuid),
  ...filtersOf(search),
  ...search.words.map(meaningOf).flatMap(isMeant),
];

function isMeant(meaning: Meaning): (SQL | undefined)[] {
  if ('match' in meaning) return [];
  if ('day' in meaning) return [gte(createdAt, meaning.day), lt(createdAt, meaning.day + DAY_MS)];
  if ('reasons' in meaning) return [inArray(reason, [...meaning.reasons])];
  return filtersOf(meaning);
}

function isOf(caller: string, role: VerificationSearch['role']): SQL | undefined {
  const isSent = sql`+${originatingVaspId} = ${caller}`;
  const isReceived = sql`+${beneficiaryVaspId} = ${caller}`;
  return role === undefined ? or(isSent, isReceived) : role === 'originating' ? isSent : isReceived;
}

function filtersOf(search: Pick<VerificationSearch, 'status' | 'result' | 'reason' | 'symbol'>): (SQL | undefined)[] {
  const { initial } = verificationMachine;
  return [
    search.status === undefined ? undefined : search.status === 'OPEN' ? eq(status, initial) : ne(status, initial),
    search.result === undefined ? undefined : eq(status, search.result),
    search.reason === undefined ? undefined : eq(reason, search.reason),
    search.symbol === undefined ? undefined : eq(symbol, search.symbol),
  ];
}

type Meaning =
  | { status: 'OPEN' }
  | { result: Result }
  | { reason: string }
  | { reasons: readonly string[] }
  | { day: number }
  | { match: string };

/** Shorter words of a reason may be names: `Black`, `Lack`. */
const LEAST_OF_REASON = 7;
const DECIMAL = /^\d+(\.\d+)?$/;
const ADDRESS = /^[0-9a-f]{40}$/i;

/** `accounts`: of the persons that the word names. */
function meaningOf({ text, accounts }: { text: string; accounts: readonly string[] }): Meaning {
  const upper = text.toUpperCase();
  if (upper === 'OPEN') return { status: upper };
  if (Object.hasOwn(RESULTS, upper)) return { result: upper as Result };
  if (Object.hasOwn(REASONS, upper)) return { reason: upper };
  if (upper.length >= LEAST_OF_REASON) {
    const reasons = REASON_CODES.filter(code => code.includes(upper));
    if (reasons.length > 0) return { reasons };
  }
  const day = parseDay(text);
  if (day !== undefined) return { day };
  const texts = ADDRESS.test(text) ? [text, `0x${text}`] : [text];
  // An amount is that amount. Any other word is the beginning of one.
  const own = texts.map(each => (DECIMAL.test(each) ? quoted(each) : `${quoted(each)}*`));
  return { match: `(${[...own, ...accounts.map(quoted)].join(' OR ')})` };
}

/** A phrase of FTS5. Its text ends at a NUL. */
const quoted = (text: string): string => `"${text.replaceAll('\0', ' ').replaceAll('"', '""')}"`;

const isMatch = (matches: readonly string[]): SQL => sql`enclave_search MATCH ${matches.join(' AND ')}`;

/** Those of a VASP with all these texts somewhere: the caller says where. A text without a letter or a digit names all. */
const isFound = (caller: string, texts: readonly string[]): SQL =>
  sql`${id} IN (SELECT rowid FROM enclave_search WHERE ${isMatch([caller, ...texts].map(quoted))})`;

/** `/v1/verifications`: the list of WIRE-2.5. */

const BEGINNING = '1970-01-01';
const ROLE_OF = { SEND: 'originating', RECEIVE: 'beneficiary' } as const;
const CASELESS_SYMBOLS = ASSET_SYMBOLS.filter(symbol => ASSETS[symbol].addressIgnoresCase);
const wholeRows = preparedQuery(db => db.orm.select().from(verifications).where(areNamed));

/** The persons' data are texts in the answer: each quotation mark and each backslash becomes two characters. */
const ESCAPED = 2;
const { ivms101Originator, ivms101Beneficiary, ivms101Answer } = verifications;
const bytes = sql<number>`${ESCAPED} * (octet_length(${ivms101Originator}) + octet_length(coalesce(${ivms101Answer}, ${ivms101Beneficiary})))`;
const lengths = preparedQuery(db => db.orm.select({ id: verifications.id, bytes }).from(verifications).where(areNamed));
const MAX_BYTES = 4_000_000;

/** D-04: `caller` is one of the two VASPs. Throws `Refusal` invalid-field. */
export function page(db: Db, query: ListQuery, caller: string) {
  const part = partOfList(query, caller);
  const count = countOf(db, part);
  const offset = (query.page - 1) * query.rpp;
  const ids = offset < count ? idsOf(db, part, query.rpp, offset) : [];
  const length = rowsOf(lengths(db), ids).reduce((sum, each) => sum + each.bytes, 0);
  if (ids.length > 1 && length > MAX_BYTES)
    throw refusals.invalidField('rpp', `should be less than ${query.rpp}: this page is longer than 4 MB`);
  return { count, rows: rowsOf(wholeRows(db), ids) };
}

function partOfList(query: ListQuery, caller: string): Part {
  const { network, txHash, result, fromDate, toDate } = query;
  const named = [txHash, query.originatorAccountNumber, query.beneficiaryAccountNumber];
  const words = named.filter(word => word !== undefined);
  return {
    caller,
    role: query.actionType && ROLE_OF[query.actionType],
    counterparty: query.oppositeVaspId,
    isNamed: words.length > 0,
    filters: [
      words.length === 0 ? undefined : isFound(caller, words),
      fromDate === BEGINNING ? undefined : gte(createdAt, parseDay(fromDate)!),
      toDate === undefined ? undefined : lt(createdAt, parseDay(toDate)! + DAY_MS),
      query.symbol === undefined ? undefined : eq(symbol, query.symbol),
      network === undefined ? undefined : eq(verifications.network, network),
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
