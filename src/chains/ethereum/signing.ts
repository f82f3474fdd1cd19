import { Signature, SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import type { Secp256k1 } from '../../kernel/libsecp256k1.ts';
import type { SignedTransfer } from '../port.ts';

type Fields = Extract<Parameters<typeof Transaction.from>[0], object>;

/** A program that signs little does not need the faster library. */
const FEW = 20;
let signed = 0;
let library: Secp256k1 | undefined;

/** A module of its own, because ethers is heavy and no start signs. */
export function signTransaction(fields: Fields, key: Buffer): SignedTransfer {
  const transaction = Transaction.from(fields);
  transaction.signature = signatureOf(transaction.unsignedHash, key);
  return { bytes: transaction.serialized, hash: transaction.hash ?? '' };
}

/** Both libraries answer the same bytes (RFC 6979, low S). */
function signatureOf(hash: string, key: Buffer): Signature {
  if (!library) {
    signed += 1;
    if (signed === FEW) void startLibrary();
    return new SigningKey(key).sign(hash);
  }
  const result = library.signMessageHashRecoverableCompact(key, Buffer.from(hash.slice(2), 'hex'));
  if (typeof result === 'string') throw new Error(result);
  const hex = Buffer.from(result.signature).toString('hex');
  const yParity = result.recoveryId === 1 ? 1 : 0;
  return Signature.from({ r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, yParity });
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
