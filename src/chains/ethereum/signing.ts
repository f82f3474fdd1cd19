import { SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import type { SignedTransfer } from '../port.ts';

type Fields = Extract<Parameters<typeof Transaction.from>[0], object>;

/** A module of its own, because ethers is heavy and no start signs. */
export function signTransaction(fields: Fields, key: Buffer): SignedTransfer {
  const transaction = Transaction.from(fields);
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return { bytes: transaction.serialized, hash: transaction.hash ?? '' };
}
