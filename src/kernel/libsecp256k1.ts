import { setFlagsFromString } from 'node:v8';
import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js';
import type { Secp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1-types.js';

export type { Secp256k1 };

let started: Promise<Secp256k1> | undefined;

/** libsecp256k1 as WebAssembly: many times as fast as JavaScript, but it takes some tens of milliseconds to start. */
export function startLibsecp256k1(): Promise<Secp256k1> {
  // The server switches it off for other modules.
  setFlagsFromString('--wasm-dynamic-tiering');
  started ??= instantiateSecp256k1();
  return started;
}
