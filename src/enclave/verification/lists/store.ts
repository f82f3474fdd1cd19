import { and, asc, count, desc, eq, gte, lte, ne, type SQL, sql } from 'drizzle-orm';
import { type SQLiteColumn, unionAll } from 'drizzle-orm/sqlite-core';
import type { ListQuery } from '../../../contract/requests.ts';
import { countsOf } from '../../../db/count-by.ts';
import type { Db } from '../../../db/open.ts';
import { preparedQuery } from '../../../db/prepared-statements.ts';
import { verifications } from '../../../db/schema/enclave.ts';
import { elapsedMs } from '../../../kernel/clock.ts';
import { nextTurn } from '../../../kernel/interval.ts';
import { countVerifications } from './count.ts';
import { filterStore, type Part } from './filters/store.ts';
import { candidateStore } from './search/candidates/store.ts';
import { searchStore, type VerificationSearch } from './search/store.ts';

type Verification = typeof verifications.$inferSelect;

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
type Listed = Pick<Verification, keyof typeof LISTED>;

/** A search looks at so many verifications at once, and lets others have their turn in between. */
const WINDOW = 500;
const FEW = 2_000;
const MANY = 60_000;
/** Of the candidates of a search so many are read at once. */
const AT_ONCE = 100;
/** A search that has found too few goes on from there with its next page. */
const SEARCH_MS = 1_500;

/** The lists of verifications, newest first. An index has everything that a list filters and sorts by. */
export function verificationListStore(db: Db) {
  const { id, createdAt, originatingVaspId, beneficiaryVaspId } = verifications;
  const search = searchStore(db);
  const candidates = candidateStore(db);

  const sideOf = (part: Part, isSent: boolean) =>
    db.orm
      .select({ id, createdAt })
      .from(verifications)
      .where(
        isSent
          ? and(isCaller(originatingVaspId, part), ...part.sent)
          : and(
              isCaller(beneficiaryVaspId, part),
              part.role === undefined ? ne(originatingVaspId, part.caller) : undefined,
              ...part.received,
            ),
      );

  /** The only role in which the caller has verifications. Undefined: it has both. */
  function onlyRole(caller: string): Part['role'] {
    const roles = countsOf(db, `verifications ${caller}`).map(({ values: [role] }) => role);
    if (!roles.includes('RECEIVE')) return 'originating';
    return roles.every(role => role === 'RECEIVE') ? 'beneficiary' : undefined;
  }

  /** Both sides have the order of their index, so that SQLite merges them without sorting. */
  function idsOf(part: Part, limit: number, offset = 0, isReversed = false) {
    const order = isReversed ? asc : desc;
    const by = [order(sql`created_at`), order(sql`id`)];
    if (part.role !== undefined)
      return sideOf(part, part.role === 'originating')
        .orderBy(...by)
        .limit(limit)
        .offset(offset)
        .all();
    return unionAll(sideOf(part, true), sideOf(part, false))
      .orderBy(...by)
      .limit(limit)
      .offset(offset)
      .all();
  }

  const isNamed = sql`${id} IN (SELECT value FROM json_each(${sql.placeholder('ids')}))`;
  const wholeRows = preparedQuery(db.orm.select().from(verifications).where(isNamed));
  const listedRows = preparedQuery(db.orm.select(LISTED).from(verifications).where(isNamed));

  /** In the order of `found`. */
  function rowsOf<T extends { id: number }>(
    query: { all(values: { ids: string }): T[] },
    found: readonly { id: number }[],
  ): T[] {
    if (found.length === 0) return [];
    const ids = found.map(row => row.id);
    const byId = new Map(query.all({ ids: JSON.stringify(ids) }).map(row => [row.id, row]));
    return ids.map(each => byId.get(each)!);
  }

  const countSides = ({ role, ...part }: Part, most = Number.MAX_SAFE_INTEGER): number => {
    const sides = role === undefined ? [true, false] : [role === 'originating'];
    return sides.reduce((sum, isSent) => {
      const side = sideOf({ role, ...part }, isSent)
        .limit(most - sum)
        .as('side');
      return sum + db.orm.select({ count: count() }).from(side).get()!.count;
    }, 0);
  };

  function countOf(query: ListQuery, caller: string): number {
    const inside = filterStore.partOf(query, caller, onlyRole(caller));
    if (!filterStore.isCountedApart(query)) return countSides(inside);
    const total = storedCount(db, query, caller);
    const parts = filterStore.partsOutside(query, caller, onlyRole(caller));
    if (parts.length === 0) return total;
    // Few verifications are inside of the days, or few are outside.
    for (const most of [FEW, MANY]) {
      const found = countSides(inside, most);
      if (found < most) return found;
      const others = parts.reduce((sum, part) => sum + countSides(part, most - sum), 0);
      if (others < most) return total - others;
    }
    return countSides(inside);
  }

  /** The position behind the row of an id, although the row may be gone. */
  const behind = (before: number | undefined): SQL | undefined => {
    if (before === undefined) return undefined;
    const row = db.orm
      .select({ createdAt })
      .from(verifications)
      .where(lte(id, before))
      .orderBy(desc(id))
      .limit(1)
      .get();
    const at = row?.createdAt ?? 0;
    return and(lte(createdAt, at), sql`(${createdAt}, ${id}) < (${at}, ${before})`);
  };

  return {
    /** D-04: `caller` is one of the two VASPs. A page behind the middle is read from the other end. */
    page(query: ListQuery, caller: string): { count: number; rows: Verification[] } {
      const part = filterStore.partOf(query, caller, onlyRole(caller));
      const total = countOf(query, caller);
      const offset = (query.page - 1) * query.rpp;
      const size = Math.min(query.rpp, total - offset);
      if (size <= 0) return { count: total, rows: [] };
      const isReversed = offset > total / 2;
      const ids = idsOf(part, size, isReversed ? total - offset - size : offset, isReversed);
      return { count: total, rows: rowsOf(wholeRows, isReversed ? ids.reverse() : ids) };
    },
    /** `caller` is one of the two VASPs. `next`: where the next page begins; null: there is none. */
    async newest(
      query: VerificationSearch,
      caller: string,
    ): Promise<{ rows: Listed[]; next: number | null }> {
      const named = search.exactlyNamed(query);
      const total = countVerifications(db, query, caller);
      if (total === 0) return { rows: [], next: null };
      const role = query.role ?? onlyRole(caller);
      const ids = query.words.length === 0 || named ? undefined : candidates.of(query, caller);
      if (ids) return pageOf(among(ids, query, caller), query.limit);
      const startedAt = elapsedMs();
      const found: { id: number }[] = [];
      for (let before = query.before; ; ) {
        const filter = search.searched(query);
        const at = (...more: (SQL | undefined)[]): Part => ({
          caller,
          isByIndex: named !== undefined,
          role,
          sent: [...filter, behind(before), ...more],
          received: [...filter, behind(before), ...more],
        });
        const wanted = query.limit + 1 - found.length;
        if (query.words.length === 0 || named) {
          found.push(...idsOf(at(named), wanted));
          return pageOf(found, query.limit);
        }
        const last = idsOf(at(), 1, WINDOW - 1)[0];
        const inWindow = last && sql`(${createdAt}, ${id}) >= (${last.createdAt}, ${last.id})`;
        found.push(
          ...idsOf(
            at(inWindow, last && gte(createdAt, last.createdAt), ...query.words.map(search.isFound)),
            wanted,
          ),
        );
        if (!last || found.length > query.limit) return pageOf(found, query.limit);
        if (elapsedMs() - startedAt > SEARCH_MS) return { rows: rowsOf(listedRows, found), next: last.id };
        before = last.id;
        await nextTurn();
      }
    },
  };

  /** Those that match the search, newest first, one more than its page shows. */
  function among(ids: readonly number[], query: VerificationSearch, caller: string): { id: number }[] {
    const filter = [...search.searched(query), behind(query.before)];
    const rows = candidates.rows(ids, caller, query.role, ...filter);
    rows.sort((a, b) => b.createdAt - a.createdAt || b.id - a.id);
    const found: { id: number }[] = [];
    for (let from = 0; from < rows.length && found.length <= query.limit; from += AT_ONCE) {
      const part = rows.slice(from, from + AT_ONCE);
      const ids = part.map(row => row.id);
      const matching = candidates.rows(ids, caller, query.role, ...query.words.map(search.isFound));
      const isMatching = new Set(matching.map(row => row.id));
      found.push(...part.filter(row => isMatching.has(row.id)));
    }
    return found;
  }

  function pageOf(found: { id: number }[], limit: number) {
    const rows = rowsOf(listedRows, found.slice(0, limit));
    return { rows, next: found.length > limit ? rows.at(-1)!.id : null };
  }
}

const isCaller = (column: SQLiteColumn, { caller, isByIndex }: Part): SQL =>
  isByIndex ? sql`+${column} = ${caller}` : eq(column, caller);

function storedCount(db: Db, { actionType, result, symbol }: ListQuery, caller: string): number {
  const fits = ({ values: [role, status, its] }: { values: string[] }) =>
    (actionType === undefined || role === actionType || role === 'BOTH') &&
    (result === undefined || status === result) &&
    (symbol === undefined || its === symbol);
  return countsOf(db, `verifications ${caller}`)
    .filter(fits)
    .reduce((sum, { count }) => sum + count, 0);
}
