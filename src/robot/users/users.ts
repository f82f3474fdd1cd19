import type { ChainAddress } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { isClosing } from '../../db/closing.ts';
import type { Db } from '../../db/open.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import {
  addressKey,
  assignAccount,
  chainAddressOf,
  refuseAssignedAccounts,
  type UserChains,
  type UserDirectory,
  userDirectory,
} from './directory.ts';
import type { StoredChange, UserAccount } from './store.ts';
import * as userRows from './store.ts';
import type { User, UserChange } from './user.ts';

/** The robot's users: those of the fixtures. Each VASP may change, add and remove users only for itself. */
export type Users = ReturnType<typeof createUsers>;

type UserSource = 'fixture' | 'changed' | 'added';

/** `chains` is called when the first address is needed. Throws `FixtureError`. */
export function createUsers(db: Db, fixtures: readonly User[], chains: () => Promise<UserChains>) {
  refuseAssignedAccounts(fixtures, userRows.accounts(db));
  const directories = new Map<string, UserDirectory>();
  const watchLists = new Map<AssetSymbol, WatchList>();
  let shared: UserDirectory | undefined;
  const directoryOf = (vaspId: string, loaded: UserChains): UserDirectory => {
    const changes = userRows.changesOf(db, vaspId);
    if (changes.length === 0) {
      shared ??= userDirectory(fixtures, loaded);
      return shared;
    }
    const { users, removed } = applyChanges(fixtures, changes);
    return userDirectory(users, loaded, removed);
  };
  return {
    async of(vaspId: string): Promise<UserDirectory> {
      const loaded = await chains();
      const directory = directories.get(vaspId) ?? directoryOf(vaspId, loaded);
      directories.set(vaspId, directory);
      return directory;
    },
    /** The accounts of the robot on this chain at which deposits may arrive. */
    async watched(symbol: AssetSymbol): Promise<Watched> {
      const loaded = await chains();
      const list = watchLists.get(symbol) ?? watchList(symbol, loaded, fixtures, userRows.accounts(db));
      if (!watchLists.has(symbol)) list.leave(vaspId => isClosing(db, vaspId));
      watchLists.set(symbol, list);
      return list;
    },
    ...userChanges(fixtures, directories, watchLists),
  };
}

function userChanges(
  fixtures: readonly User[],
  directories: Map<string, UserDirectory>,
  watchLists: ReadonlyMap<AssetSymbol, WatchList>,
) {
  const unchanged = new Set(fixtures);
  const fixtureIds = new Set(fixtures.map(({ id }) => id));
  /** After the commit: until then the old directory is the right one. */
  const dropDirectory = (tx: Tx, vaspId: string) => afterCommit(tx, () => void directories.delete(vaspId));
  return {
    sourceOf: (user: User): UserSource =>
      unchanged.has(user) ? 'fixture' : fixtureIds.has(user.id) ? 'changed' : 'added',
    /** Adds or changes a user. A removed user that is added again gets its old account. Throws `TooManyUsers`. */
    put(tx: Tx, vaspId: string, id: string, change: UserChange): void {
      const account = fixtureIds.has(id) ? undefined : assignAccount(tx, fixtures, { vaspId, userId: id });
      userRows.save(tx, vaspId, { id, user: change, isRemoved: false });
      dropDirectory(tx, vaspId);
      if (!account) return;
      afterCommit(tx, () => {
        for (const list of watchLists.values()) list.add(account);
      });
    },
    /** False: this VASP has no such user. Its account stays watched, so that open verifications can be completed. */
    remove(tx: Tx, vaspId: string, id: string): boolean {
      const user = applyChanges(fixtures, userRows.changesOf(tx, vaspId)).users.find(each => each.id === id);
      if (!user) return false;
      userRows.save(tx, vaspId, { id, user: changeOf(user), isRemoved: true });
      dropDirectory(tx, vaspId);
      return true;
    },
    /** Number of users that a VASP has added, without one of this id. */
    countAdded: (db: Db, vaspId: string, besides?: string): number =>
      userRows.changesOf(db, vaspId).filter(({ id, isRemoved }) => !isRemoved && !fixtureIds.has(id) && id !== besides)
        .length,
    /** The ids of the users that a VASP has added tell of it no longer, and nobody watches their accounts. */
    forget(tx: Tx, vaspId: string): void {
      userRows.forgetNames(tx, vaspId);
      afterCommit(tx, () => {
        for (const list of watchLists.values()) list.leave(owner => owner === vaspId);
      });
    },
    /** Removes every change of this VASP: its users are those of the fixtures again. */
    restoreFixtures(tx: Tx, vaspId: string): void {
      userRows.removeOf(tx, vaspId);
      dropDirectory(tx, vaspId);
    },
  };
}

interface UsersOfVasp {
  readonly users: readonly User[];
  /** Verifications and transfers that began before the removal still need them. */
  readonly removed: readonly User[];
}

/** The users of the fixtures in their order, then those that the VASP added. */
function applyChanges(fixtures: readonly User[], changes: readonly StoredChange[]): UsersOfVasp {
  const changed = new Map(changes.map(change => [change.id, change]));
  const fixtureIds = new Set(fixtures.map(({ id }) => id));
  const all = [
    ...fixtures.map(user => merge(user, changed.get(user.id))),
    ...changes.filter(({ id }) => !fixtureIds.has(id)).map(addedUser),
  ];
  return {
    users: all.filter(({ isRemoved }) => !isRemoved).map(({ user }) => user),
    removed: all.filter(({ isRemoved }) => isRemoved).map(({ user }) => user),
  };
}

const merge = (fixture: User, change: StoredChange | undefined) =>
  change
    ? { user: { ...fixture, ...change.user } as User, isRemoved: change.isRemoved }
    : { user: fixture, isRemoved: false };

const addedUser = ({ id, user, isRemoved, account }: StoredChange) => {
  const { walletIndex, destinationTag } = account!;
  return { user: { id, ...user, walletIndex, destinationTag } as User, isRemoved };
};

/** The members of a user that a VASP may change. */
export const changeOf = ({ kind, names, kyc, behaviour }: User): UserChange =>
  ({ kind, names, kyc, behaviour }) as UserChange;

export interface Watched {
  /**
   * The canonical accounts of all users of all VASPs, removed users too, but not of forgotten VASPs. A live set: an added
   * user appears at once.
   */
  readonly accounts: ReadonlySet<string>;
  /** The VASP that added the user of this address. Undefined: a user of the fixtures, or no user. */
  ownerOf(address: ChainAddress): string | undefined;
}

interface WatchList extends Watched {
  add(account: UserAccount): void;
  /** These VASPs are forgotten. They stay the owners of their addresses; the one account of the XRP Ledger is all users'. */
  leave(isForgotten: (vaspId: string) => boolean): void;
}

export function watchList(
  symbol: AssetSymbol,
  chains: UserChains,
  fixtures: readonly User[],
  assigned: readonly UserAccount[],
): WatchList {
  const accounts = new Set<string>();
  const owners = new Map<string, string>();
  const add = (account: UserAccount) => {
    const address = chainAddressOf(symbol, account, chains);
    accounts.add(address.account);
    owners.set(addressKey(address), account.vaspId);
  };
  assigned.forEach(add);
  for (const user of fixtures) {
    const address = chainAddressOf(symbol, user, chains);
    accounts.add(address.account);
    owners.delete(addressKey(address));
  }
  return {
    accounts,
    ownerOf: address => owners.get(addressKey(address)),
    add,
    leave(isForgotten) {
      for (const [key, owner] of owners) if (isForgotten(owner)) accounts.delete(key);
    },
  };
}
