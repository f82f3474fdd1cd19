import { randomBytes } from 'node:crypto';
import { encodeAccountPublic, encodeSeed } from 'ripple-address-codec';
import { keyToRFC1751Mnemonic } from 'xrpl/dist/npm/Wallet/rfc1751.js';
import { addressOfKey } from '../addresses.ts';
import { fromHex, toHex } from '../hash.ts';
import { invalidField, type Json, rpcError } from './errors.ts';
import { ed25519Seed, entropyOf, type KeyType, keyPair, secretIn } from './key-pair.ts';
import type { RpcRequest } from './request.ts';

/** New keys, or the keys of a given seed. For admins only. */
export function walletPropose({ params, admin }: RpcRequest): Json {
  if (!admin) throw rpcError('forbidden');
  const { passphrase, seed } = params;
  const ofEd25519 = ed25519Seed(passphrase ?? seed);
  const type = keyTypeOf(params, ofEd25519 !== undefined);
  const entropy = ofEd25519 ?? givenEntropy(params) ?? randomBytes(16);
  const { publicKey } = keyPair(entropy, type);
  const encoded = {
    master_key: keyToRFC1751Mnemonic(toHex(entropy)),
    master_seed: encodeSeed(Buffer.from(entropy), 'secp256k1'),
    master_seed_hex: toHex(entropy),
  };
  return {
    account_id: addressOfKey(fromHex(publicKey)),
    key_type: type,
    ...encoded,
    public_key: encodeAccountPublic(fromHex(publicKey)),
    public_key_hex: publicKey,
    ...(ofEd25519 ? {} : warningFor(passphrase, Object.values(encoded))),
  };
}

function keyTypeOf({ key_type: type }: Json, isEd25519Seed: boolean): KeyType {
  if (type !== undefined && typeof type !== 'string') throw invalidField('key_type', 'string');
  if (type !== undefined && type !== 'ed25519' && type !== 'secp256k1') throw rpcError('invalidParams');
  if (isEd25519Seed && type === 'secp256k1') throw rpcError('badSeed');
  return isEd25519Seed ? 'ed25519' : (type ?? 'secp256k1');
}

function givenEntropy(params: Json): Uint8Array | undefined {
  const secret = secretIn(params, ['passphrase', 'seed', 'seed_hex']);
  if (!secret) return undefined;
  const entropy = entropyOf(secret.field, secret.value);
  if (!entropy) throw rpcError('badSeed');
  return entropy;
}

const SAFE_BITS = 80;
const WARNING = 'This wallet was generated using a user-supplied passphrase';

/** A passphrase that is no encoded seed can be guessed. */
function warningFor(passphrase: unknown, encoded: readonly string[]): Json {
  if (typeof passphrase !== 'string' || encoded.includes(passphrase)) return {};
  const warning =
    entropyBits(passphrase) < SAFE_BITS
      ? `${WARNING} that has low entropy and is vulnerable to brute-force attacks.`
      : `${WARNING}. It may be vulnerable to brute-force attacks.`;
  return { warning };
}

function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values()) bits -= count * Math.log2(count / text.length);
  return Math.floor(bits);
}
