import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  decodeSeed,
  deriveAddress,
  ECDSA,
  encode,
  encodeForSigning,
  isValidSecret,
  type Payment,
  Wallet,
} from 'xrpl';

/** The robot's one account. A seed `sEd…` is Ed25519, any other `s…` is secp256k1. */
export interface XrplWallet {
  readonly address: string;
  /** The signed transaction and its hash, both in upper-case hex. */
  sign(payment: Payment): SignedBlob;
}

interface SignedBlob {
  readonly blob: string;
  readonly hash: string;
}

export const xrplWallet = (seed: string): XrplWallet =>
  seed.startsWith('sEd') ? ed25519Wallet(seed) : secp256k1Wallet(seed);

/** A new Ed25519 seed, from random bytes. */
export const newSeed = (entropy: Uint8Array): string =>
  Wallet.fromEntropy(entropy, { algorithm: ECDSA.ed25519 }).seed!;

/** True: the checksum of the seed is right. */
export const isSeed = (seed: string): boolean => isValidSecret(seed);

/** The keys of `Wallet.fromSeed`, held by `node:crypto`: it signs 15 times as fast as the library. */
function ed25519Wallet(seed: string): XrplWallet {
  const secret = createHash('sha512').update(decodeSeed(seed).bytes).digest().subarray(0, KEY_BYTES);
  const key = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, secret]), format: 'der', type: 'pkcs8' });
  const publicKey = publicKeyOf(key);
  return { address: deriveAddress(publicKey), sign: payment => signEd25519(payment, key, publicKey) };
}

function secp256k1Wallet(seed: string): XrplWallet {
  const wallet = Wallet.fromSeed(seed, { algorithm: ECDSA.secp256k1 });
  return {
    address: wallet.classicAddress,
    sign(payment) {
      const { tx_blob: blob, hash } = wallet.sign(payment);
      return { blob, hash };
    },
  };
}

const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_BYTES = 32;

function publicKeyOf(key: KeyObject): string {
  const bytes = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-KEY_BYTES);
  return `ED${upperHex(bytes)}`;
}

function signEd25519(payment: Payment, key: KeyObject, SigningPubKey: string): SignedBlob {
  const unsigned = { ...payment, SigningPubKey };
  const TxnSignature = upperHex(sign(null, Buffer.from(encodeForSigning(unsigned), 'hex'), key));
  const blob = encode({ ...unsigned, TxnSignature });
  return { blob, hash: transactionHash(blob) };
}

const TRANSACTION_PREFIX = Buffer.from('TXN\0');
const HASH_BYTES = 32;

const transactionHash = (blob: string): string =>
  upperHex(
    createHash('sha512')
      .update(TRANSACTION_PREFIX)
      .update(Buffer.from(blob, 'hex'))
      .digest()
      .subarray(0, HASH_BYTES),
  );

const upperHex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
