import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { sign, verify } from 'ripple-keypairs';
import { expect, test } from 'vitest';
import { fromHex } from '../../../src/devnet/xrpl/hash-tree.ts';
import { verifySignature } from '../../../src/devnet/xrpl/signature.ts';
import { type Account, accountOf } from '../../support/xrpl-ledger/test-ledger.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const accounts = [accountOf('e', 'ed25519'), accountOf('k', 'ecdsa-secp256k1'), accountOf('other', 'ecdsa-secp256k1')];
const account = fc.constantFrom(...accounts);
const hex = fc
  .uint8Array({ minLength: 1, maxLength: 300 })
  .map(bytes => Buffer.from(bytes).toString('hex').toUpperCase());

/** The client library's judgement; it throws on what is no signature at all. */
function oracle(message: string, signature: string, key: string): boolean {
  try {
    return verify(message, signature, key);
  } catch {
    return false;
  }
}

test('every signature of the client library is accepted, for both kinds of keys', () => {
  fc.assert(
    fc.property(hex, account, (message, { publicKey, privateKey }) => {
      expect(verifySignature(fromHex(message), sign(message, privateKey), publicKey)).toBe(true);
    }),
    { numRuns: 60 },
  );
});

test('a changed signature, message or key is judged as the client library judges it', () => {
  const change = fc.record({ at: fc.nat(143), to: fc.constantFrom(...'0123456789ABCDEF') });
  const alter = (text: string, { at, to }: { at: number; to: string }) => text.slice(0, at) + to + text.slice(at + 1);
  fc.assert(
    fc.property(
      hex,
      account,
      account,
      change,
      fc.constantFrom('signature', 'message', 'key'),
      (message, a, b, c, part) => {
        const signature = sign(message, a.privateKey);
        const given = part === 'signature' ? alter(signature, c) : signature;
        const said = part === 'message' ? alter(message, { ...c, at: c.at % message.length }) : message;
        const key = part === 'key' ? b.publicKey : a.publicKey;
        expect(verifySignature(fromHex(said), given.length % 2 ? `${given}0` : given, key)).toBe(
          oracle(said, given.length % 2 ? `${given}0` : given, key),
        );
      },
    ),
    { numRuns: 150 },
  );
});

test('the same signature with the high S is refused (malleability)', () => {
  const { publicKey, privateKey } = accounts[1] as Account;
  for (let n = 0; n < 20; n++) {
    const message = createHash('sha256').update(`m${n}`).digest('hex').toUpperCase();
    const signature = Buffer.from(sign(message, privateKey), 'hex');
    const rLength = signature[3] as number;
    const r = signature.subarray(4, 4 + rLength);
    const s = BigInt(`0x${signature.subarray(6 + rLength).toString('hex')}`);
    const high = Buffer.from(`00${(ORDER - s).toString(16).padStart(64, '0')}`, 'hex');
    const body = Buffer.concat([Buffer.of(2, rLength), r, Buffer.of(2, high.length), high]);
    const malleated = Buffer.concat([Buffer.of(0x30, body.length), body])
      .toString('hex')
      .toUpperCase();
    expect(verifySignature(fromHex(message), malleated, publicKey)).toBe(false);
  }
});

test('what is no key or no signature is refused, not thrown at the caller', () => {
  const any = fc.oneof(fc.constant(''), hex, fc.constantFrom('02', 'ED', '03'.padEnd(66, 'F'), '02'.padEnd(66, '0')));
  fc.assert(
    fc.property(any, any, any, (message, signature, key) => {
      expect(verifySignature(fromHex(message), signature, key)).toBe(false);
    }),
  );
});
