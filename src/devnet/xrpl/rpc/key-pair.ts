import { decodeSeed, encodeSeed } from 'ripple-address-codec';
import * as keypairs from 'ripple-keypairs';
import { fromHex, sha512Half } from '../hash.ts';
import { invalidField, type Json, missingField, rpcError } from './errors.ts';

type KeyType = 'ed25519' | 'secp256k1';
export type KeyPair = ReturnType<typeof keypairs.deriveKeypair>;

/** The fields of a request that may hold a secret. */
export const SECRET_FIELDS = ['passphrase', 'secret', 'seed', 'seed_hex'];

/** The one secret in a request, of those fields. Undefined: there is none. */
function secretIn(params: Json, fields: readonly string[]): { field: string; value: string } | undefined {
  const [field, another] = fields.filter(name => params[name] !== undefined);
  if (field === undefined) return undefined;
  if (another !== undefined) {
    const names = `${fields.slice(0, -1).join(', ')} or ${fields.at(-1)}`;
    throw rpcError('invalidParams', `Exactly one of the following must be specified: ${names}`);
  }
  const value = params[field];
  if (typeof value !== 'string') throw invalidField(field, 'string');
  return { field, value };
}

export function keyPairOf(params: Json, apiVersion: 1 | 2): KeyPair {
  const secret = secretIn(params, SECRET_FIELDS);
  if (!secret) throw missingField('secret');
  const { field, value } = secret;
  const stated = statedKeyType(params, apiVersion);
  if (stated && field === 'secret')
    throw rpcError('invalidParams', 'The secret field is not allowed if key_type is used.');
  const ofEd25519 = field === 'seed_hex' ? undefined : ed25519Seed(value);
  if (ofEd25519 && stated === 'secp256k1') throw rpcError('badSeed', 'Specified seed is for an Ed25519 wallet.');
  if (!stated && !ofEd25519 && field !== 'secret') throw invalidField('secret', 'string');
  const entropy = ofEd25519 ?? entropyOf(stated ? field : 'secret', value);
  if (!entropy) throw rpcError('badSeed', stated ? undefined : `Invalid field '${field}'.`);
  return keyPair(entropy, ofEd25519 ? 'ed25519' : (stated ?? 'secp256k1'));
}

function statedKeyType({ key_type: type }: Json, apiVersion: 1 | 2): KeyType | undefined {
  if (type === undefined) return undefined;
  if (typeof type !== 'string') throw invalidField('key_type', 'string');
  if (type === 'ed25519' || type === 'secp256k1') return type;
  throw apiVersion > 1 ? rpcError('badKeyType') : invalidField('key_type');
}

/** Entropy of a seed that starts with `sEd`; undefined: it is another kind of text. */
function ed25519Seed(text: unknown): Uint8Array | undefined {
  const seed = typeof text === 'string' ? decoded(text) : undefined;
  return seed?.type === 'ed25519' ? seed.bytes : undefined;
}

function decoded(text: string): { bytes: Uint8Array; type: string | null } | undefined {
  try {
    return decodeSeed(text);
  } catch {
    return undefined;
  }
}

/** Sixteen bytes. A `secret` or `passphrase` may be a seed, hex digits or any other text. */
function entropyOf(field: string, value: string): Uint8Array | undefined {
  const ofHex = /^[0-9A-Fa-f]{32}$/.test(value) ? fromHex(value) : undefined;
  if (field === 'seed_hex') return ofHex;
  const seed = decoded(value)?.bytes;
  if (field === 'seed') return seed;
  if (value === '') return undefined;
  return ofHex ?? seed ?? sha512Half(Buffer.from(value)).subarray(0, 16);
}

const keyPair = (entropy: Uint8Array, type: KeyType): KeyPair => keypairs.deriveKeypair(encodeSeed(entropy, type));
