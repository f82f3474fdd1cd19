import { afterEach, beforeEach, expect, test } from 'vitest';
import { hashes } from 'xrpl';
import {
  accountOf,
  fundedLedger,
  genesis,
  type Json,
  payment,
  type TestLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob', 'ecdsa-secp256k1');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());
const v1 = { api_version: 1 };

test('sign fills in and signs; submit with a secret does so and submits', async () => {
  const secret = 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb';
  const tx_json = payment(genesis, bob, XRP);
  const signed = await ledger.rpc('sign', { secret, tx_json });
  expect(signed).toMatchObject({
    status: 'success',
    hash: hashes.hashSignedTx(String(signed.tx_blob)),
    tx_json: { DeliverMax: String(XRP), Fee: '10', Flags: 0x80000000, SigningPubKey: genesis.publicKey },
    deprecated: expect.any(String),
  });
  expect(await ledger.submitBlob(String(signed.tx_blob))).toMatchObject({ engine_result: 'tesSUCCESS' });
  const submitted = await ledger.rpc('submit', { passphrase: 'masterpassphrase', key_type: 'secp256k1', tx_json });
  expect(submitted).toMatchObject({ engine_result: 'tesSUCCESS', engine_result_code: 0, hash: expect.any(String) });
  const old = await ledger.rpc('submit', { secret, tx_json, ...v1 });
  expect(old).toMatchObject({ engine_result: 'tesSUCCESS', tx_json: { hash: expect.any(String) } });
});

test.each([
  ['missing secret', {}, "Missing field 'secret'."],
  ['two secrets', { secret: 'a', seed: 'b' }, /^Exactly one of/],
  ['secret with key_type', { secret: 'a', key_type: 'ed25519' }, /not allowed if key_type is used/],
  ['another secret', { secret: 'nonsense' }, 'Secret does not match account.'],
  ['a bad seed', { seed: 'nonsense', key_type: 'ed25519' }, 'Disallowed seed.'],
  ['a bad key type', { seed: 'a', key_type: 'rsa' }, 'Bad key type.'],
])('sign is refused: %s', async (_what, params, message) => {
  const answer = await ledger.rpc('sign', { tx_json: payment(genesis, bob, 1), ...params });
  expect(answer.error_message).toMatch(message);
});

test.each(['sign', 'sign_for', 'submit'])('nobody but an admin hands over a secret: %s', async method => {
  const params = { secret: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb', tx_json: payment(genesis, bob, XRP) };
  const body = JSON.stringify({ method, params: [params] });
  const request = new Request('http://ledger/', { method: 'POST', body });
  const answer = await ledger.handleRequest(request, { remoteAddress: '203.0.113.1' });
  expect(await answer.json()).toMatchObject({ result: { error: 'notSupported', error_code: 75 } });
});

test('sign_for collects signatures, submit_multisigned submits them', async () => {
  const [one, two] = [accountOf('one'), accountOf('two', 'ecdsa-secp256k1')];
  const entry = (Account: string) => ({ SignerEntry: { Account, SignerWeight: 1 } });
  await ledger.submit(
    {
      TransactionType: 'SignerListSet',
      Account: alice.address,
      SignerQuorum: 2,
      SignerEntries: [entry(one.address), entry(two.address)],
    },
    alice,
  );
  const Sequence = (await ledger.account(alice.address, 'current'))?.Sequence;
  const base = { ...payment(alice, bob, XRP), Sequence, Fee: '30', Flags: 0, NetworkID: 21_117 };
  const entropy = (name: string) => Buffer.concat([Buffer.from(name), Buffer.alloc(16 - name.length)]);
  const seedHex = (name: string) => entropy(name).toString('hex');
  const first = await ledger.rpc('sign_for', {
    account: one.address,
    seed_hex: seedHex('one'),
    key_type: 'ed25519',
    tx_json: base,
  });
  expect(first).toMatchObject({ status: 'success', tx_json: { SigningPubKey: '' } });
  const second = await ledger.rpc('sign_for', {
    account: two.address,
    seed_hex: seedHex('two'),
    key_type: 'secp256k1',
    tx_json: first.tx_json,
  });
  const { Signers } = second.tx_json as { Signers: Json[] };
  expect(Signers).toHaveLength(2);
  const early = await ledger.rpc('submit_multisigned', { tx_json: first.tx_json });
  expect(early).toMatchObject({ engine_result: 'tefBAD_QUORUM', engine_result_code: -185 });
  const tx_json = { ...(second.tx_json as Json), Signers: Signers.toReversed() };
  const done = await ledger.rpc('submit_multisigned', { tx_json });
  expect(done).toMatchObject({ engine_result: 'tesSUCCESS', hash: second.hash, tx_blob: second.tx_blob });
  const refused = async (change: Json) =>
    (await ledger.rpc('submit_multisigned', { tx_json: { ...tx_json, ...change } })).error_message;
  expect(await refused({ SigningPubKey: alice.publicKey })).toMatch(/must be empty/);
  expect(await refused({ Fee: '0' })).toMatch(/greater than zero/);
  expect(await refused({ Signers: [] })).toMatch(/may not be empty/);
  expect(await refused({ Signers: [...Signers, ...Signers] })).toMatch(/^Duplicate Signers/);
  expect(await refused({ Signers: [{ Signer: { Account: one.address } }] })).toMatch(/only contain Signer/);
});
