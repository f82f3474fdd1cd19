import type { AssetSymbol } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import type { CallerId } from '../../contract/tenancy.ts';
import { write } from '../../db/transaction.ts';
import type { RobotDeps } from '../deps.ts';
import { MAX_ADDED_USERS, TooManyUsers, type UserDirectory } from './directory.ts';
import type { User, UserChange } from './user.ts';
import { changeOf, type Users } from './users.ts';

export type RobotUsers = ReturnType<typeof robotUsers>;
export type RobotUser = ReturnType<RobotUsers['all']>[number];

export const userControl = ({ db, users }: RobotDeps) => ({
  /** The users of the robot as this VASP has them: the fixtures with its own changes. */
  usersOf: async (caller: CallerId): Promise<RobotUsers> => robotUsers(users, await users.of(caller)),
  /** Number of users that this VASP has added, without one of this id. */
  countAddedUsers: (caller: CallerId, besides?: string): number => users.countAdded(db, caller, besides),
  /** Adds or changes a user. Throws `Refusal` invalid-field when the VASP has added too many. */
  putUser(id: string, change: UserChange, caller: CallerId): void {
    try {
      write(db, tx => users.put(tx, caller, id, change));
    } catch (error) {
      if (!(error instanceof TooManyUsers)) throw error;
      throw refusals.invalidField('id', TOO_MANY_USERS);
    }
  },
  /** False: this VASP has no such user. Verifications and payments with the user go on. */
  removeUser: (id: string, caller: CallerId): boolean => write(db, tx => users.remove(tx, caller, id)),
  /** Drops every change of this VASP: its users are those of the fixtures. */
  restoreUsers: (caller: CallerId): void => write(db, tx => users.restoreFixtures(tx, caller)),
});

const TOO_MANY_USERS = `is refused because this VASP has used ${MAX_ADDED_USERS} ids already. Take one of them`;

function robotUsers(users: Users, directory: UserDirectory) {
  /** `accounts`: where the user is paid, as messages write it: `0x…`, `r…:tag`. */
  const present = (user: User) => ({
    id: user.id,
    ...changeOf(user),
    accounts: directory.accounts(user),
    source: users.sourceOf(user),
  });
  return {
    all: () => directory.all().map(present),
    byId(id: string) {
      const user = directory.byId(id);
      return user && present(user);
    },
    /** Id of the user at an address as messages write it, of removed users too. */
    idAt: (symbol: AssetSymbol, address: string) => directory.findIncludingRemoved(symbol, address)?.id,
  };
}
