import { encode, encodeForSigning } from 'ripple-binary-codec';
import { expect, test } from 'vitest';
import { accountKey } from '../../../src/devnet/xrpl/entries.ts';
import {
  fromHex,
  sealHeader,
  sha512Half,
  TRANSACTION_LEAF,
  updateTree,
  variableLength,
} from '../../../src/devnet/xrpl/hash-tree.ts';
import { type Metadata, metadataBytes } from '../../../src/devnet/xrpl/metadata.ts';
import { transactionHash } from '../../../src/devnet/xrpl/parse-transaction.ts';
import { verifySignature } from '../../../src/devnet/xrpl/signature.ts';

/** XRPL-2: ledger 38129 of the main network (January 2013), with its only transaction. */
const LEDGER = {
  index: 38_129,
  parentHash: '3401E5B2E5D3A53EB0891088A5F2D9364BBB6CE5B37A337D2C0660DAF9C4175E',
  transactionHash: 'DB83BF807416C5B3499A73130F843CF615AB8E797D79FE7D330ADF1BFA93951A',
  accountHash: '2C23D15B6B549123FB351E4B5CDE81C564318EB845449CD43C3EA7953C4DB452',
  totalCoins: 99_999_999_999_996_310n,
  closeTime: 410_424_200,
  parentCloseTime: 410_424_200,
};
const HASH = 'E6DB7365949BF9814D76BCC730B01818EB9136A89DB224F3F9F5AAE4569D758E';

const PAYER = 'r3kmLJN5D28dHuH8vZNUZpMC43pEHpaocV';
const PAYEE = 'rLQBHVhFnaC5gLEkgr6HgBJJ3bgeZHg9cj';
const PAYMENT = {
  TransactionType: 'Payment',
  Account: PAYER,
  Destination: PAYEE,
  Amount: '10000000000',
  Fee: '10',
  Flags: 0,
  Sequence: 62,
  SigningPubKey: '034AADB09CFF4A4804073701EC53C3510CDC95917C2BB0150FB742D0C66E6CEE9E',
  TxnSignature:
    '3045022022EB32AECEF7C644C891C19F87966DF9C62B1F34BABA6BE774325E4BB8E2DD62022100A51437898C28C2B297112DF8131F2BB39EA5FE613487DDD611525F1796264639',
};
const PAYMENT_HASH = '3B1A4E1C9BB6A7208EB146BCDB86ECEA6068ED01466D933528CA2B4C64F753EF';
const META: Metadata = {
  AffectedNodes: [
    {
      CreatedNode: {
        LedgerEntryType: 'AccountRoot',
        LedgerIndex: '4C6ACBD635B0F07101F7FA25871B0925F8836155462152172755845CE691C49E',
        NewFields: { Account: PAYEE, Balance: '10000000000', Sequence: 1 },
      },
    },
    {
      ModifiedNode: {
        LedgerEntryType: 'AccountRoot',
        LedgerIndex: 'B33FDD5CF3445E1A7F2BE9B06336BEBD73A5E3EE885D3EF93F7E3E2992E46F1A',
        FinalFields: { Account: PAYER, Balance: '981481999380', Flags: 0, OwnerCount: 0, Sequence: 63 },
        PreviousFields: { Balance: '991481999390', Sequence: 62 },
        PreviousTxnID: '2485FDC606352F1B0785DA5DE96FB9DBAF43EB60ECBB01B7F6FA970F512CDA5F',
        PreviousTxnLgrSeq: 31_317,
      },
    },
  ],
  TransactionIndex: 0,
  TransactionResult: 'tesSUCCESS',
};

test('main network: the hash of a payment', () => {
  expect(transactionHash(encode(PAYMENT))).toBe(PAYMENT_HASH);
});

test('main network: the keys of accounts', () => {
  const keys = META.AffectedNodes.map(node => Object.values(node)[0]!.LedgerIndex);
  expect([PAYEE, PAYER].map(accountKey)).toEqual(keys);
});

test('main network: the transaction tree over a payment and its metadata', () => {
  const parts = [fromHex(encode(PAYMENT)), metadataBytes(META)].flatMap(part => [variableLength(part.length), part]);
  const leaf = { key: PAYMENT_HASH, hash: sha512Half(TRANSACTION_LEAF, ...parts, fromHex(PAYMENT_HASH)) };
  expect(updateTree(new Map(), [leaf])).toBe(LEDGER.transactionHash);
});

test('main network: the hash of a ledger', () => {
  expect(sealHeader(LEDGER).hash).toBe(HASH);
});

/** Nobody cared in 2013: either S was good. */
test('main network: a signature with the high S, once valid, is refused; its twin with the low S is good', () => {
  const message = fromHex(encodeForSigning(PAYMENT));
  const { SigningPubKey, TxnSignature } = PAYMENT;
  expect(verifySignature(message, TxnSignature, SigningPubKey)).toBe(false);
  const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
  const s = order - BigInt(`0x${TxnSignature.slice(-64)}`);
  const low = s.toString(16).toUpperCase().padStart(64, '0');
  const twin = `3044${TxnSignature.slice(4, 4 + 68)}0220${low}`;
  expect(verifySignature(message, twin, SigningPubKey)).toBe(true);
});
