import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { insertRow, updateRows } from '../../db/prepared-statements.ts';
import { invitations } from '../../db/schema/tenants.ts';
import type { Tx } from '../../db/transaction.ts';

export type Invitation = typeof invitations.$inferSelect;
export type InvitationStore = ReturnType<typeof invitationStore>;

/** The SQL of invitations. */
export const invitationStore = (db: Db) => ({
  insert: (tx: Tx, row: typeof invitations.$inferInsert): Invitation => insertRow(tx, invitations, row),
  /** Not accepted yet; it may be out of date. */
  findUnused: (hash: string): Invitation | undefined =>
    db.orm
      .select()
      .from(invitations)
      .where(and(eq(invitations.hash, hash), isNull(invitations.usedAt)))
      .get(),
  /** Invitations that are not accepted, oldest first. */
  unused: (): Invitation[] =>
    db.orm.select().from(invitations).where(isNull(invitations.usedAt)).orderBy(invitations.id).all(),
  use(tx: Tx, id: number, vaspId: string, usedAt: number) {
    updateRows(tx, invitations, { id }, { vaspId, usedAt });
  },
  /** The name of an invitation names its VASP. */
  forgetNames(tx: Tx, vaspId: string) {
    updateRows(tx, invitations, { vaspId }, { name: '' });
  },
});
