import { and, eq, gte, inArray, lt, not, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { Result } from '../../../../contract/reasons.ts';
import { parseDay } from '../../../../contract/time.ts';
import { countUpTo } from '../../../../db/count-up-to.ts';
import type { Db } from '../../../../db/open.ts';
import { verifications } from '../../../../db/schema/enclave.ts';
import { verificationMachine } from '../../machine.ts';
import { folded, NAME_MEMBERS } from './words.ts';

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

/** As in the partial indexes. */
export const IS_NOT_VERIFIED = sql`${verifications.status} <> 'VERIFIED'`;

/** A search for many of them looks at the newest verifications instead. */
const FEW = 1_000;

const { uuid, txHash, originatorAccountKey, beneficiaryAccountKey } = verifications;
const lowerHash = sql`lower(${txHash})`;

/** A uuid, a transaction hash or an Ethereum address is looked up in its index, and so is its beginning. */
function exactlyNamed(db: Db, { words: [word, ...others] }: VerificationSearch): SQL | undefined {
  if (!word || others.length > 0) return undefined;
  const text = word.text.toLowerCase();
  if (/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text)) return eq(uuid, text);
  if (/^(0x)?[0-9a-f]{64}$/.test(text)) return eq(lowerHash, text);
  if (/^[0-9a-f]{8}(-[0-9a-f-]{0,27})?$/.test(text)) {
    const count = countUpTo(db, FEW, verifications, beginsWith(uuid, text));
    return count > 0 && count < FEW ? beginsWith(uuid, text) : undefined;
  }
  const address = /^[0-9a-f]{40}$/.test(text) ? `0x${text}` : text;
  if (!/^0x[0-9a-f]{6,}$/.test(address)) return undefined;
  const places = [lowerHash, originatorAccountKey, beneficiaryAccountKey].map(column =>
    beginsWith(column, address),
  );
  const isRare = places.every(isThere => countUpTo(db, FEW, verifications, isThere) < FEW);
  return isRare ? or(...places) : undefined;
}

/** By a range of the index. `text`: hexadecimal digits in lower case come next in it. */
export const beginsWith = (column: SQLWrapper, text: string): SQL =>
  sql`(${column} >= ${text} AND ${column} < ${`${text}g`})`;

function searched({ status, result, reason, symbol }: VerificationSearch): (SQL | undefined)[] {
  const isOpen = eq(verifications.status, verificationMachine.initial);
  const isOther = status === 'OPEN' || (reason ?? 'OK') !== 'OK' || (result ?? 'VERIFIED') !== 'VERIFIED';
  return [
    isOther ? IS_NOT_VERIFIED : undefined,
    status === undefined ? undefined : status === 'OPEN' ? isOpen : not(isOpen),
    result === undefined ? undefined : eq(verifications.status, result),
    reason === undefined ? undefined : isReason(reason),
    symbol === undefined ? undefined : eq(verifications.symbol, symbol),
  ];
}

/** An index has reasons in lower case. */
const isReason = (reason: string): SQL | undefined =>
  and(eq(sql`lower(${verifications.reason})`, folded(reason)), eq(verifications.reason, reason));

export function isFound({ text, accounts }: VerificationSearch['words'][number]): SQL | undefined {
  const word = folded(text);
  const at = (column: SQLWrapper) => sql`instr(lower(${column}), ${word})`;
  const inJson = JSON.stringify(word).slice(1, -1);
  // The members are read only where the text is anywhere in the JSON.
  const isNamed = (ivms101: SQLWrapper) =>
    sql`instr(lower(${ivms101}), ${inJson}) > 0 AND EXISTS (SELECT 1 FROM json_tree(${ivms101}) AS member WHERE member.key IN ${NAME_MEMBERS} AND ${at(sql`member.atom`)} > 0)`;
  return or(
    sql`${at(uuid)} = 1`,
    ...[txHash, originatorAccountKey, beneficiaryAccountKey].map(column => sql`${at(column)} > 0`),
    eq(verifications.amount, text),
    eq(sql`lower(${verifications.status})`, word),
    eq(sql`lower(${verifications.reason})`, word),
    isCreatedOn(parseDay(text)),
    inArray(originatorAccountKey, accounts),
    inArray(beneficiaryAccountKey, accounts),
    isNamed(verifications.ivms101Originator),
    isNamed(verifications.ivms101Beneficiary),
  );
}
export const isCreatedOn = (day: number | undefined): SQL | undefined =>
  day === undefined
    ? undefined
    : and(gte(verifications.createdAt, day), lt(verifications.createdAt, day + DAY_MS));

/** The conditions of a search. */
export const searchStore = (db: Db) => ({
  exactlyNamed: (search: VerificationSearch) => exactlyNamed(db, search),
  searched,
  isFound,
});
