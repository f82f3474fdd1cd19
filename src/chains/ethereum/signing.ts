import { keccak_256 } from '@noble/hashes/sha3';
import { SigningKey } from 'ethers/crypto';
import type { Secp256k1 } from '../../kernel/libsecp256k1.ts';
import type { SignedTransfer } from '../port.ts';
import { quantity, rlp } from './rlp.ts';

/** A payment or an empty transaction, by EIP-1559 or as on a chain before London. */
export type Unsigned = Payment & (Bid | GasPrice);
interface Payment {
  chainId: number;
  nonce: number;
  gasLimit: bigint;
  /** In hex. */
  to: string;
  value: bigint;
}
interface Bid {
  type: 2;
  maxFeePerGas: bigint;
  maxPriorityFeePerGas: bigint;
}
interface GasPrice {
  type: 0;
  gasPrice: bigint;
}

interface Signature {
  /** 32 bytes each. */
  r: Buffer;
  s: Buffer;
  yParity: 0 | 1;
}

/** A program that signs little does not need the faster library. */
const FEW = 20;
let signed = 0;
let library: Secp256k1 | undefined;

const EIP_1559 = Buffer.of(2);
const NO_DATA = Buffer.alloc(0);
const NO_ACCESS_LIST: [] = [];

/** A module of its own, because ethers is heavy and no start signs. */
export function signTransaction(unsigned: Unsigned, key: Buffer): SignedTransfer {
  const bytes = serialize(unsigned, signatureOf(keccak_256(serialize(unsigned)), key));
  return { bytes: hexOf(bytes), hash: hexOf(keccak_256(bytes)) };
}

/** Without a signature: the bytes that are signed. */
function serialize(unsigned: Unsigned, signature?: Signature): Uint8Array {
  const { chainId, nonce, gasLimit, to, value } = unsigned;
  const payment = [quantity(gasLimit), bytesOf(to), quantity(value), NO_DATA];
  const rs = signature && [withoutZeros(signature.r), withoutZeros(signature.s)];
  if (unsigned.type === 0) {
    const v = signature ? chainId * 2 + 35 + signature.yParity : chainId;
    const last = rs ?? [NO_DATA, NO_DATA];
    return rlp([quantity(nonce), quantity(unsigned.gasPrice), ...payment, quantity(v), ...last]);
  }
  const bid = [unsigned.maxPriorityFeePerGas, unsigned.maxFeePerGas].map(quantity);
  const last = rs ? [quantity(signature.yParity), ...rs] : [];
  const fields = [quantity(chainId), quantity(nonce), ...bid, ...payment, NO_ACCESS_LIST, ...last];
  return Buffer.concat([EIP_1559, rlp(fields)]);
}

const bytesOf = (hex: string): Buffer => Buffer.from(hex.slice(2), 'hex');
const hexOf = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`;

const withoutZeros = (bytes: Buffer): Buffer => bytes.subarray(bytes.findIndex(byte => byte !== 0));

/** Both libraries answer the same bytes (RFC 6979, low S). */
function signatureOf(hash: Uint8Array, key: Buffer): Signature {
  if (!library) {
    signed += 1;
    if (signed === FEW) void startLibrary();
    const { r, s, yParity } = new SigningKey(key).sign(hash);
    return { r: bytesOf(r), s: bytesOf(s), yParity };
  }
  const result = library.signMessageHashRecoverableCompact(key, hash);
  if (typeof result === 'string') throw new Error(result);
  const both = Buffer.from(result.signature);
  return { r: both.subarray(0, 32), s: both.subarray(32), yParity: result.recoveryId === 1 ? 1 : 0 };
}

/** Ethers goes on signing if the library cannot start. */
export async function startLibrary(): Promise<void> {
  try {
    const { startLibsecp256k1 } = await import('../../kernel/libsecp256k1.ts');
    library = await startLibsecp256k1();
  } catch {
    library = undefined;
  }
}
