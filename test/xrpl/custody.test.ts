import { decode, encode } from 'ripple-binary-codec';
import { afterAll, expect, test } from 'vitest';
import { type AccountDelete, hashes, multisign, type Payment, type SignerListSet, type Wallet } from 'xrpl';
import { Conservation } from '../support/xrpl-network/conservation.ts';
import { connect, type Json, leaveOut, newWallet, payment, XRP } from '../support/xrpl-network/network.ts';
import { isForeign } from '../support/xrpl-network/server.ts';

const signers = [newWallet(0), newWallet(1), newWallet(2)] as const;
/** A custodian goes beyond plain payments, with xrpl.js as it is. */
const network = await connect();
const base = Number(network.facts.reserveBase / XRP);
const [vault, customer, stranger] = (await network.fund(base + 60, base + 60, base + 60)) as [Wallet, Wallet, Wallet];
afterAll(() => network?.disconnect());

/** Submits a signed blob, closes, and returns the transaction in its ledger. */
async function validated(tx_blob: string): Promise<Json> {
  const answer = await network.ask('submit', { tx_blob });
  expect(answer).toMatchObject({ engine_result: 'tesSUCCESS' });
  await network.close();
  const found = await network.found(hashes.hashSignedTx(tx_blob));
  expect(encode(decode(tx_blob))).toBe(tx_blob);
  return found ?? {};
}

/** Of API 2: a Payment shows its Amount as DeliverMax. */
const sent = async (json: Json, wallet: Wallet) => validated(await network.signed(json, wallet));

test('a vault pays with the signatures of two of three signers', async () => {
  const list: SignerListSet = {
    TransactionType: 'SignerListSet',
    Account: vault.classicAddress,
    SignerQuorum: 2,
    SignerEntries: signers.map(({ classicAddress }) => ({ SignerEntry: { Account: classicAddress, SignerWeight: 1 } })),
  };
  const { meta } = await sent({ ...list }, vault);
  expect(JSON.stringify(meta)).toContain('"LedgerEntryType":"SignerList"');
  const pay: Payment = {
    TransactionType: 'Payment',
    Account: vault.classicAddress,
    Destination: customer.classicAddress,
    Amount: String(XRP),
    DestinationTag: 7,
  };
  const filled = await network.client.autofill(pay, 2);
  expect(BigInt(filled.Fee!)).toBeGreaterThanOrEqual(3n * network.facts.baseFee);
  const blobs = [signers[2], signers[0]].map(signer => signer.sign(filled, true).tx_blob);
  const before = await network.balance(customer.classicAddress);
  const paid = await validated(multisign(blobs));
  expect(paid.tx_json).toMatchObject({ SigningPubKey: '', Signers: expect.any(Array), DestinationTag: 7 });
  expect(paid.meta).toMatchObject({ TransactionResult: 'tesSUCCESS', delivered_amount: String(XRP) });
  expect((await network.balance(customer.classicAddress)) - before).toBe(XRP);
});

test('a stranger in the list of signatures is refused, and so is a wrong signature', async () => {
  const filled = await network.client.autofill(payment(vault, customer.classicAddress, XRP) as unknown as Payment, 2);
  const [first] = signers;
  const mixed = multisign([first, stranger].map(signer => signer.sign(filled, true).tx_blob));
  expect(await network.ask('submit', { tx_blob: mixed })).toMatchObject({ engine_result: 'tefBAD_SIGNATURE' });
  const good = decode(multisign([first, signers[1]].map(signer => signer.sign(filled, true).tx_blob))) as Json;
  const refused = await network.refusal('submit', { tx_blob: encode({ ...good, Amount: '1' }) });
  expect(refused).toMatchObject({ error: 'invalidTransaction' });
});

test('DepositAuth with a preauthorised depositor', async () => {
  const own = { Account: customer.classicAddress };
  const authorized = async ({ classicAddress }: Wallet) =>
    (
      await network.ask('deposit_authorized', {
        source_account: classicAddress,
        destination_account: customer.classicAddress,
        ledger_index: 'validated',
      })
    ).deposit_authorized;
  await sent({ TransactionType: 'AccountSet', ...own, SetFlag: 9 }, customer);
  expect(await authorized(stranger)).toBe(false);
  await sent({ TransactionType: 'DepositPreauth', ...own, Authorize: stranger.classicAddress }, customer);
  expect(await authorized(stranger)).toBe(true);
  const paid = await sent(payment(stranger, customer.classicAddress, 5n * XRP), stranger);
  expect(paid.meta).toMatchObject({ delivered_amount: String(5n * XRP) });
  const { node } = await network.ask('ledger_entry', {
    deposit_preauth: { owner: customer.classicAddress, authorized: stranger.classicAddress },
    ledger_index: 'validated',
  });
  expect(node).toMatchObject({ LedgerEntryType: 'DepositPreauth', Authorize: stranger.classicAddress });
  await sent({ TransactionType: 'DepositPreauth', ...own, Unauthorize: stranger.classicAddress }, customer);
  await sent({ TransactionType: 'AccountSet', ...own, ClearFlag: 9 }, customer);
});

test('an old account is deleted: everything left is delivered, and its history stays', async context => {
  if (!network.facts.closesOnDemand) leaveOut(context, 'an account must be 256 ledgers old');
  const [old] = (await network.fund(Number(network.facts.reserveBase / XRP) + 10)) as [Wallet];
  for (let n = 0; n < 256; n++) await network.ask('ledger_accept');
  const deletion: AccountDelete = {
    TransactionType: 'AccountDelete',
    Account: old.classicAddress,
    Destination: stranger.classicAddress,
    DestinationTag: 3,
  };
  const filled = await network.client.autofill(deletion);
  expect(filled.Fee).toBe(String(network.facts.reserveIncrement));
  const held = await network.balance(old.classicAddress);
  const done = await validated(old.sign(filled).tx_blob);
  const delivered_amount = String(held - network.facts.reserveIncrement);
  expect(done.meta).toMatchObject({ delivered_amount, DeliveredAmount: delivered_amount });
  expect(await network.account(old.classicAddress)).toBeUndefined();
  for (const account of [old.classicAddress, stranger.classicAddress]) {
    const { transactions } = await network.ask('account_tx', { account, limit: 1 });
    expect((transactions as Json[])[0]).toMatchObject({ hash: done.hash, meta: { delivered_amount } });
  }
});

test('every ledger of it conserves money, and its hashes can be recomputed', async () => {
  const conservation = new Conservation(network);
  const newest = await network.validatedIndex();
  const { ledger_index_min: first } = await network.ask('account_tx', { account: vault.classicAddress, limit: 1 });
  await conservation.checkThrough(isForeign ? newest - 1 : Number(first));
  if (!isForeign) await conservation.checkThrough(Math.min(newest, Number(first) + 20));
  else await conservation.checkThrough(newest);
});
