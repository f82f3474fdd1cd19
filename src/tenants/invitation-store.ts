import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '../db/open.ts';
import { insertRow, updateRows } from '../db/prepared-statements.ts';
import { invitations } from '../db/schema/tenants.ts';
import type { Tx } from '../db/transaction.ts';

export type Invitation = typeof invitations.$inferSelect;

export const insert = (tx: Tx, row: typeof invitations.$inferInsert): Invitation => insertRow(tx, invitations, row);

/** Not accepted yet; it may be out of date. */
export const findUnused = (db: Db, hash: string): Invitation | undefined =>
  db.orm
    .select()
    .from(invitations)
    .where(and(eq(invitations.hash, hash), isNull(invitations.usedAt)))
    .get();

/** Invitations that are not accepted, oldest first. */
export const unused = (db: Db): Invitation[] =>
  db.orm.select().from(invitations).where(isNull(invitations.usedAt)).orderBy(invitations.id).all();

export function use(tx: Tx, id: number, vaspId: string, usedAt: number): void {
  updateRows(tx, invitations, { id }, { vaspId, usedAt });
}

/** The name of an invitation names its VASP. */
export function forgetNames(tx: Tx, vaspId: string): void {
  updateRows(tx, invitations, { vaspId }, { name: '' });
}
