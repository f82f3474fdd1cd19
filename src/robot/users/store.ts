import { and, asc, count, eq } from 'drizzle-orm';
import type { Db } from '../../db/open.ts';
import { userAccounts, users } from '../../db/schema/robot.ts';
import type { Tx } from '../../db/transaction.ts';
import type { UserChange } from './user.ts';

export type UserAccount = typeof userAccounts.$inferSelect;
export type UserStore = ReturnType<typeof userStore>;

/** What a VASP has said of a user. `account`: of one that it has added. */
export interface StoredChange {
  id: string;
  user: UserChange;
  isRemoved: boolean;
  account: UserAccount | null;
}

/** The SQL of the users as VASPs have changed them, and of the accounts that were given to those they added. */
export function userStore(db: Db) {
  const isOwn = and(eq(userAccounts.vaspId, users.vaspId), eq(userAccounts.userId, users.id));
  return {
    /** Those that were added in the order of their accounts. */
    changesOf: (vaspId: string): StoredChange[] =>
      db.orm
        .select({ id: users.id, user: users.user, isRemoved: users.isRemoved, account: userAccounts })
        .from(users)
        .leftJoin(userAccounts, isOwn)
        .where(eq(users.vaspId, vaspId))
        .orderBy(asc(userAccounts.walletIndex))
        .all()
        .map(row => ({ ...row, user: JSON.parse(row.user) as UserChange })),
    save(tx: Tx, vaspId: string, { id, user, isRemoved }: Omit<StoredChange, 'account'>) {
      const values = { user: JSON.stringify(user), isRemoved };
      tx.orm
        .insert(users)
        .values({ vaspId, id, ...values })
        .onConflictDoUpdate({ target: [users.vaspId, users.id], set: values })
        .run();
    },
    removeOf: (tx: Tx, vaspId: string) => void tx.orm.delete(users).where(eq(users.vaspId, vaspId)).run(),

    accounts: (): UserAccount[] => db.orm.select().from(userAccounts).all(),
    hasAccount: (vaspId: string, userId: string): boolean =>
      db.orm
        .select({ walletIndex: userAccounts.walletIndex })
        .from(userAccounts)
        .where(and(eq(userAccounts.vaspId, vaspId), eq(userAccounts.userId, userId)))
        .get() !== undefined,
    /** How many this VASP was ever given. */
    countAccounts: (vaspId: string): number =>
      db.orm.select({ count: count() }).from(userAccounts).where(eq(userAccounts.vaspId, vaspId)).get()!
        .count,
    insertAccount: (tx: Tx, account: UserAccount) => void tx.orm.insert(userAccounts).values(account).run(),
  };
}
