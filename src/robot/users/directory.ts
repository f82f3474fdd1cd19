import { distance } from 'fastest-levenshtein';
import type { AddressForm } from '../../chains/payments.ts';
import type { Chain, ChainAddress } from '../../chains/port.ts';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol, accountKey, addressText } from '../../contract/assets.ts';
import type { Tx } from '../../db/transaction.ts';
import { percentDecoded } from '../../kernel/text.ts';
import { FixtureError } from '../../kernel/text-file.ts';
import type { UserAccount } from './store.ts';
import * as userRows from './store.ts';
import type { User } from './user.ts';

/** D-08: which user an address belongs to. */
export type UserDirectory = ReturnType<typeof userDirectory>;

/** `nearest`: an address of a user that differs only by a typo or a missing tag. */
export type Lookup = { user: User } | { user?: undefined; why: string; nearest?: string };

export type UserChains = Readonly<Record<AssetSymbol, Pick<Chain, 'parseAddress' | 'otherForm' | 'ownAccount'>>>;

/** Derives the accounts of a ledger on first use, so that a directory is cheap to create. */
export function userDirectory(users: readonly User[], chains: UserChains, removed: readonly User[] = []) {
  const indexes = new Map<AssetSymbol, AccountIndex>();
  const indexOf = (symbol: AssetSymbol) => {
    const index = indexes.get(symbol) ?? indexAccounts(symbol, [...removed, ...users], chains);
    indexes.set(symbol, index);
    return index;
  };
  const published = new Map(
    users.flatMap(user =>
      user.published
        ? ASSET_SYMBOLS.map(symbol => [publishedKey(symbol, user.published?.[symbol] ?? ''), user] as const)
        : [],
    ),
  );
  const findEver = (symbol: AssetSymbol, address: string): User | undefined => {
    const parsed = chains[symbol].parseAddress(address);
    return parsed && indexOf(symbol).owners.get(addressKey(parsed));
  };
  const people: People = { users, chains, published, indexOf, findEver, isRemoved: new Set(removed) };

  return {
    all: (): readonly User[] => users,
    byId: (id: string): User | undefined => users.find(user => user.id === id),
    /** The user of an address as messages write it. Undefined also where the ledger needs a tag and it is missing. */
    find: (symbol: AssetSymbol, address: string): User | undefined => lookup(people, symbol, address).user,
    /** As `find`, with the reason where there is no user. */
    lookup: (symbol: AssetSymbol, address: string): Lookup => lookup(people, symbol, address),
    /** As `find`, removed users too: a verification or transfer may have begun with them. */
    findIncludingRemoved: findEver,
    /** The user's address per symbol, as people copy it: `0x…` with its checksum, `r…:tag`. */
    accounts: (user: User) =>
      Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, shownAddress(symbol, user, chains)])) as Record<
        AssetSymbol,
        string
      >,
  };
}

interface People {
  users: readonly User[];
  chains: UserChains;
  published: ReadonlyMap<string, User>;
  indexOf(symbol: AssetSymbol): AccountIndex;
  findEver(symbol: AssetSymbol, address: string): User | undefined;
  isRemoved: ReadonlySet<User>;
}

function lookup(people: People, symbol: AssetSymbol, address: string): Lookup {
  const { users, chains, findEver, isRemoved } = people;
  const user = findEver(symbol, address);
  if (user && isRemoved.has(user)) return { why: `${user.id} was removed` };
  if (user) return { user };
  const addresses = users.map(each => shownAddress(symbol, each, chains));
  const form = formOf(chains[symbol], address);
  if (!form) return { why: whyNoUser(people, symbol, address), ...nearestOf(symbol, addresses, address) };
  const meant = findEver(symbol, form.address);
  const why = `it is ${form.name}: send ${form.address}`;
  return meant && !isRemoved.has(meant)
    ? { why: `it is ${form.name}`, nearest: shownAddress(symbol, meant, chains) }
    : { why, ...nearestOf(symbol, addresses, form.address) };
}

const ESCAPED = /(?:%[0-9a-f]{2})+/gi;

/** Copied text may be escaped for a URL, or in the wide characters of a Korean or Japanese keyboard. */
function formOf(chain: UserChains[AssetSymbol], address: string): AddressForm | undefined {
  const plain = address.replace(ESCAPED, percentDecoded).normalize('NFKC').trim();
  if (plain === address.trim()) return chain.otherForm(address);
  const name = 'an address in other characters';
  return chain.otherForm(plain) ?? (chain.parseAddress(plain) ? { name, address: plain } : undefined);
}

function whyNoUser({ published, chains, indexOf }: People, symbol: AssetSymbol, address: string): string {
  const publishedBy = published.get(publishedKey(symbol, address));
  if (publishedBy) return `the published address of ${publishedBy.id}: the robot does not have its key`;
  const parsed = chains[symbol].parseAddress(address);
  if (!parsed) return `not an address of ${symbol}`;
  if (!indexOf(symbol).accounts.has(parsed.account)) return 'not an account of the robot';
  return parsed.tag === undefined ? 'the destination tag is missing' : 'no user has this destination tag';
}

/** Most characters of a near miss that may be wrong, missing or surplus. */
const MAX_TYPOS = 3;

function nearestOf(symbol: AssetSymbol, addresses: readonly string[], address: string): { nearest?: string } {
  const key = accountKey(symbol, address);
  const typosIn = (each: string) => distance(accountKey(symbol, each), key);
  const nearest =
    addresses.find(each => each.startsWith(`${address}:`)) ?? addresses.find(each => typosIn(each) <= MAX_TYPOS);
  return nearest === undefined ? {} : { nearest };
}

interface AccountIndex {
  readonly accounts: ReadonlySet<string>;
  readonly owners: ReadonlyMap<string, User>;
}

function indexAccounts(symbol: AssetSymbol, users: readonly User[], chains: UserChains): AccountIndex {
  const rows = users.map(user => ({ user, address: chainAddressOf(symbol, user, chains) }));
  return {
    accounts: new Set(rows.map(({ address }) => address.account)),
    owners: new Map(rows.map(({ user, address }) => [addressKey(address), user])),
  };
}

type OwnAccount = Pick<User, 'walletIndex' | 'destinationTag'>;

/** The address of a user in the chain's canonical form. */
export function chainAddressOf(symbol: AssetSymbol, account: OwnAccount, chains: UserChains): ChainAddress {
  const address = chains[symbol].parseAddress(addressOf(symbol, account, chains));
  if (!address) throw new Error(`${symbol}: the own account ${account.walletIndex} is not an address`);
  return address;
}

function shownAddress(symbol: AssetSymbol, account: OwnAccount, chains: UserChains): string {
  return withTag(symbol, addressText(chains[symbol].ownAccount(account.walletIndex)), account);
}

export const addressKey = ({ account, tag }: ChainAddress): string =>
  tag === undefined ? account : `${account}:${tag}`;

const publishedKey = (symbol: AssetSymbol, address: string) => `${symbol} ${accountKey(symbol, address)}`;

function addressOf(symbol: AssetSymbol, account: OwnAccount, chains: UserChains): string {
  return withTag(symbol, chains[symbol].ownAccount(account.walletIndex), account);
}

const withTag = (symbol: AssetSymbol, account: string, { destinationTag }: OwnAccount): string =>
  ASSETS[symbol].destinationTag ? `${account}:${destinationTag}` : account;

/** Far above the numbers of the fixtures, so that a longer fixture file rarely needs an assigned account. */
const FIRST = { walletIndex: 1_000, destinationTag: 1_000_000_000 } as const;
/** Per VASP. A removed user counts too, because its account stays watched. */
export const MAX_ADDED_USERS = 1_000;
const NUMBERS = ['walletIndex', 'destinationTag'] as const;

/** This VASP has added `MAX_ADDED_USERS` users. */
export class TooManyUsers extends Error {
  override readonly name = 'TooManyUsers';
}

/** Assigns the next free account to a user that a VASP adds. Undefined: it has one already. Throws `TooManyUsers`. */
export function assignAccount(
  tx: Tx,
  fixtures: readonly User[],
  { vaspId, userId }: Pick<UserAccount, 'vaspId' | 'userId'>,
): UserAccount | undefined {
  if (userRows.hasAccount(tx, vaspId, userId)) return undefined;
  if (userRows.countAccounts(tx, vaspId) >= MAX_ADDED_USERS) throw new TooManyUsers();
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
export function refuseAssignedAccounts(fixtures: readonly User[], assigned: readonly UserAccount[]): void {
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
