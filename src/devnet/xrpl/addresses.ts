import { createHash } from 'node:crypto';
import { decodeAccountID, encodeAccountID } from 'ripple-address-codec';
import { remember } from '../../kernel/rate-limit.ts';

const CACHE_LIMIT = 20_000;

/** Classic address -> its 20 bytes; undefined: it is no address. */
export function accountId(address: unknown): Buffer | undefined {
  if (typeof address !== 'string' || address.length > 35 || address[0] !== 'r') return undefined;
  return idOfAddress(address);
}

const idOfAddress = remember(CACHE_LIMIT, address => {
  try {
    return Buffer.from(decodeAccountID(address));
  } catch {
    return undefined;
  }
});

/** For an address that is valid. Throws otherwise. */
export function requireAccountId(address: string): Buffer {
  const id = accountId(address);
  if (!id) throw new Error(`not an address: ${address}`);
  return id;
}

/** Signers and signer entries are sorted by account id. */
export const compareAccounts = (a: string, b: string): number => requireAccountId(a).compare(requireAccountId(b));

/** Public key (33 bytes, as in SigningPubKey) -> the classic address that it controls as master key. */
export function addressOfKey(publicKey: Uint8Array): string {
  const id = createHash('ripemd160').update(createHash('sha256').update(publicKey).digest()).digest();
  return encodeAccountID(id);
}

export const ZERO_ADDRESS = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';
