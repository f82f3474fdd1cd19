import { decode, encode, encodeForSigning } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { afterAll, expect, test } from 'vitest';
import { ECDSA, hashes, Wallet } from 'xrpl';
import { connect, type Json, newWallet, payment, signBlob, XRP } from '../support/xrpl-network/network.ts';

const network = await connect();
const [alice, bob, carol] = (await network.fund(100, 100, 100)) as [Wallet, Wallet, Wallet];
afterAll(() => network?.disconnect());

const pay = (from: Wallet, more: Json = {}) => network.filled(payment(from, bob.classicAddress, XRP, more));
const changed = (blob: string, changes: Json): string => encode({ ...decode(blob), ...changes });

/** Submitting these blobs leaves the accounts as they are. */
async function expectRefused(blobs: string[], refusal: Json): Promise<void> {
  const look = () => Promise.all([alice, bob, carol].map(({ classicAddress }) => network.account(classicAddress)));
  const before = await look();
  for (const tx_blob of blobs) {
    const refused = await network.refusal('submit', { tx_blob });
    expect(refused).toMatchObject({ status: 'error', type: 'response', ...refusal });
    expect(refused.result).toBeUndefined();
  }
  await network.close();
  expect(await look()).toEqual(before);
  for (const blob of blobs.filter(isTransaction))
    expect(await network.found(hashes.hashSignedTx(blob))).toBeUndefined();
}

function isTransaction(blob: string): boolean {
  try {
    return typeof decode(blob).TxnSignature === 'string';
  } catch {
    return false;
  }
}

const BAD_SIGNATURE = { error: 'invalidTransaction', error_exception: 'fails local checks: Invalid signature.' };

test.each(['alice', 'carol'])(
  'XRPL-4.3: a signed payment of which one field was changed is refused (%s)',
  async who => {
    const from = who === 'alice' ? alice : carol;
    const good = signBlob(await pay(from), from);
    const others: Json[] = [
      { Amount: String(2n * XRP) },
      { Destination: newWallet().classicAddress },
      { Fee: '11' },
      { Sequence: Number(decode(good).Sequence) + 1 },
      { DestinationTag: 7 },
      { Flags: 0x8000_0000 },
      { SourceTag: 0 },
    ];
    await expectRefused(
      others.map(other => changed(good, other)),
      BAD_SIGNATURE,
    );
  },
);

test('XRPL-4.3: every byte of a signature counts', async () => {
  for (const from of [alice, carol]) {
    const good = signBlob(await pay(from), from);
    const signature = String(decode(good).TxnSignature);
    const flip = (at: number) => {
      const byte = Number.parseInt(signature.slice(at, at + 2), 16) ^ 1;
      return signature.slice(0, at) + byte.toString(16).padStart(2, '0').toUpperCase() + signature.slice(at + 2);
    };
    const places = Array.from({ length: signature.length / 2 }, (_, n) => 2 * n);
    await expectRefused(
      places.map(at => changed(good, { TxnSignature: flip(at) })),
      BAD_SIGNATURE,
    );
  }
});

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** The other signature of the same message by the same key: S against the order. */
function highS(der: string): string {
  const lengthOfR = Number.parseInt(der.slice(6, 8), 16) * 2;
  const r = der.slice(4, 8 + lengthOfR);
  const s = BigInt(`0x${der.slice(12 + lengthOfR)}`);
  const digits = (ORDER - s).toString(16).padStart(64, '0').toUpperCase();
  const positive = /^[89A-F]/.test(digits) ? `00${digits}` : digits;
  const hex = (length: number) => length.toString(16).padStart(2, '0').toUpperCase();
  const body = `${r}02${hex(positive.length / 2)}${positive}`;
  return `30${hex(body.length / 2)}${body}`;
}

test('XRPL-4.3: a signature with the high S is refused, the same with the low S is taken', async () => {
  const signer = bob.publicKey.startsWith('ED') ? carol : bob;
  expect(signer.publicKey.startsWith('ED')).toBe(false);
  const json = await network.filled(payment(signer, alice.classicAddress, XRP));
  const good = signBlob(json, signer);
  const malleated = changed(good, { TxnSignature: highS(String(decode(good).TxnSignature)) });
  expect(highS(highS(String(decode(good).TxnSignature)))).toBe(decode(good).TxnSignature);
  await expectRefused([malleated], BAD_SIGNATURE);
  expect(await network.ask('submit', { tx_blob: good })).toMatchObject({ engine_result: 'tesSUCCESS' });
  await network.close();
});

test('XRPL-4.3: a foreign key is refused, whether it signs for itself or for the owner', async () => {
  const mallory = newWallet();
  const json = await pay(alice);
  const asMallory = await network.ask('submit', { tx_blob: signBlob(json, mallory) });
  expect(asMallory).toMatchObject({ engine_result: 'tefBAD_AUTH', engine_result_code: -196, applied: false });
  const claimed = { ...json, SigningPubKey: alice.publicKey };
  const TxnSignature = sign(encodeForSigning(claimed), mallory.privateKey);
  await expectRefused([encode({ ...claimed, TxnSignature })], BAD_SIGNATURE);
});

test('a replayed payment is paid once: tefPAST_SEQ, with the same hash', async () => {
  const before = await network.balance(bob.classicAddress);
  const tx_blob = signBlob(await pay(alice), alice);
  const first = await network.ask('submit', { tx_blob });
  expect(first).toMatchObject({ engine_result: 'tesSUCCESS' });
  const again = await network.ask('submit', { tx_blob });
  expect(again).toMatchObject({ engine_result: 'tefPAST_SEQ', engine_result_code: -190, applied: false });
  await network.close();
  for (let n = 0; n < 3; n++)
    expect(await network.ask('submit', { tx_blob })).toMatchObject({
      engine_result: 'tefPAST_SEQ',
      tx_json: first.tx_json,
    });
  await network.close();
  expect(await network.balance(bob.classicAddress)).toBe(before + XRP);
});

test('a ticket pays once: tefNO_TICKET', async () => {
  await network.apply({ TransactionType: 'TicketCreate', Account: carol.classicAddress, TicketCount: 1 }, carol);
  await network.close();
  const TicketSequence = (await network.account(carol.classicAddress))!.Sequence - 1;
  const tx_blob = signBlob(await pay(carol, { Sequence: 0, TicketSequence }), carol);
  expect(await network.ask('submit', { tx_blob })).toMatchObject({ engine_result: 'tesSUCCESS' });
  await network.close();
  expect(await network.ask('submit', { tx_blob })).toMatchObject({ engine_result: 'tefNO_TICKET' });
});

test('a malformed transaction stays refused: temBAD_SIGNATURE at its second try', async () => {
  const tx_blob = signBlob(await pay(alice, { Amount: '0' }), alice);
  const answers = [await network.ask('submit', { tx_blob }), await network.ask('submit', { tx_blob })];
  expect(answers[0]).toMatchObject({ engine_result: 'temBAD_AMOUNT' });
  expect(answers[1]).toMatchObject({
    engine_result: 'temBAD_SIGNATURE',
    engine_result_code: -282,
    engine_result_message: 'Malformed: Bad signature.',
  });
});

test('XRPL-1.3: what is no transaction: invalidParams for no hex, invalidTransaction for the rest', async () => {
  const good = signBlob(await pay(alice), alice);
  await expectRefused(['', 'XYZ'], { error: 'invalidParams', error_code: 31 });
  // An odd number of digits is read as if a 0 stood before it.
  const broken = [good.slice(1), good.slice(0, -2), `${good}00`, 'DEADBEEF', '12'.repeat(40), good.repeat(2)];
  await expectRefused(broken, { error: 'invalidTransaction' });
});

test('a blob in lower case is the same transaction', async () => {
  const blob = signBlob(await pay(alice), alice);
  const answer = await network.ask('submit', { tx_blob: blob.toLowerCase() });
  expect(answer).toMatchObject({ engine_result: 'tesSUCCESS', tx_json: { hash: hashes.hashSignedTx(blob) } });
  await network.close();
  expect((await network.found(hashes.hashSignedTx(blob)))?.hash).toBe(hashes.hashSignedTx(blob));
});

test.each([ECDSA.ed25519, ECDSA.secp256k1])('a wallet of xrpl.js (%s) signs what is accepted', async algorithm => {
  const wallet = Wallet.generate(algorithm);
  await network.apply(payment(alice, wallet.classicAddress, 10n * XRP), alice);
  await network.close();
  const { tx_blob, hash } = wallet.sign((await pay(wallet)) as never);
  const answer = await network.ask('submit', { tx_blob });
  expect(answer).toMatchObject({ engine_result: 'tesSUCCESS', tx_json: { hash } });
  await network.close();
  expect(await network.found(hash)).toMatchObject({ hash, validated: true });
});
