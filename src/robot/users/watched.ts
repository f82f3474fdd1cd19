import type { ChainAddress } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { addressKey, chainAddressOf, type UserChains } from './directory.ts';
import type { UserAccount } from './store.ts';
import type { User } from './user.ts';

export interface Watched {
  /**
   * The canonical accounts of all users of all VASPs, removed users too, but not of forgotten VASPs. A live set: an added
   * user appears at once.
   */
  readonly accounts: ReadonlySet<string>;
  /** The VASP that added the user of this address. Undefined: a user of the fixtures, or no user. */
  ownerOf(address: ChainAddress): string | undefined;
}

export interface WatchList extends Watched {
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
