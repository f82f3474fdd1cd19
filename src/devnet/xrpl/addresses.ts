import { createHash } from 'node:crypto';
import { coreTypes } from 'ripple-binary-codec';
import { remember } from '../../kernel/remember.ts';

const { AccountID } = coreTypes as unknown as {
  AccountID: typeof import('ripple-binary-codec/dist/types/account-id').AccountID;
};
const CACHE_LIMIT = 20_000;

/** Classic address -> its 20 bytes; undefined: it is no address. */
export function accountId(address: unknown): Buffer | undefined {
  if (typeof address !== 'string' || address.length > 35 || address[0] !== 'r') return undefined;
  return idOfAddress(address);
}

const idOfAddress = remember(CACHE_LIMIT, address => {
  try {
    return Buffer.from(AccountID.from(address).toBytes());
  } catch {
    return undefined;
  }
});

/** The 20 bytes of an account as characters of Latin-1 -> its classic address. */
export const addressOfId = remember(
  CACHE_LIMIT,
  id => new AccountID(Buffer.from(id, 'latin1')).toJSON() as string,
);

/** For an address that is valid. Throws otherwise. */
export function requireAccountId(address: string): Buffer {
  const id = accountId(address);
  if (!id) throw new Error(`not an address: ${address}`);
  return id;
}

/** Public key (33 bytes, as in SigningPubKey) -> the classic address that it controls as master key. */
export function addressOfKey(publicKey: Uint8Array): string {
  const id = createHash('ripemd160').update(createHash('sha256').update(publicKey).digest()).digest();
  return new AccountID(id).toJSON() as string;
}

export const ZERO_ADDRESS = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
