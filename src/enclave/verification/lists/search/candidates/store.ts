import { and, eq, gt, gte, inArray, lt, or, type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { parseDay } from '../../../../../contract/time.ts';
import { countUpTo } from '../../../../../db/count-up-to.ts';
import type { Db } from '../../../../../db/open.ts';
import { lastIdOf } from '../../../../../db/prepared-statements.ts';
import {
  searchByTrigrams,
  searchChanges,
  searchEntries,
  searchProgress,
  searchTexts,
  searchTrigrams,
  verifications,
} from '../../../../../db/schema/enclave.ts';
import { beginsWith, IS_NOT_VERIFIED, isCreatedOn, type VerificationSearch } from '../store.ts';
import { folded, isShort, trigramsOf } from '../words.ts';

type Word = VerificationSearch['words'][number];

/** A word with more verifications is frequent. */
const MOST = 2_000;
/** To read so many texts takes a few milliseconds. */
const FEW_TEXTS = 20_000;
/** The word alone finds most verifications. */
const FREQUENT = ['verified', 'ok'];
const STATUSES = ['OPEN', 'DENIED', 'UNKNOWN', 'ERROR'] as const;

const { id, uuid, status, reason, originatingVaspId, beneficiaryVaspId } = verifications;

/**
 * The ids of all verifications of a VASP that may match a search, and of some others. Undefined: every word is frequent,
 * so that the newest verifications are the place to look.
 */
function candidatesOf(
  db: Db,
  { words }: Pick<VerificationSearch, 'words'>,
  caller: string,
  fewTexts: number,
): number[] | undefined {
  const unindexed = withoutEntries(db, caller);
  const sets = words.map(word => idsOf(db, word, caller, fewTexts)).filter(set => set !== undefined);
  const [first, ...others] = sets.sort((a, b) => a.size - b.size);
  if (!unindexed || !first) return undefined;
  const inAll = [...first].filter(each => others.every(set => set.has(each)));
  return [...new Set([...inAll, ...unindexed])];
}

const isPartyTo = (caller: string) => [eq(originatingVaspId, caller), eq(beneficiaryVaspId, caller)];

/** Undefined: there are too many. */
function withoutEntries(db: Db, caller: string): number[] | undefined {
  const upTo = db.orm.select({ upTo: searchProgress.upTo }).from(searchProgress).get()?.upTo ?? 0;
  if (lastIdOf(db, verifications) - upTo > MOST) return undefined;
  const isOwn = sql`${caller} IN (${originatingVaspId}, ${beneficiaryVaspId})`;
  const newest = db.orm
    .select({ id })
    .from(verifications)
    .where(and(gt(id, upTo), isOwn))
    .all();
  const changed = db.orm.select({ id: searchChanges.verificationId }).from(searchChanges).limit(MOST).all();
  if (changed.length === MOST) return undefined;
  return [...newest, ...changed].map(row => row.id);
}

/** The verifications with entries that may match the word. Undefined: it is frequent. */
function idsOf(db: Db, { text, accounts }: Word, caller: string, fewTexts: number): Set<number> | undefined {
  const word = folded(text);
  if (FREQUENT.includes(word)) return undefined;
  const texts = textsWith(db, word, accounts.map(folded), caller, fewTexts);
  if (!texts) return undefined;
  const places = [
    beginningOf(word),
    ...own(isCreatedOn(parseDay(text)), caller),
    ...own(isOther(word), caller),
  ];
  const found = [
    ...entriesOf(db, texts),
    ...places
      .filter(place => place !== undefined)
      .flatMap(place => db.orm.select({ id }).from(verifications).where(place).limit(MOST).all()),
  ].map(row => row.id);
  const isComplete = found.length < MOST;
  return isComplete ? new Set(found) : undefined;
}

const own = (condition: SQL | undefined, caller: string) =>
  condition === undefined ? [] : isPartyTo(caller).map(isParty => and(isParty, condition));

const beginningOf = (word: string): SQL | undefined =>
  /^[0-9a-f-]{1,36}$/.test(word) ? beginsWith(uuid, word) : undefined;

function isOther(word: string): SQL | undefined {
  const its = STATUSES.find(each => each.toLowerCase() === word);
  const isIt = its === undefined ? eq(sql`lower(${reason})`, word) : eq(status, its);
  return and(isIt, IS_NOT_VERIFIED);
}

const entriesOf = (db: Db, textIds: readonly number[]): { id: number }[] =>
  textIds.length === 0
    ? []
    : db.orm
        .select({ id: searchEntries.verificationId })
        .from(searchEntries)
        .where(isAmong(searchEntries.textId, textIds))
        .limit(MOST)
        .all();

const isAmong = (column: SQLWrapper, ids: readonly number[]): SQL =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`;

/** The texts of a VASP that hold the word or are one of the accounts. Undefined: there are too many. */
function textsWith(
  db: Db,
  word: string,
  accounts: string[],
  caller: string,
  fewTexts: number,
): number[] | undefined {
  const { vaspId, text } = searchTexts;
  const columns = { id: searchTexts.id };
  const holds = sql`instr(${text}, ${word}) > 0`;
  const isOwn = eq(vaspId, caller);
  const areFew = countUpTo(db, fewTexts, searchTexts, isOwn) < fewTexts;
  const indexed = areFew ? undefined : indexedTexts(db, word);
  const holding =
    indexed === undefined
      ? db.orm.select(columns).from(searchTexts).where(and(isOwn, holds)).limit(MOST).all()
      : db.orm
          .selectDistinct(columns)
          .from(indexed)
          .innerJoin(searchTexts, eq(searchTexts.id, indexed.textId))
          .where(and(sql`+${vaspId} = ${caller}`, holds))
          .limit(MOST)
          .all();
  const exact = db.orm
    .select(columns)
    .from(searchTexts)
    .where(and(isOwn, inArray(text, accounts)))
    .all();
  return holding.length === MOST ? undefined : [...holding, ...exact].map(row => row.id);
}

/** The texts of all VASPs that hold the trigrams of a word. Undefined: the index does not help. */
function indexedTexts(db: Db, word: string) {
  const trigrams = trigramsOf(word);
  if (trigrams !== undefined)
    return db.orm
      .select({ textId: sql<number>`${searchByTrigrams.rowid}`.as('text_id') })
      .from(searchByTrigrams)
      .where(sql`enclave_search MATCH ${trigrams}`)
      .as('indexed');
  if (!isShort(word)) return undefined;
  const { term, doc } = searchTrigrams;
  return db.orm
    .select({ textId: sql<number>`${doc}`.as('text_id') })
    .from(searchTrigrams)
    .where(and(gte(term, word), lt(term, `${word}\u{10ffff}`)))
    .as('indexed');
}

function rowsOf(
  db: Db,
  ids: readonly number[],
  caller: string,
  role: VerificationSearch['role'],
  conditions: (SQL | undefined)[],
): { id: number; createdAt: number }[] {
  const isSent = sql`+${originatingVaspId} = ${caller}`;
  const isReceived = sql`+${beneficiaryVaspId} = ${caller}`;
  const isOwn = role === undefined ? or(isSent, isReceived) : role === 'originating' ? isSent : isReceived;
  return db.orm
    .select({ id, createdAt: verifications.createdAt })
    .from(verifications)
    .where(and(isAmong(id, ids), isOwn, ...conditions))
    .all();
}

/** `fewTexts`: the texts of a VASP that has more are found by their trigrams. */
export const candidateStore = (db: Db, fewTexts = FEW_TEXTS) => ({
  of: (search: Pick<VerificationSearch, 'words'>, caller: string) =>
    candidatesOf(db, search, caller, fewTexts),
  /** Of the ids, those of the VASP with all conditions. */
  rows: (
    ids: readonly number[],
    caller: string,
    role: VerificationSearch['role'],
    ...conditions: (SQL | undefined)[]
  ) => rowsOf(db, ids, caller, role, conditions),
});
