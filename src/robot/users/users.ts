import { distance } from 'fastest-levenshtein';
import type { AddressForm } from '../../chains/payments.ts';
import type { Chain, ChainAddress } from '../../chains/port.ts';
import { ASSETS, type AssetSymbol, accountKey, addressText } from '../../contract/assets.ts';
import { refusals } from '../../contract/refusals.ts';
import { isClosing } from '../../db/closing.ts';
import type { Db } from '../../db/open.ts';
import { afterCommit, type Tx } from '../../db/transaction.ts';
import { pick } from '../../kernel/members.ts';
import { percentDecoded } from '../../kernel/text.ts';
import { FixtureError } from '../../kernel/text-file.ts';
import type { StoredChange, UserAccount } from './store.ts';
import * as userRows from './store.ts';
import type { User, UserChange } from './user.ts';

/** D-08: which user an address belongs to. */
export type UserDirectory = ReturnType<typeof userDirectory>;

/** `nearest`: an address of a user that differs only by a typo or a missing tag. */
export type Lookup = { user: User } | { user?: undefined; why: string; nearest?: string | undefined };

export type UserChains = Readonly<Record<AssetSymbol, Pick<Chain, 'parseAddress' | 'otherForm' | 'ownAccount'>>>;

/** Derives the accounts of a ledger on first use, so that a directory is cheap to create. */
export function userDirectory(users: readonly User[], chains: UserChains, removed: readonly User[] = []) {
  const isRemoved = new Set(removed);
  const everyone = [...removed, ...users];
  const indexes = new Map<AssetSymbol, ReadonlyMap<string, User>>();
  const ownersOn = (symbol: AssetSymbol) => {
    const owners =
      indexes.get(symbol) ?? new Map(everyone.map(user => [addressKey(ownAddress(symbol, user, chains)), user]));
    indexes.set(symbol, owners);
    return owners;
  };
  const findEver = (symbol: AssetSymbol, address: string): User | undefined => {
    const parsed = chains[symbol].parseAddress(address);
    return parsed && ownersOn(symbol).get(addressKey(parsed));
  };
  const shown = (symbol: AssetSymbol, user: User): string => {
    const { account, tag } = ownAddress(symbol, user, chains);
    return addressText(account, tag);
  };

  function lookup(symbol: AssetSymbol, address: string): Lookup {
    const user = findEver(symbol, address);
    if (user) return isRemoved.has(user) ? { why: `${user.id} was removed` } : { user };
    const form = formOf(chains[symbol], address);
    const meant = form && findEver(symbol, form.address);
    if (meant && !isRemoved.has(meant)) return { why: `it is ${form.name}`, nearest: shown(symbol, meant) };
    const addresses = users.map(each => shown(symbol, each));
    return form
      ? { why: `it is ${form.name}: send ${form.address}`, nearest: nearestOf(symbol, addresses, form.address) }
      : { why: whyNoUser(symbol, address), nearest: nearestOf(symbol, addresses, address) };
  }

  function whyNoUser(symbol: AssetSymbol, address: string): string {
    const key = accountKey(symbol, address);
    const publishedBy = users.find(({ published }) => published && accountKey(symbol, published[symbol]) === key);
    if (publishedBy) return `the published address of ${publishedBy.id}: the robot does not have its key`;
    const parsed = chains[symbol].parseAddress(address);
    if (!parsed) return `not an address of ${symbol}`;
    const isOwn = everyone.some(user => ownAddress(symbol, user, chains).account === parsed.account);
    if (!isOwn) return 'not an account of the robot';
    return parsed.tag === undefined ? 'the destination tag is missing' : 'no user has this destination tag';
  }

  return {
    all: (): readonly User[] => users,
    byId: (id: string): User | undefined => users.find(user => user.id === id),
    /** The user of an address as messages write it. Undefined also where the ledger needs a tag and it is missing. */
    find: (symbol: AssetSymbol, address: string): User | undefined => lookup(symbol, address).user,
    /** As `find`, with the reason where there is no user. */
    lookup,
    /** As `find`, removed users too: a verification or transfer may have begun with them. */
    findIncludingRemoved: findEver,
    /** The user's address per symbol, as people copy it: `0x…` with its checksum, `r…:tag`. */
    accounts: (user: User) => ({ ETH: shown('ETH', user), XRP: shown('XRP', user) }),
  };
}

const ESCAPED = /(?:%[0-9a-f]{2})+/gi;

/** Copied text may be escaped for a URL, or in the wide characters of a Korean or Japanese keyboard. */
function formOf(chain: UserChains[AssetSymbol], address: string): AddressForm | undefined {
  const plain = address.replace(ESCAPED, percentDecoded).normalize('NFKC').trim();
  if (plain === address.trim()) return chain.otherForm(address);
  const name = 'an address in other characters';
  return chain.otherForm(plain) ?? (chain.parseAddress(plain) ? { name, address: plain } : undefined);
}

/** Most characters of a near miss that may be wrong, missing or surplus. */
const MAX_TYPOS = 3;

function nearestOf(symbol: AssetSymbol, addresses: readonly string[], address: string): string | undefined {
  const key = accountKey(symbol, address);
  const typosIn = (each: string) => distance(accountKey(symbol, each), key);
  return addresses.find(each => each.startsWith(`${address}:`)) ?? addresses.find(each => typosIn(each) <= MAX_TYPOS);
}

/** The address of a user. */
function ownAddress(
  symbol: AssetSymbol,
  { walletIndex, destinationTag }: Pick<User, 'walletIndex' | 'destinationTag'>,
  chains: UserChains,
): ChainAddress {
  const account = chains[symbol].ownAccount(walletIndex);
  return ASSETS[symbol].destinationTag ? { account, tag: destinationTag } : { account };
}

const addressKey = ({ account, tag }: ChainAddress): string => (tag === undefined ? account : `${account}:${tag}`);

/** Far above the numbers of the fixtures, so that a longer fixture file rarely needs an assigned account. */
const FIRST = { walletIndex: 1_000, destinationTag: 1_000_000_000 } as const;
/** Per VASP. A removed user counts too, because its account stays watched. */
export const MAX_ADDED_USERS = 1_000;
const TOO_MANY_USERS = `is refused because this VASP has used ${MAX_ADDED_USERS} ids already. Take one of them`;
const NUMBERS = ['walletIndex', 'destinationTag'] as const;

/** Assigns the next free account to a user that a VASP adds. Undefined: it has one already. Throws `Refusal` invalid-field. */
function assignAccount(
  tx: Tx,
  fixtures: readonly User[],
  { vaspId, userId }: Pick<UserAccount, 'vaspId' | 'userId'>,
): UserAccount | undefined {
  if (userRows.hasAccount(tx, vaspId, userId)) return undefined;
  if (userRows.countAccounts(tx, vaspId) >= MAX_ADDED_USERS) throw refusals.invalidField('id', TOO_MANY_USERS);
  const assigned = userRows.accounts(tx);
  const [walletIndex, destinationTag] = NUMBERS.map(number => nextFree(number, fixtures, assigned));
  const account = { vaspId, userId, walletIndex: walletIndex!, destinationTag: destinationTag! };
  userRows.insertAccount(tx, account);
  return account;
}

function nextFree(
  number: (typeof NUMBERS)[number],
  fixtures: readonly User[],
  assigned: readonly UserAccount[],
): number {
  const used = new Set(fixtures.map(user => user[number]));
  let next = assigned.reduce((highest, account) => Math.max(highest, account[number]), FIRST[number] - 1) + 1;
  while (used.has(next)) next++;
  return next;
}

/** A fixture file may change between two starts. Throws `FixtureError` where it uses an assigned account. */
function refuseAssignedAccounts(fixtures: readonly User[], assigned: readonly UserAccount[]): void {
  const clashes = fixtures.flatMap(user =>
    NUMBERS.filter(number =>
      assigned.some(account => account[number] === user[number] && account.userId !== user.id),
    ).map(number => `  - ${user.id}: ${number} ${user[number]}`),
  );
  if (clashes.length === 0) return;
  throw new FixtureError(
    `users.json uses numbers of users that were added through the API. Choose other numbers:\n${clashes.join('\n')}`,
  );
}

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
    /** Adds or changes a user. A removed user that is added again gets its old account. Throws `Refusal` invalid-field. */
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

/**
 * The users of the fixtures in their order, then those that the VASP added. `removed`: verifications and transfers that
 * began before the removal still need them.
 */
function applyChanges(fixtures: readonly User[], changes: readonly StoredChange[]) {
  const changed = new Map(changes.map(change => [change.id, change]));
  const fixtureIds = new Set(fixtures.map(({ id }) => id));
  const all = [
    ...fixtures.map(fixture => {
      const { user, isRemoved = false } = changed.get(fixture.id) ?? {};
      return { user: user ? ({ ...fixture, ...user } as User) : fixture, isRemoved };
    }),
    ...changes
      .filter(({ id }) => !fixtureIds.has(id))
      .map(({ id, user, isRemoved, account }) => {
        return { user: { id, ...user, ...pick(account!, 'walletIndex', 'destinationTag') } as User, isRemoved };
      }),
  ];
  return {
    users: all.filter(({ isRemoved }) => !isRemoved).map(({ user }) => user),
    removed: all.filter(({ isRemoved }) => isRemoved).map(({ user }) => user),
  };
}

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

function watchList(
  symbol: AssetSymbol,
  chains: UserChains,
  fixtures: readonly User[],
  assigned: readonly UserAccount[],
): WatchList {
  const accounts = new Set<string>();
  const owners = new Map<string, string>();
  const add = (account: UserAccount) => {
    const address = ownAddress(symbol, account, chains);
    accounts.add(address.account);
    owners.set(addressKey(address), account.vaspId);
  };
  assigned.forEach(add);
  for (const user of fixtures) {
    const address = ownAddress(symbol, user, chains);
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
