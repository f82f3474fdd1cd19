import { createHash } from 'node:crypto';
import { coreTypes } from 'ripple-binary-codec';

const { AccountID } = coreTypes as unknown as {
  AccountID: typeof import('ripple-binary-codec/dist/types/account-id').AccountID;
};
const CACHE_LIMIT = 20_000;
const idsByAddress = new Map<string, Buffer>();

/** Classic address -> its 20 bytes; undefined: it is no address. */
export function accountId(address: unknown): Buffer | undefined {
  if (typeof address !== 'string' || address.length > 35 || address[0] !== 'r') return undefined;
  const cached = idsByAddress.get(address);
  if (cached) return cached;
  try {
    const id = Buffer.from(AccountID.from(address).toBytes());
    if (idsByAddress.size >= CACHE_LIMIT) idsByAddress.clear();
    idsByAddress.set(address, id);
    return id;
  } catch {
    return undefined;
  }
}

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
