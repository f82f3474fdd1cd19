import type { ChainAddress } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { placeKey, placeOf, type UserChains } from './directory.ts';
import type { UserAccount } from './store.ts';
import type { User } from './user.ts';

export interface Watched {
  /** The canonical accounts of every VASP's users, removed ones too. A user that is added later stands in it at once. */
  readonly accounts: ReadonlySet<string>;
  /** The VASP that has added the user who is paid there; undefined: a user of the fixtures, or nobody. */
  ownerOf(to: ChainAddress): string | undefined;
}

export interface WatchBook extends Watched {
  add(account: UserAccount): void;
}

/** `given`: to users that VASPs have added. */
export function watchBook(
  symbol: AssetSymbol,
  chains: UserChains,
  fixtures: readonly User[],
  given: readonly UserAccount[],
): WatchBook {
  const accounts = new Set<string>();
  const owners = new Map<string, string>();
  const add = (account: UserAccount) => {
    const place = placeOf(symbol, account, chains);
    accounts.add(place.account);
    owners.set(placeKey(place), account.vaspId);
  };
  given.forEach(add);
  for (const user of fixtures) {
    const place = placeOf(symbol, user, chains);
    accounts.add(place.account);
    owners.delete(placeKey(place));
  }
  return { accounts, ownerOf: to => owners.get(placeKey(to)), add };
}
