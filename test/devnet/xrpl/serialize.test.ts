import fc from 'fast-check';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import { expect, test } from 'vitest';
import { toHex } from '../../../src/devnet/xrpl/hash.ts';
import { serialize, serializeForSigning } from '../../../src/devnet/xrpl/serialize.ts';
import { accountOf, type Json } from '../../support/xrpl-ledger/test-ledger.ts';

const hex = (bytes: { min: number; max: number }) =>
  fc
    .uint8Array({ minLength: bytes.min, maxLength: bytes.max })
    .map(b => Buffer.from(b).toString('hex').toUpperCase());
const uint32 = fc.nat(0xffffffff);
const address = fc.constantFrom(...['a', 'b', 'c'].map(name => accountOf(name).address));
const drops = fc.bigInt(0n, 10n ** 17n).map(String);
const memo = fc
  .record({ MemoData: hex({ min: 1, max: 400 }), MemoType: hex({ min: 1, max: 9 }) })
  .map(Memo => ({ Memo }));
const signer = fc
  .record({
    Account: address,
    SigningPubKey: hex({ min: 33, max: 33 }),
    TxnSignature: hex({ min: 64, max: 72 }),
  })
  .map(Signer => ({ Signer }));

const transaction = fc.record(
  {
    TransactionType: fc.constantFrom('Payment', 'AccountSet', 'TicketCreate', 'SetRegularKey', 'TrustSet'),
    Account: address,
    Fee: drops,
    Sequence: uint32,
    Flags: uint32,
    Amount: fc.oneof(
      drops,
      fc.record({
        currency: fc.constant('USD'),
        issuer: address,
        value: fc.constantFrom('1', '0.5', '-7e-9'),
      }),
    ),
    Destination: address,
    DestinationTag: uint32,
    NetworkID: uint32,
    TickSize: fc.nat(255),
    Domain: hex({ min: 0, max: 13_000 }),
    EmailHash: hex({ min: 16, max: 16 }),
    InvoiceID: hex({ min: 32, max: 32 }),
    OwnerNode: fc.bigInt(0n, 2n ** 64n - 1n).map(n => n.toString(16).toUpperCase()),
    Indexes: fc.array(hex({ min: 32, max: 32 }), { maxLength: 40 }),
    TransactionResult: fc.constantFrom('tesSUCCESS', 'tecNO_DST'),
    SigningPubKey: hex({ min: 33, max: 33 }),
    TxnSignature: hex({ min: 64, max: 72 }),
    Memos: fc.array(memo, { minLength: 1, maxLength: 3 }),
    Signers: fc.array(signer, { minLength: 1, maxLength: 3 }),
  },
  { requiredKeys: ['TransactionType', 'Account'] },
);

test('the bytes of any object are those of the codec', () => {
  fc.assert(
    fc.property(transaction, drawn => {
      // The codec asks every value for its `toString`, which drawn records may lack.
      const json: Json = JSON.parse(JSON.stringify(drawn));
      expect(toHex(serialize(json))).toBe(encode(json));
      expect(toHex(serializeForSigning(json))).toBe(encodeForSigning(json));
    }),
    { numRuns: 500 },
  );
});

test('a field that the ledger does not know is refused', () => {
  expect(() => serialize({ Account: accountOf('a').address, Invented: 1 } as Json)).toThrow(/Invented/);
});
