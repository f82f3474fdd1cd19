import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js';

/** `signature`: DER with a low S. `hash`: the 32 bytes that were signed. */
export type VerifyHash = (signature: Uint8Array, publicKey: Uint8Array, hash: Uint8Array) => boolean;

/** libsecp256k1 as WebAssembly: a third of node's time for a signature, but some tens of milliseconds to start. */
export async function startLibsecp256k1(): Promise<VerifyHash> {
  const { verifySignatureDERLowS } = await instantiateSecp256k1();
  return verifySignatureDERLowS;
}
