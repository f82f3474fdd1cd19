import { and, eq, gte, inArray, isNotNull, lt, or, type SQL, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { ASSET_SYMBOLS, ASSETS } from '../../../../contract/assets.ts';
import type { ListQuery } from '../../../../contract/requests.ts';
import { parseDay } from '../../../../contract/time.ts';
import { verifications } from '../../../../db/schema/enclave.ts';
import { IS_NOT_VERIFIED } from '../search/store.ts';

/** A part of a list. `isByIndex`: another index than the one of the caller finds few rows. */
export interface Part {
  caller: string;
  isByIndex?: boolean;
  role: 'originating' | 'beneficiary' | undefined;
  sent: (SQL | undefined)[];
  received: (SQL | undefined)[];
}

const DAY_MS = 86_400_000;
const BEGINNING = '1970-01-01';
const CASELESS_SYMBOLS = ASSET_SYMBOLS.filter(symbol => ASSETS[symbol].addressIgnoresCase);

/** Are verifications counted apart by everything that the query filters by, but for the days? */
const isCountedApart = (query: ListQuery): boolean =>
  [
    query.network,
    query.txHash,
    query.oppositeVaspId,
    query.originatorAccountNumber,
    query.beneficiaryAccountNumber,
  ].every(value => value === undefined);

const startOf = ({ fromDate }: ListQuery): number | undefined =>
  fromDate === BEGINNING ? undefined : parseDay(fromDate);
const endOf = ({ toDate }: ListQuery): number | undefined =>
  toDate === undefined ? undefined : parseDay(toDate)! + DAY_MS;

/** Before and after the days of the query, where there is anything. */
function outside(query: ListQuery): SQL[] {
  const [start, end] = [startOf(query), endOf(query)];
  const { createdAt } = verifications;
  return [
    ...(start === undefined ? [] : [lt(createdAt, start)]),
    ...(end === undefined ? [] : [gte(createdAt, end)]),
  ];
}

const ROLES = { SEND: 'originating', RECEIVE: 'beneficiary' } as const;

function partOf(query: ListQuery, caller: string, onlyRole: Part['role']): Part {
  const { originatingVaspId, beneficiaryVaspId, createdAt } = verifications;
  const { symbol, network, txHash, result, oppositeVaspId: opposite } = query;
  const [start, end] = [startOf(query), endOf(query)];
  const filters = [
    start === undefined ? undefined : gte(createdAt, start),
    end === undefined ? undefined : lt(createdAt, end),
    symbol === undefined ? undefined : eq(verifications.symbol, symbol),
    network === undefined
      ? undefined
      : and(isNotNull(verifications.network), eq(verifications.network, network)),
    txHash === undefined ? undefined : eq(sql`lower(${verifications.txHash})`, txHash.toLowerCase()),
    result === undefined ? undefined : eq(verifications.status, result),
    result === undefined || result === 'VERIFIED' ? undefined : IS_NOT_VERIFIED,
    ofAccount(verifications.originatorAccountKey, query.originatorAccountNumber),
    ofAccount(verifications.beneficiaryAccountKey, query.beneficiaryAccountNumber),
  ];
  return {
    caller,
    isByIndex: [txHash, query.originatorAccountNumber, query.beneficiaryAccountNumber].some(
      value => value !== undefined,
    ),
    role: query.actionType ? ROLES[query.actionType] : onlyRole,
    sent: [...filters, opposite === undefined ? undefined : eq(beneficiaryVaspId, opposite)],
    received: [...filters, opposite === undefined ? undefined : eq(originatingVaspId, opposite)],
  };
}

/** Addresses compare as their chain compares them (D-04): keys are folded where case does not matter. */
function ofAccount(key: SQLiteColumn, accountNumber: string | undefined): SQL | undefined {
  if (accountNumber === undefined) return undefined;
  const folded = accountNumber.toLowerCase();
  if (folded === accountNumber) return eq(key, accountNumber);
  const isFolded = and(inArray(verifications.symbol, CASELESS_SYMBOLS), eq(key, folded));
  return and(inArray(key, [accountNumber, folded]), or(eq(key, accountNumber), isFolded));
}

/** Without the days of the query: what is before them, and what is after them. */
function partsOutside(query: ListQuery, caller: string, onlyRole: Part['role']): Part[] {
  const every = partOf({ ...query, fromDate: BEGINNING, toDate: undefined }, caller, onlyRole);
  return outside(query).map(range => ({
    ...every,
    sent: [...every.sent, range],
    received: [...every.received, range],
  }));
}

/** The conditions of a list. */
export const filterStore = { partOf, partsOutside, isCountedApart };
