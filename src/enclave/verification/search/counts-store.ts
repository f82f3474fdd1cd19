import { count, desc, gte, sql } from 'drizzle-orm';
import type { Db } from '../../../db/open.ts';
import { verifications } from '../../../db/schema/enclave.ts';
import { countStored } from '../counts-store.ts';
import { ROLES, sideOf } from '../sides-store.ts';
import type { VerificationSearch } from './store.ts';

const HOUR_MS = 3_600_000;
const { id, createdAt } = verifications;

const ACTIONS = { originating: 'SEND', beneficiary: 'RECEIVE' } as const;

/** Number of verifications that a search finds on all pages. Null: nobody counts by its filters. */
export function countFound(
  db: Db,
  { words, reason, role, status: wanted, result, symbol }: VerificationSearch,
  caller: string,
): number | null {
  if (words.length > 0 || reason !== undefined) return null;
  return countStored(
    db,
    caller,
    { actionType: role && ACTIONS[role], symbol },
    status =>
      (wanted === undefined || (wanted === 'OPEN') === (status === 'OPEN')) &&
      (result === undefined || status === result),
  );
}

/** Counts the newest verifications since `since`, at most `most` of each side. `hour`: since the epoch. */
export const countsSince = (db: Db, caller: string, since: number, most: number) =>
  ROLES.flatMap(side => {
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
