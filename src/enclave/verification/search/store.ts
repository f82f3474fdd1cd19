import { and, desc, eq, gte, inArray, lt, ne, or, type SQL, sql } from 'drizzle-orm';
import { REASON_CODES, REASONS, RESULTS, type Result } from '../../../contract/reasons.ts';
import { parseDay } from '../../../contract/time.ts';
import type { Db } from '../../../db/open.ts';
import { searchTexts, verifications } from '../../../db/schema/enclave.ts';
import { verificationMachine } from '../machine.ts';

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
export function matching(db: Db, caller: string, search: VerificationSearch, limit: number) {
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

export const isOfWords = (search: VerificationSearch): boolean => matchesOf(search).length > 0;

export const conditionsOf = (search: VerificationSearch): (SQL | undefined)[] => [
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

/** A token of FTS5. */
const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
