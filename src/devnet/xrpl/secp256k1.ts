import { type KeyObject, verify } from 'node:crypto';
import { setFlagsFromString } from 'node:v8';
import { sha512Half } from './hash.ts';

/** `signature`: DER with a low S. `hash`: the 32 bytes that were signed. */
type VerifyHash = (signature: Uint8Array, publicKey: Uint8Array, hash: Uint8Array) => boolean;

export interface PublicKey {
  /** As in SigningPubKey, without the first byte of an ed25519 key. */
  readonly point: Buffer;
  readonly object: KeyObject;
}

/** A ledger that verifies few signatures does not need the faster library. */
const FEW = 20;
let verified = 0;
let verifyHash: VerifyHash | undefined;

/**
 * The ledger signs the first half of a SHA-512. ECDSA takes the same half of a digest that is longer than the curve's
 * order, so node verifies it too. `signature`: strict DER with a low S.
 */
export function verifySecp256k1(message: Buffer, signature: Buffer, key: PublicKey): boolean {
  if (verifyHash) return verifyHash(signature, key.point, sha512Half(message));
  verified += 1;
  if (verified === FEW) void startLibrary();
  return verify('sha512', message, key.object, signature);
}

/** libsecp256k1 as WebAssembly takes some tens of milliseconds to start. Node goes on verifying if it cannot. */
export async function startLibrary(): Promise<void> {
  try {
    const { instantiateSecp256k1 } = await import('@bitauth/libauth/build/lib/crypto/secp256k1.js');
    // The server switches it off for other modules.
    setFlagsFromString('--wasm-dynamic-tiering');
    verifyHash = (await instantiateSecp256k1()).verifySignatureDERLowS;
  } catch {
    verifyHash = undefined;
  }
}
