import type { ChainAddress } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { addressKey, chainAddressOf, type UserChains } from './directory.ts';
import type { UserAccount } from './store.ts';
import type { User } from './user.ts';

export interface Watched {
  /** The canonical accounts of every VASP's users, removed ones too. A user that is added later stands in it at once. */
  readonly accounts: ReadonlySet<string>;
  /** The VASP that has added the user who is paid there; undefined: a user of the fixtures, or nobody. */
  ownerOf(to: ChainAddress): string | undefined;
}

export interface WatchList extends Watched {
  add(account: UserAccount): void;
}

/** `given`: to users that VASPs have added. */
export function watchList(
  symbol: AssetSymbol,
  chains: UserChains,
  fixtures: readonly User[],
  given: readonly UserAccount[],
): WatchList {
  const accounts = new Set<string>();
  const owners = new Map<string, string>();
  const add = (account: UserAccount) => {
    const place = chainAddressOf(symbol, account, chains);
    accounts.add(place.account);
    owners.set(addressKey(place), account.vaspId);
  };
  given.forEach(add);
  for (const user of fixtures) {
    const place = chainAddressOf(symbol, user, chains);
    accounts.add(place.account);
    owners.delete(addressKey(place));
  }
  return { accounts, ownerOf: to => owners.get(addressKey(to)), add };
}
