import { createPrivateKey, type KeyObject, sign } from 'node:crypto';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import type { Account, Json } from '../support/xrpl-ledger/test-ledger.ts';

/** Signing is not what is measured: node's own is many times as fast as the library's. */
export interface NativeSigner {
  /** The signed blob. */
  sign(json: Json): string;
}

export function nativeSigner({ privateKey, publicKey }: Account): NativeSigner {
  const isEd25519 = privateKey.startsWith('ED');
  const prefix = isEd25519 ? PKCS8.ed25519 : PKCS8.secp256k1;
  const der = Buffer.from(prefix + privateKey.slice(2), 'hex');
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const signature = isEd25519 ? ed25519 : secp256k1;
  return {
    sign(json) {
      const unsigned = { Flags: 0, ...json, SigningPubKey: publicKey };
      const TxnSignature = hex(signature(Buffer.from(encodeForSigning(unsigned), 'hex'), key));
      return encode({ ...unsigned, TxnSignature });
    },
  };
}

const PKCS8 = {
  ed25519: '302e020100300506032b657004220420',
  secp256k1: '303e020100301006072a8648ce3d020106052b8104000a042730250201010420',
};
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

const ed25519 = (message: Buffer, key: KeyObject): Buffer => sign(null, message, key);

/** The ledger takes only the lower one of the two values of S. */
function secp256k1(message: Buffer, key: KeyObject): Buffer {
  const both = sign('sha512', message, { key, dsaEncoding: 'ieee-p1363' });
  const s = BigInt(`0x${hex(both.subarray(32))}`);
  const low = s > ORDER / 2n ? ORDER - s : s;
  const parts = [both.subarray(0, 32), Buffer.from(low.toString(16).padStart(64, '0'), 'hex')].map(derInteger);
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.of(0x30, body.length), body]);
}

function derInteger(digits: Buffer): Buffer {
  const minimal = digits.subarray(digits.findIndex(digit => digit !== 0));
  const value = minimal[0]! & 0x80 ? Buffer.concat([Buffer.of(0), minimal]) : minimal;
  return Buffer.concat([Buffer.of(0x02, value.length), value]);
}

const hex = (bytes: Buffer): string => bytes.toString('hex').toUpperCase();
