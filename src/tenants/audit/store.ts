import { and, asc, eq, gt } from 'drizzle-orm';
import { groupCommit } from '../../db/group-commit.ts';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows } from '../../db/prepared-statements.ts';
import { audit } from '../../db/schema/tenants.ts';
import type { Tx } from '../../db/transaction.ts';
import type { Log } from '../../kernel/log.ts';

export type AuditEntry = typeof audit.$inferSelect;
export type AuditStore = ReturnType<typeof auditStore>;

/** The SQL of the audit log. Rows are only added. */
export function auditStore(db: Db, log: Log) {
  return {
    /** Committed with the other changes of this turn of the event loop. */
    add(entry: Omit<AuditEntry, 'id'>) {
      groupCommit(db, tx => void insertRow(tx, audit, entry)).catch(error =>
        log.error({ err: String(error), action: entry.action }, 'the audit log could not be written'),
      );
    },
    /** Oldest first. `vaspId`: only its own part. */
    after: (after: number, limit: number, vaspId: string | undefined): AuditEntry[] =>
      db.orm
        .select()
        .from(audit)
        .where(and(gt(audit.id, after), vaspId === undefined ? undefined : eq(audit.vaspId, vaspId)))
        .orderBy(asc(audit.id))
        .limit(limit)
        .all(),
    /** Addresses and targets may tell of persons. Who did what, and when, stays. */
    forgetDetails(tx: Tx, vaspId: string) {
      updateRows(tx, audit, { vaspId }, { address: '', target: '' });
    },
  };
}
