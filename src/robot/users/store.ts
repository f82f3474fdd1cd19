import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { deleteRows, findRow, findRows, insertRow, preparedQuery, upsertRow } from '../../db/prepared-statements.ts';
import { userAccounts, users } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import type { UserChange } from './user.ts';

export type UserAccount = typeof userAccounts.$inferSelect;

/** A user as a VASP has changed it. `account`: null for a user of the fixtures. */
export interface StoredChange {
  id: string;
  user: UserChange;
  isRemoved: boolean;
  account: UserAccount | null;
}

const isOwn = and(eq(userAccounts.vaspId, users.vaspId), eq(userAccounts.userId, users.id));

const changesQuery = preparedQuery(db =>
  db.orm
    .select({ id: users.id, user: users.user, isRemoved: users.isRemoved, account: userAccounts })
    .from(users)
    .leftJoin(userAccounts, isOwn)
    .where(eq(users.vaspId, sql.placeholder('vaspId')))
    .orderBy(asc(userAccounts.walletIndex)),
);

/** Added users in the order of their accounts. */
export const changesOf = (db: Db, vaspId: string): StoredChange[] =>
  changesQuery(db)
    .all({ vaspId })
    .map(row => ({ ...row, user: row.user as UserChange }));

export function save(tx: Tx, vaspId: string, { id, user, isRemoved }: Omit<StoredChange, 'account'>): void {
  upsertRow(tx, users, ['vaspId', 'id'], { vaspId, id, user, isRemoved });
}

export const removeOf = (tx: Tx, vaspId: string) => void deleteRows(tx, users, { vaspId });

/** The accounts stay, because none is ever used twice; the ids are names that the VASP chose. */
export function forgetNames(tx: Tx, vaspId: string): void {
  tx.orm
    .update(userAccounts)
    .set({ userId: sql`${userAccounts.walletIndex}` })
    .where(eq(userAccounts.vaspId, vaspId))
    .run();
}

export const accounts = (db: Db): UserAccount[] => findRows(db, userAccounts, {});

export const hasAccount = (db: Db, vaspId: string, userId: string): boolean =>
  findRow(db, userAccounts, { vaspId, userId }) !== undefined;

export const countAccounts = (db: Db, vaspId: string): number =>
  db.orm.select({ count: count() }).from(userAccounts).where(eq(userAccounts.vaspId, vaspId)).get()!.count;

export const insertAccount = (tx: Tx, account: UserAccount) => void insertRow(tx, userAccounts, account);
