import { and, asc, count, eq, sql } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { insertRow, upsertRow } from '../../db/prepared-statements.ts';
import { userAccounts, users } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import type { UserChange } from './user.ts';

export type UserAccount = typeof userAccounts.$inferSelect;
export type UserStore = ReturnType<typeof userStore>;

/** A user as a VASP has changed it. `account`: null for a user of the fixtures. */
export interface StoredChange {
  id: string;
  user: UserChange;
  isRemoved: boolean;
  account: UserAccount | null;
}

/** The SQL of the users as VASPs have changed them, and of the accounts of the users that they added. */
export function userStore(db: Db) {
  const isOwn = and(eq(userAccounts.vaspId, users.vaspId), eq(userAccounts.userId, users.id));
  return {
    /** Added users in the order of their accounts. */
    changesOf: (vaspId: string): StoredChange[] =>
      db.orm
        .select({ id: users.id, user: users.user, isRemoved: users.isRemoved, account: userAccounts })
        .from(users)
        .leftJoin(userAccounts, isOwn)
        .where(eq(users.vaspId, vaspId))
        .orderBy(asc(userAccounts.walletIndex))
        .all()
        .map(row => ({ ...row, user: row.user as UserChange })),
    save(tx: Tx, vaspId: string, { id, user, isRemoved }: Omit<StoredChange, 'account'>) {
      upsertRow(tx, users, ['vaspId', 'id'], { vaspId, id, user, isRemoved });
    },
    removeOf: (tx: Tx, vaspId: string) => void tx.orm.delete(users).where(eq(users.vaspId, vaspId)).run(),

    /** The accounts stay, because none is ever used twice; the ids are names that the VASP chose. */
    forgetNames(tx: Tx, vaspId: string) {
      tx.orm
        .update(userAccounts)
        .set({ userId: sql`${userAccounts.walletIndex}` })
        .where(eq(userAccounts.vaspId, vaspId))
        .run();
    },
    accounts: (): UserAccount[] => db.orm.select().from(userAccounts).all(),
    hasAccount: (vaspId: string, userId: string): boolean =>
      db.orm
        .select({ walletIndex: userAccounts.walletIndex })
        .from(userAccounts)
        .where(and(eq(userAccounts.vaspId, vaspId), eq(userAccounts.userId, userId)))
        .get() !== undefined,
    /** All accounts that this VASP has ever got. */
    countAccounts: (vaspId: string): number =>
      db.orm.select({ count: count() }).from(userAccounts).where(eq(userAccounts.vaspId, vaspId)).get()!
        .count,
    insertAccount: (tx: Tx, account: UserAccount) => void insertRow(tx, userAccounts, account),
  };
}
