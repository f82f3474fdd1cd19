import { instantiateSecp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1.js';
import type { Secp256k1 } from '@bitauth/libauth/build/lib/crypto/secp256k1-types.js';

export type { Secp256k1 };

let started: Promise<Secp256k1> | undefined;

/** libsecp256k1 as WebAssembly: many times as fast as JavaScript, but it takes some tens of milliseconds to start. */
export const startLibsecp256k1 = (): Promise<Secp256k1> => (started ??= instantiateSecp256k1());
