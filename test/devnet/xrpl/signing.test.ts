import { encodeForMultisigning } from 'ripple-binary-codec';
import { sign } from 'ripple-keypairs';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { encodeAccountPublic, hashes } from 'xrpl';
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

test('the server signs nothing, and no secret comes back', async () => {
  const params = { secret: 'snoPBrXtMeMyMHUVTgbuqAfg1SUTb', tx_json: payment(genesis, bob, XRP) };
  for (const method of ['sign', 'sign_for', 'submit', 'wallet_propose']) {
    const answer = await ledger.rpc(method, params);
    expect(answer).toMatchObject({ error: 'notSupported', error_code: 75 });
    expect(JSON.stringify(answer)).not.toContain(params.secret);
  }
});

test('submit_multisigned takes the signatures of several signers in any order', async () => {
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
  const base = {
    ...payment(alice, bob, XRP),
    Sequence,
    Fee: '30',
    Flags: 0,
    NetworkID: 21_117,
    SigningPubKey: '',
  };
  const signer = ({ address, publicKey, privateKey }: typeof one) => ({
    Signer: {
      Account: address,
      SigningPubKey: publicKey,
      TxnSignature: sign(encodeForMultisigning(base, address), privateKey),
    },
  });
  const Signers = [one, two].map(signer);
  const early = await ledger.rpc('submit_multisigned', { tx_json: { ...base, Signers: [Signers[0]] } });
  expect(early).toMatchObject({ engine_result: 'tefBAD_QUORUM', engine_result_code: -185 });
  const done = await ledger.rpc('submit_multisigned', { tx_json: { ...base, Signers } });
  expect(done).toMatchObject({
    engine_result: 'tesSUCCESS',
    hash: hashes.hashSignedTx(String(done.tx_blob)),
  });
  const again = await ledger.rpc('submit_multisigned', {
    tx_json: { ...base, Signers: Signers.toReversed() },
  });
  expect(again).toMatchObject({ engine_result: 'tefPAST_SEQ', hash: done.hash });
  const refused = async (change: Json) =>
    (await ledger.rpc('submit_multisigned', { tx_json: { ...base, Signers, ...change } })).error_message;
  expect(await refused({ SigningPubKey: alice.publicKey })).toMatch(/must be empty/);
  expect(await refused({ Fee: '0' })).toMatch(/greater than zero/);
  expect(await refused({ Signers: [] })).toMatch(/may not be empty/);
  expect(await refused({ Signers: [...Signers, ...Signers] })).toMatch(/^Duplicate Signers/);
  expect(await refused({ Signers: [{ Signer: { Account: one.address } }] })).toMatch(/only contain Signer/);
});

test('channel_verify checks the signature of a claim', async () => {
  const channel_id = 'AB'.repeat(32);
  const message = `434C4D00${channel_id}${(1_000_000).toString(16).padStart(16, '0')}`;
  for (const { publicKey, privateKey } of [alice, bob]) {
    const params = {
      public_key: publicKey,
      channel_id,
      amount: '1000000',
      signature: sign(message, privateKey),
    };
    expect(await ledger.rpc('channel_verify', params)).toMatchObject({ signature_verified: true });
    const encoded = encodeAccountPublic(Buffer.from(publicKey, 'hex'));
    expect(await ledger.rpc('channel_verify', { ...params, public_key: encoded })).toMatchObject({
      signature_verified: true,
    });
    expect(await ledger.rpc('channel_verify', { ...params, amount: '2' })).toMatchObject({
      signature_verified: false,
    });
    expect(await ledger.rpc('channel_verify', { ...params, public_key: 'x' })).toMatchObject({
      error: 'publicMalformed',
    });
    expect(await ledger.rpc('channel_verify', { ...params, channel_id: 'x' })).toMatchObject({
      error: 'channelMalformed',
    });
    expect(await ledger.rpc('channel_verify', { ...params, amount: 2 })).toMatchObject({
      error: 'channelAmtMalformed',
    });
  }
});
