import { createHash } from 'node:crypto';
import { SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import { expect, it } from 'vitest';
import { signTransaction, startLibrary } from '../../src/chains/ethereum/signing.ts';

const to = `0x${'ab'.repeat(20)}`;
const KINDS = [
  { type: 0, gasPrice: 7n },
  { type: 2, maxFeePerGas: 500_000_000_000n, maxPriorityFeePerGas: 0n },
] as const;
/** Numbers of one byte, of a length that is odd in hex, and 0. */
const VALUES = [0n, 127n, 128n, 10n ** 18n];
const CHAIN_IDS = [5, 31_337, 11_155_111];

function signedByEthers(fields: object, key: Buffer) {
  const transaction = Transaction.from(fields);
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return { bytes: transaction.serialized, hash: transaction.hash };
}

function compare(count: number): void {
  for (const kind of KINDS)
    for (let nonce = 0; nonce < count; nonce++) {
      const key = createHash('sha256').update(`key ${nonce}`).digest();
      const value = VALUES[nonce % VALUES.length]!;
      const chainId = CHAIN_IDS[nonce % CHAIN_IDS.length]!;
      const fields = { ...kind, gasLimit: 21_000n, chainId, nonce, to, value };
      expect(signTransaction(fields, key)).toEqual(signedByEthers(fields, key));
    }
}

it('few transactions are the bytes of ethers', () => compare(5));

// Among so many signatures some have a number that is shorter than 32 bytes.
it('libsecp256k1 signs the same bytes as ethers', async () => {
  await startLibrary();
  compare(300);
});
