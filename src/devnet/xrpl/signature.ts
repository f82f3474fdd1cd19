import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';
import { decodeAccountID, encodeAccountID } from 'ripple-address-codec';
import { encodeForMultisigning, encodeForSigning } from 'ripple-binary-codec';
import type { Signer } from 'xrpl';
import { remember } from '../../kernel/rate-limit.ts';
import type { Sending } from '../access.ts';
import { fromHex } from './hash-tree.ts';

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

export const ZERO_ADDRESS = 'rrrrrrrrrrrrrrrrrrrrrhoLvTp';

/** Of a transaction, and in a list of signers. */
export const MAX_SIGNERS = 32;

/** Why the signature is not valid; undefined: it is. */
export function signatureError(json: TransactionJson): string | undefined {
  if (json.SigningPubKey === '') return multiSignatureError(json);
  if (json.Signers !== undefined) return 'Cannot both single- and multi-sign.';
  const isValid = verifySignature(fromHex(encodeForSigning(json)), String(json.TxnSignature ?? ''), json.SigningPubKey);
  return isValid ? undefined : 'Invalid signature.';
}

function multiSignatureError(json: TransactionJson): string | undefined {
  const signers = json.Signers as readonly Signer[] | undefined;
  if (!signers) return 'Empty SigningPubKey.';
  if (json.TxnSignature) return 'Cannot both single- and multi-sign.';
  if (signers.length < 1 || signers.length > MAX_SIGNERS) return 'Invalid Signers array size.';
  let last: Buffer | undefined;
  for (const { Signer: signer } of signers) {
    const id = accountId(signer?.Account);
    if (!id || signer.Account === json.Account) return 'Invalid multisigner.';
    if (last && last.compare(id) === 0) return 'Duplicate Signers not allowed.';
    if (last && last.compare(id) > 0) return 'Unsorted Signers array.';
    last = id;
    const message = fromHex(encodeForMultisigning(json, signer.Account));
    if (!verifySignature(message, signer.TxnSignature, signer.SigningPubKey))
      return `Invalid signature on account ${signer.Account}.`;
  }
  return undefined;
}

/** secp256k1 (DER, strict, low S) or ed25519 by the key's first byte; signature and key in hex. */
export function verifySignature(message: Buffer, signature: string, publicKey: string): boolean {
  const key = publicKeyType(publicKey) && keyOf(publicKey);
  if (!key) return false;
  const bytes = fromHex(signature);
  if (publicKey.startsWith('ED')) return bytes.length === 64 && verify(null, message, key, bytes);
  // The ledger signs the first half of a SHA-512, and ECDSA takes that half of a longer digest.
  return isCanonicalDer(bytes) && verify('sha512', message, key, bytes);
}

/** The type of a public key in upper-case hex; undefined: it is no key. */
export function publicKeyType(publicKey: string): 'ed25519' | 'secp256k1' | undefined {
  if (!/^[0-9A-F]{66}$/.test(publicKey)) return undefined;
  if (publicKey.startsWith('ED')) return 'ed25519';
  return publicKey.startsWith('02') || publicKey.startsWith('03') ? 'secp256k1' : undefined;
}

const SPKI = {
  ed25519: fromHex('302a300506032b6570032100'),
  secp256k1: fromHex('3036301006072a8648ce3d020106052b8104000a032200'),
};
const KEY_CACHE_LIMIT = 2_000;

const keyOf = remember(KEY_CACHE_LIMIT, (publicKey): KeyObject | undefined => {
  const type = publicKeyType(publicKey)!;
  const point = fromHex(type === 'ed25519' ? publicKey.slice(2) : publicKey);
  try {
    const der = Buffer.concat([SPKI[type], point]);
    return createPublicKey({ key: der, format: 'der', type: 'spki' });
  } catch {
    return undefined;
  }
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** `30 len 02 len R 02 len S`, R and S minimal, positive, below the order, and S in its lower half. */
function isCanonicalDer(bytes: Buffer): boolean {
  if (bytes.length < 8 || bytes.length > 72 || bytes[0] !== 0x30 || bytes[1] !== bytes.length - 2) return false;
  const r = derInteger(bytes, 2);
  const s = r && derInteger(bytes, r.end);
  if (!s || s.end !== bytes.length) return false;
  return r.value > 0n && r.value < ORDER && s.value > 0n && s.value <= ORDER / 2n;
}

function derInteger(bytes: Buffer, at: number): { value: bigint; end: number } | undefined {
  const length = bytes[at + 1] ?? 0;
  const digits = bytes.subarray(at + 2, at + 2 + length);
  if (bytes[at] !== 0x02 || length < 1 || length > 33 || digits.length !== length) return undefined;
  const [first = 0, second = 0] = digits;
  if (first & 0x80 || (first === 0 && length > 1 && !(second & 0x80))) return undefined;
  return { value: BigInt(`0x${digits.toString('hex')}`), end: at + 2 + length };
}

function addressOf(publicKey: string): string {
  const sha256 = createHash('sha256').update(fromHex(publicKey)).digest();
  return encodeAccountID(createHash('ripemd160').update(sha256).digest());
}
const rememberedAddressOf = remember(KEY_CACHE_LIMIT, addressOf);

/** The classic address that a key (as in SigningPubKey) controls as master key. A text that is no key may be very long, and is not remembered. */
export const addressOfSigner = (publicKey: string): string =>
  publicKeyType(publicKey) ? rememberedAddressOf(publicKey) : addressOf(publicKey);

export interface TransactionJson {
  readonly TransactionType: string;
  readonly Account: string;
  readonly SigningPubKey: string;
  readonly Sequence: number;
  readonly [field: string]: unknown;
}

/** A transaction whose form and signature are known to be good. `Type`: the fields of its type. */
export interface Transaction<Type = unknown> {
  readonly hash: string;
  readonly blob: string;
  readonly json: TransactionJson & Type;
  readonly type: string;
  readonly account: string;
  /** Drops; undefined where the Fee is not XRP. */
  readonly fee: bigint | undefined;
  readonly flags: number;
  readonly sequence: number;
  /** The ticket that it uses instead of a Sequence. */
  readonly ticket: number | undefined;
  readonly lastLedger: number | undefined;
}

export const sendingOf = ({ hash, blob }: Transaction): Sending => ({
  symbol: 'XRP',
  hash,
  gas: 0,
  bytes: blob.length / 2,
});
