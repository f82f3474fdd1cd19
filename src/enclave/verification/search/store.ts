import { and, desc, eq, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import type { Result } from '../../../contract/reasons.ts';
import type { Db } from '../../../db/open.ts';
import { searchTexts, verifications } from '../../../db/schema/enclave.ts';
import { verificationMachine } from '../machine.ts';
import { type Meaning, meaningOf, quoted } from './words.ts';

/** A search. `words`: all of them must match, with the accounts (as keys) of persons of that name. */
export interface VerificationSearch {
  words: readonly { text: string; accounts: readonly string[] }[];
  result?: Result | undefined;
  reason?: string | undefined;
  symbol?: string | undefined;
  role?: 'originating' | 'beneficiary' | undefined;
  status?: 'OPEN' | 'COMPLETED' | undefined;
  before?: number | undefined;
  limit: number;
}

const DAY_MS = 86_400_000;
/** The most matches that are looked at for one page. A page with fewer results goes on behind them. */
const WINDOW = 5_000;

const { id, status, reason, symbol, createdAt, originatingVaspId, beneficiaryVaspId } = verifications;

/** As in the partial indexes. */
const IS_NOT_VERIFIED = ne(status, sql`'VERIFIED'`);

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
        sql`enclave_search MATCH ${[quoted(caller), ...matchesOf(search)].join(' AND ')}`,
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

export const searchStore = (db: Db) => ({
  isOfWords: (search: VerificationSearch) => matchesOf(search).length > 0,
  conditionsOf,
  matching: (caller: string, search: VerificationSearch, limit: number) =>
    matching(db, caller, search, limit),
});

const conditionsOf = (search: VerificationSearch): (SQL | undefined)[] => [
  ...filtersOf(search),
  ...search.words.map(meaningOf).flatMap(isMeant),
];

function isMeant(meaning: Meaning): (SQL | undefined)[] {
  if ('match' in meaning) return [];
  if ('day' in meaning) return [gte(createdAt, meaning.day), lt(createdAt, meaning.day + DAY_MS)];
  if ('reasons' in meaning) return [IS_NOT_VERIFIED, inArray(reason, [...meaning.reasons])];
  return filtersOf(meaning);
}

function isOf(caller: string, role: VerificationSearch['role']): SQL | undefined {
  const isSent = sql`+${originatingVaspId} = ${caller}`;
  const isReceived = sql`+${beneficiaryVaspId} = ${caller}`;
  return role === undefined ? or(isSent, isReceived) : role === 'originating' ? isSent : isReceived;
}

/** An index has those that are not VERIFIED. */
export function filtersOf(
  search: Pick<VerificationSearch, 'status' | 'result' | 'reason' | 'symbol'>,
): (SQL | undefined)[] {
  const { initial } = verificationMachine;
  const isOther =
    search.status === 'OPEN' ||
    (search.reason ?? 'OK') !== 'OK' ||
    (search.result ?? 'VERIFIED') !== 'VERIFIED';
  return [
    isOther ? IS_NOT_VERIFIED : undefined,
    search.status === undefined
      ? undefined
      : search.status === 'OPEN'
        ? eq(status, initial)
        : ne(status, initial),
    search.result === undefined ? undefined : eq(status, search.result),
    search.reason === undefined
      ? undefined
      : and(eq(sql`lower(${reason})`, search.reason.toLowerCase()), eq(reason, search.reason)),
    search.symbol === undefined ? undefined : eq(symbol, search.symbol),
  ];
}
