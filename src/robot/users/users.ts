import type { AssetSymbol } from '../../contract/assets.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { assignAccount, refuseAssignedAccounts } from './accounts.ts';
import { type UserChains, type UserDirectory, userDirectory } from './directory.ts';
import type { UserStore } from './store.ts';
import type { User, UserChange } from './user.ts';
import { applyChanges, changeableFields } from './view.ts';
import { type Watched, type WatchList, watchList } from './watched.ts';

/** The robot's users: those of the fixtures, as each VASP has changed them for itself alone. */
export interface Users {
  /** As this VASP has them. */
  of(vaspId: string): Promise<UserDirectory>;
  /** Where the robot is paid on this chain. */
  watched(symbol: AssetSymbol): Promise<Watched>;
  /** Where the words about a user come from; it is one that a directory has answered. */
  sourceOf(user: User): UserSource;
  /** Adds or changes. One that was added before has its accounts again. Throws `TooManyUsers`. */
  put(tx: Tx, vaspId: string, id: string, change: UserChange): void;
  /** False: this VASP has no such user. Where it is paid stays watched: what was begun is finished. */
  remove(tx: Tx, vaspId: string, id: string): boolean;
  /** The users are those of the fixtures again. */
  restoreFixtures(tx: Tx, vaspId: string): void;
}

export type UserSource = 'fixture' | 'changed' | 'added';

/** `chains` is asked when somebody asks for the first address. Throws `FixtureError`. */
export function createUsers(
  fixtures: readonly User[],
  store: UserStore,
  chains: () => Promise<UserChains>,
): Users {
  refuseAssignedAccounts(fixtures, store.accounts());
  const unchanged = new Set(fixtures);
  const fixtureIds = new Set(fixtures.map(({ id }) => id));
  const directories = new Map<string, UserDirectory>();
  const books = new Map<AssetSymbol, WatchList>();
  let shared: UserDirectory | undefined;

  const open = (vaspId: string, loaded: UserChains): UserDirectory => {
    const changes = store.changesOf(vaspId);
    if (changes.length === 0) {
      shared ??= userDirectory(fixtures, loaded);
      return shared;
    }
    const { users, removed } = applyChanges(fixtures, changes);
    return userDirectory(users, loaded, removed);
  };
  /** Before the commit the directory of before is true. */
  const changed = (tx: Tx, vaspId: string) => afterCommit(tx, () => void directories.delete(vaspId));

  return {
    async of(vaspId) {
      const loaded = await chains();
      const directory = directories.get(vaspId) ?? open(vaspId, loaded);
      directories.set(vaspId, directory);
      return directory;
    },
    async watched(symbol) {
      const loaded = await chains();
      const book = books.get(symbol) ?? watchList(symbol, loaded, fixtures, store.accounts());
      books.set(symbol, book);
      return book;
    },
    sourceOf: user => (unchanged.has(user) ? 'fixture' : fixtureIds.has(user.id) ? 'changed' : 'added'),
    put(tx, vaspId, id, change) {
      const account = fixtureIds.has(id)
        ? undefined
        : assignAccount(store, tx, fixtures, { vaspId, userId: id });
      store.save(tx, vaspId, { id, user: change, isRemoved: false });
      changed(tx, vaspId);
      if (!account) return;
      afterCommit(tx, () => {
        for (const book of books.values()) book.add(account);
      });
    },
    remove(tx, vaspId, id) {
      const user = applyChanges(fixtures, store.changesOf(vaspId)).users.find(each => each.id === id);
      if (!user) return false;
      store.save(tx, vaspId, { id, user: changeableFields(user), isRemoved: true });
      changed(tx, vaspId);
      return true;
    },
    restoreFixtures(tx, vaspId) {
      store.removeOf(tx, vaspId);
      changed(tx, vaspId);
    },
  };
}
