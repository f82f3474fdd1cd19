import { and, asc, desc, eq, gt, lt, lte } from 'drizzle-orm';
import { groupCommit } from '../db/group-commit.ts';
import type { Db } from '../db/open.ts';
import { insertRow, updateRows } from '../db/prepared-statements.ts';
import { audit } from '../db/schema/tenants.ts';
import { type Tx, write } from '../db/transaction.ts';
import type { Log } from '../kernel/log.ts';

type AuditEntry = typeof audit.$inferSelect;
export type AuditStore = ReturnType<typeof auditStore>;

interface AuditPage {
  /** Id of the last entry of the page before. */
  after: number | undefined;
  order: 'oldest' | 'newest';
  limit: number;
  /** Only its own part. */
  vaspId: string | undefined;
}

/** A few at once: others wait meanwhile. */
const BATCH_SIZE = 100;
/** More than a year of ordinary work. What is refused is kept, too. */
const MAX_PER_VASP = 20_000;

/** The SQL of the audit log. Rows are only added, and deleted when their time is over. */
export function auditStore(db: Db, log: Log, maxPerVasp = MAX_PER_VASP) {
  /** Entries of each VASP since its oldest ones were removed. */
  const added = new Map<string, number>();
  function removeOldest(tx: Tx, vaspId: string): void {
    const count = (added.get(vaspId) ?? 0) + 1;
    added.set(vaspId, count % BATCH_SIZE);
    if (count < BATCH_SIZE) return;
    const isOf = eq(audit.vaspId, vaspId);
    const newest = tx.orm.select({ id: audit.id }).from(audit).where(isOf).orderBy(desc(audit.id));
    const [last] = newest.limit(1).offset(maxPerVasp).all();
    if (last)
      tx.orm
        .delete(audit)
        .where(and(isOf, lte(audit.id, last.id)))
        .run();
  }
  return {
    /** Committed with the other changes of this turn of the event loop. */
    add(entry: Omit<AuditEntry, 'id'>) {
      groupCommit(db, tx => {
        insertRow(tx, audit, entry);
        if (entry.vaspId !== null) removeOldest(tx, entry.vaspId);
      }).catch(error => log.error({ err: String(error), action: entry.action }, 'the audit log could not be written'));
    },
    page: ({ after, order, limit, vaspId }: AuditPage): AuditEntry[] =>
      db.orm
        .select()
        .from(audit)
        .where(
          and(
            after === undefined ? undefined : order === 'newest' ? lt(audit.id, after) : gt(audit.id, after),
            vaspId === undefined ? undefined : eq(audit.vaspId, vaspId),
          ),
        )
        .orderBy(order === 'newest' ? desc(audit.id) : asc(audit.id))
        .limit(limit)
        .all(),
    /** Removes the entries up to a time. Ids ascend with the time. Yields after each few. */
    *removeOld(before: number): Generator<void> {
      const isAfter = gt(audit.id, 0);
      for (;;) {
        const { id, at } = audit;
        const oldest = db.orm.select({ id, at }).from(audit).where(isAfter).orderBy(asc(id)).limit(BATCH_SIZE).all();
        const last = oldest.findLast(entry => entry.at <= before);
        if (!last) return;
        write(db, tx =>
          tx.orm
            .delete(audit)
            .where(and(isAfter, lte(id, last.id)))
            .run(),
        );
        yield;
      }
    },
    /** Addresses and targets may tell of persons. Who did what, and when, stays. */
    forgetDetails(tx: Tx, vaspId: string) {
      updateRows(tx, audit, { vaspId }, { address: '', target: '' });
    },
  };
}
