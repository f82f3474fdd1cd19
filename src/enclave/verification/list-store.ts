import { and, eq, gte, inArray, lt, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS, ASSETS } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { ListQuery } from '../../contract/requests.ts';
import { parseDay } from '../../contract/time.ts';
import type { Db } from '../../db/open.ts';
import { preparedQuery } from '../../db/prepared-statements.ts';
import { verifications } from '../../db/schema/enclave.ts';
import { filtersOf, isFound } from './search-store.ts';
import { areNamed, countOf, idsOf, type Part, rowsOf } from './sides-store.ts';

const DAY_MS = 86_400_000;
const BEGINNING = '1970-01-01';
const ROLE_OF = { SEND: 'originating', RECEIVE: 'beneficiary' } as const;
const CASELESS_SYMBOLS = ASSET_SYMBOLS.filter(symbol => ASSETS[symbol].addressIgnoresCase);
const { createdAt, symbol } = verifications;
const wholeRows = preparedQuery(db => db.orm.select().from(verifications).where(areNamed));

/** The persons' data are texts in the answer: each quotation mark and each backslash becomes two characters. */
const ESCAPED = 2;
const { ivms101Originator, ivms101Beneficiary, ivms101Answer } = verifications;
const bytes = sql<number>`${ESCAPED} * (octet_length(${ivms101Originator}) + octet_length(coalesce(${ivms101Answer}, ${ivms101Beneficiary})))`;
const lengths = preparedQuery(db => db.orm.select({ id: verifications.id, bytes }).from(verifications).where(areNamed));
const MAX_BYTES = 4_000_000;

/** D-04: `caller` is one of the two VASPs. Throws `Refusal` invalid-field. */
export function page(db: Db, query: ListQuery, caller: string) {
  const part = partOf(query, caller);
  const count = countOf(db, part);
  const offset = (query.page - 1) * query.rpp;
  const ids = offset < count ? idsOf(db, part, query.rpp, offset) : [];
  const length = rowsOf(lengths(db), ids).reduce((sum, each) => sum + each.bytes, 0);
  if (ids.length > 1 && length > MAX_BYTES)
    throw refusals.invalidField('rpp', `should be less than ${query.rpp}: this page is longer than 4 MB`);
  return { count, rows: rowsOf(wholeRows(db), ids) };
}

function partOf(query: ListQuery, caller: string): Part {
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
