import fc from 'fast-check';
import { decode, encode, encodeForSigning } from 'ripple-binary-codec';
import { expect, test } from 'vitest';
import { fromHex, toHex } from '../../../src/devnet/xrpl/hash.ts';
import { readPlain } from '../../../src/devnet/xrpl/plain-fields.ts';
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

const NESTED = ['Memos', 'Signers'];
const CODEC_ONLY = ['OwnerNode', 'Indexes', 'TransactionResult'];

test('a transaction of plain fields is read as the codec reads it', () => {
  fc.assert(
    fc.property(transaction, drawn => {
      const json: Json = JSON.parse(JSON.stringify(drawn));
      for (const field of [...NESTED, ...CODEC_ONLY]) delete json[field];
      if (typeof json.Amount === 'object') delete json.Amount;
      const blob = encode(json);
      const plain = readPlain(fromHex(blob));
      expect(plain?.json).toEqual(decode(blob));
      expect(toHex(plain!.signed)).toBe(encodeForSigning(json));
    }),
    { numRuns: 200 },
  );
});

test('changed bytes are read as the codec reads them, or left to it', () => {
  const change = fc.record({ at: fc.nat(400), to: fc.nat(255), cut: fc.nat(3) });
  fc.assert(
    fc.property(transaction, fc.array(change, { maxLength: 3 }), (drawn, changes) => {
      const bytes = fromHex(encode(JSON.parse(JSON.stringify(drawn))));
      for (const { at, to } of changes) bytes[at % bytes.length] = to;
      const changed = bytes.subarray(0, bytes.length - (changes[0]?.cut ?? 0));
      const plain = readPlain(changed);
      if (!plain) return;
      const json = decode(toHex(changed));
      expect(plain.json).toEqual(json);
      expect(encode(json)).toBe(toHex(changed));
      expect(toHex(plain.signed)).toBe(encodeForSigning(json));
    }),
    { numRuns: 1_000 },
  );
});

test('fields in the wrong order, or twice, are left to the codec', () => {
  const [sequence, flags] = ['2400000001', '2200000000'];
  expect(readPlain(fromHex(flags + sequence))).toBeDefined();
  expect(readPlain(fromHex(sequence + flags))).toBeUndefined();
  expect(readPlain(fromHex(flags + flags))).toBeUndefined();
});
