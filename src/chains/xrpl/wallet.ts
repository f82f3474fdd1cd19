import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import { decodeSeed, deriveAddress, ECDSA, isValidSecret, Wallet } from 'xrpl';

/** The robot's one account. A seed `sEd…` is Ed25519, any other `s…` is secp256k1. */
export interface XrplWallet {
  readonly address: string;
  /** With the keys. Created for the first signature, because the library is slow at it. */
  wallet(): Wallet;
}

export function xrplWallet(seed: string): XrplWallet {
  let made: Wallet | undefined;
  const wallet = () => {
    made ??= Wallet.fromSeed(seed, { algorithm: isEd25519(seed) ? ECDSA.ed25519 : ECDSA.secp256k1 });
    return made;
  };
  return { address: isEd25519(seed) ? ed25519Address(seed) : wallet().classicAddress, wallet };
}

/** Whether the seed's checksum is right. */
export const isSeed = (seed: string): boolean => isValidSecret(seed);

const isEd25519 = (seed: string): boolean => seed.startsWith('sEd');

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

/** The address of `Wallet.fromSeed`, by `node:crypto`: the library would slow down every start. */
function ed25519Address(seed: string): string {
  const privateKey = createHash('sha512').update(decodeSeed(seed).bytes).digest().subarray(0, KEY_BYTES);
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, privateKey]),
    format: 'der',
    type: 'pkcs8',
  });
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return deriveAddress(`ED${publicKey.toString('hex').toUpperCase()}`);
}
