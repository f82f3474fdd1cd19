import { distance } from 'fastest-levenshtein';
import type { Chain, ChainAddress } from '../../chains/port.ts';
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
  /** As `find`, removed users too: for what was begun with them. */
  findIncludingRemoved(symbol: AssetSymbol, address: string): User | undefined;
  /** The user of a chain account in its canonical form, removed ones too. */
  byAccount(symbol: AssetSymbol, account: string, tag?: number): User | undefined;
  /** The user's address per symbol, as messages write it: `0x…`, `r…:tag`. */
  accounts(user: User): Record<AssetSymbol, string>;
}

/** `nearest`: an address of a user from which the given one differs in little, or lacks something. */
export type Lookup = { user: User } | { user?: undefined; why: string; nearest?: string };

export type UserChains = Readonly<Record<AssetSymbol, Pick<Chain, 'parseAddress' | 'ownAccount'>>>;

/** Accounts are derived on first use per symbol: making a directory is cheap. */
export function userDirectory(
  users: readonly User[],
  chains: UserChains,
  removed: readonly User[] = [],
): UserDirectory {
  const books = new Map<AssetSymbol, AccountIndex>();
  const book = (symbol: AssetSymbol) => {
    const known = books.get(symbol) ?? indexAccounts(symbol, [...removed, ...users], chains);
    books.set(symbol, known);
    return known;
  };
  const isRemoved = new Set(removed);
  const published = new Map(
    users.flatMap(user =>
      user.published
        ? ASSET_SYMBOLS.map(symbol => [publishedKey(symbol, user.published?.[symbol] ?? ''), user] as const)
        : [],
    ),
  );

  const findEver = (symbol: AssetSymbol, address: string): User | undefined => {
    const parsed = chains[symbol].parseAddress(address);
    return parsed && book(symbol).owners.get(addressKey(parsed));
  };

  const lookup = (symbol: AssetSymbol, address: string): Lookup => {
    const user = findEver(symbol, address);
    if (user && isRemoved.has(user)) return { why: `${user.id} was removed` };
    if (user) return { user };
    const own = users.map(each => addressOf(symbol, each, chains));
    return { why: whyNobody(symbol, address), ...nearestOf(symbol, own, address) };
  };

  function whyNobody(symbol: AssetSymbol, address: string): string {
    const shown = published.get(publishedKey(symbol, address));
    if (shown) return `the published address of ${shown.id}: its key is not held here`;
    const parsed = chains[symbol].parseAddress(address);
    if (!parsed) return `not an address of ${symbol}`;
    if (!book(symbol).accounts.has(parsed.account)) return 'not an account of the robot';
    return parsed.tag === undefined
      ? 'the destination tag is missing'
      : 'the destination tag is not of a user';
  }

  return {
    all: () => users,
    byId: id => users.find(user => user.id === id),
    find: (symbol, address) => lookup(symbol, address).user,
    lookup,
    findIncludingRemoved: findEver,
    byAccount: (symbol, account, tag) =>
      book(symbol).owners.get(addressKey(tag === undefined ? { account } : { account, tag })),
    accounts: user =>
      Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, addressOf(symbol, user, chains)])) as Record<
        AssetSymbol,
        string
      >,
  };
}

/** So many characters may be wrong, missing or too many. */
const TYPOS = 3;

function nearestOf(symbol: AssetSymbol, own: readonly string[], address: string): { nearest?: string } {
  const given = accountKey(symbol, address);
  const steps = (each: string) => distance(accountKey(symbol, each), given);
  const nearest = own.find(each => each.startsWith(`${address}:`)) ?? own.find(each => steps(each) <= TYPOS);
  return nearest === undefined ? {} : { nearest };
}

interface AccountIndex {
  readonly accounts: ReadonlySet<string>;
  readonly owners: ReadonlyMap<string, User>;
}

function indexAccounts(symbol: AssetSymbol, users: readonly User[], chains: UserChains): AccountIndex {
  const rows = users.map(user => ({ user, place: chainAddressOf(symbol, user, chains) }));
  return {
    accounts: new Set(rows.map(({ place }) => place.account)),
    owners: new Map(rows.map(({ user, place }) => [addressKey(place), user])),
  };
}

type OwnAccount = Pick<User, 'walletIndex' | 'destinationTag'>;

/** Where such a user is paid, in the chain's canonical form. */
export function chainAddressOf(symbol: AssetSymbol, account: OwnAccount, chains: UserChains): ChainAddress {
  const place = chains[symbol].parseAddress(addressOf(symbol, account, chains));
  if (!place) throw new Error(`${symbol}: the own account ${account.walletIndex} is not an address`);
  return place;
}

export const addressKey = ({ account, tag }: ChainAddress): string =>
  tag === undefined ? account : `${account}:${tag}`;

const publishedKey = (symbol: AssetSymbol, address: string) => `${symbol} ${accountKey(symbol, address)}`;

function addressOf(
  symbol: AssetSymbol,
  { walletIndex, destinationTag }: OwnAccount,
  chains: UserChains,
): string {
  const account = chains[symbol].ownAccount(walletIndex);
  return ASSETS[symbol].destinationTag ? `${account}:${destinationTag}` : account;
}
