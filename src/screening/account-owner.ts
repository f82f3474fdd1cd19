import * as z from 'zod';
import { splitAddress } from '../contract/assets.ts';

/**
 * Names of accounts in data: by address, by a user of the robot, or by all users of one behaviour. Users' addresses
 * differ between installations, so a list can only name the user.
 */
export const AccountOwner = z.union([
  z.strictObject({ address: z.string().min(1) }),
  z.strictObject({ user: z.string().min(1) }),
  z.strictObject({ behaviour: z.string().min(1) }),
]);
export type AccountOwner = z.infer<typeof AccountOwner>;

export interface Holder {
  id: string;
  behaviour: string;
}
/** The user of the robot that holds an account, if one does. */
export type HolderOf = (asset: string, address: string) => Promise<Holder | undefined>;

/** The keys that match an address: the whole address, and the address without its tag (WIRE-6.1). */
export function addressKeys(address: string): string[] {
  const key = addressKey(address);
  const [account] = splitAddress(key);
  return account === key ? [key] : [key, account];
}

/** D-08: hexadecimal addresses ignore case, all others are exact. */
export const addressKey = (address: string): string =>
  /^0x[0-9a-f]+$/i.test(address) ? address.toLowerCase() : address;

export function isOwnedBy(owner: AccountOwner, address: string, holder: Holder | undefined): boolean {
  if ('address' in owner) return addressKeys(address).includes(addressKey(owner.address));
  return 'user' in owner ? holder?.id === owner.user : holder?.behaviour === owner.behaviour;
}
