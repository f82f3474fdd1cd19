import type { Chain } from '../../chains/port.ts';
import { ASSET_SYMBOLS, ASSETS, type AssetSymbol, accountKey } from '../../contract/assets.ts';
import type { User } from './user.ts';

/** Which user an account belongs to (D-08). Depends on nothing but the users and the chains it is given. */
export interface UserDirectory {
  all(): readonly User[];
  byId(id: string): User | undefined;
  /** The user of an address as messages write it; a missing tag, where the ledger needs one, is no user. */
  find(symbol: AssetSymbol, address: string): User | undefined;
  /** As `find`, but says in plain words why there is no user. */
  lookup(symbol: AssetSymbol, address: string): Lookup;
  /** The user of a chain account in its canonical form, e.g. the recipient of an incoming transfer. */
  byAccount(symbol: AssetSymbol, account: string, tag?: number): User | undefined;
  /** The user's address per symbol, as messages write it: `0x…`, `r…:tag`. */
  accounts(user: User): Record<AssetSymbol, string>;
  /** The canonical accounts at which the robot is paid. */
  watched(symbol: AssetSymbol): ReadonlySet<string>;
}

export type Lookup = { user: User } | { user?: undefined; why: string };

export type UserChains = Readonly<Record<AssetSymbol, Pick<Chain, 'parseAddress' | 'ownAccount'>>>;

/** Accounts are derived on first use per symbol: making a directory is cheap. */
export function userDirectory(users: readonly User[], chains: UserChains): UserDirectory {
  const books = new Map<AssetSymbol, Book>();
  const book = (symbol: AssetSymbol) => {
    const known = books.get(symbol) ?? openBook(symbol, users, chains);
    books.set(symbol, known);
    return known;
  };
  const published = new Map(
    users.flatMap(user =>
      user.published
        ? ASSET_SYMBOLS.map(symbol => [publishedKey(symbol, user.published?.[symbol] ?? ''), user] as const)
        : [],
    ),
  );

  const lookup = (symbol: AssetSymbol, address: string): Lookup => {
    const parsed = chains[symbol].parseAddress(address);
    const user = parsed && book(symbol).owners.get(ownerKey(parsed.account, parsed.tag));
    if (user) return { user };
    const shown = published.get(publishedKey(symbol, address));
    if (shown) return { why: `the published address of ${shown.id}: its key is not held here` };
    if (!parsed) return { why: `not an address of ${symbol}` };
    if (!book(symbol).accounts.has(parsed.account)) return { why: 'not an account of the robot' };
    return {
      why:
        parsed.tag === undefined ? 'the destination tag is missing' : 'the destination tag is not of a user',
    };
  };

  return {
    all: () => users,
    byId: id => users.find(user => user.id === id),
    find: (symbol, address) => lookup(symbol, address).user,
    lookup,
    byAccount: (symbol, account, tag) => book(symbol).owners.get(ownerKey(account, tag)),
    accounts: user =>
      Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, addressOf(symbol, user, chains)])) as Record<
        AssetSymbol,
        string
      >,
    watched: symbol => book(symbol).accounts,
  };
}

interface Book {
  readonly accounts: ReadonlySet<string>;
  readonly owners: ReadonlyMap<string, User>;
}

function openBook(symbol: AssetSymbol, users: readonly User[], chains: UserChains): Book {
  const rows = users.map(user => {
    const parsed = chains[symbol].parseAddress(addressOf(symbol, user, chains));
    if (!parsed) throw new Error(`${symbol}: the own account ${user.walletIndex} is not an address`);
    return { ...parsed, user };
  });
  return {
    accounts: new Set(rows.map(row => row.account)),
    owners: new Map(rows.map(row => [ownerKey(row.account, row.tag), row.user])),
  };
}

const ownerKey = (account: string, tag: number | undefined) =>
  tag === undefined ? account : `${account}:${tag}`;

const publishedKey = (symbol: AssetSymbol, address: string) => `${symbol} ${accountKey(symbol, address)}`;

function addressOf(symbol: AssetSymbol, user: User, chains: UserChains): string {
  const account = chains[symbol].ownAccount(user.walletIndex);
  return ASSETS[symbol].destinationTag ? `${account}:${user.destinationTag}` : account;
}
