import { createHash } from 'node:crypto';
import { SigningKey } from 'ethers/crypto';
import { Transaction } from 'ethers/transaction';
import { expect, it } from 'vitest';
import { signTransaction, startLibrary } from '../../src/chains/ethereum/signing.ts';

const to = `0x${'ab'.repeat(20)}`;
const KINDS = [
  { type: 0, gasPrice: 7n },
  { type: 2, maxFeePerGas: 9n, maxPriorityFeePerGas: 1n },
] as const;

function signedByEthers(fields: object, key: Buffer) {
  const transaction = Transaction.from(fields);
  transaction.signature = new SigningKey(key).sign(transaction.unsignedHash);
  return { bytes: transaction.serialized, hash: transaction.hash };
}

it('libsecp256k1 signs the same bytes as ethers', async () => {
  await startLibrary();
  for (const kind of KINDS)
    for (let nonce = 0; nonce < 20; nonce++) {
      const key = createHash('sha256').update(`key ${nonce}`).digest();
      const fields = { ...kind, gasLimit: 21_000n, chainId: 31_337, nonce, to, value: 10n ** 18n };
      expect(signTransaction(fields, key)).toEqual(signedByEthers(fields, key));
    }
});
