import { decode, encode } from 'ripple-binary-codec';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountOf,
  fundedLedger,
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

test('simulate shows what a transaction would do and does nothing', async () => {
  const before = await ledger.rpc('account_info', { account: alice.address });
  const tx_json = payment(alice, bob, XRP);
  const answer = await ledger.rpc('simulate', { tx_json });
  expect(answer).toMatchObject({
    applied: false,
    engine_result: 'tesSUCCESS',
    engine_result_message: 'The simulated transaction would have been applied.',
    tx_json: { ...tx_json, Fee: '10', SigningPubKey: '', hash: expect.any(String) },
    meta: { TransactionResult: 'tesSUCCESS', delivered_amount: String(XRP) },
  });
  const poor = await ledger.rpc('simulate', { tx_json: payment(alice, bob, 1_000n * XRP) });
  expect(poor).toMatchObject({
    engine_result: 'tecUNFUNDED_PAYMENT',
    engine_result_message: 'Insufficient XRP balance to send.',
    meta: { TransactionResult: 'tecUNFUNDED_PAYMENT' },
  });
  const past = await ledger.rpc('simulate', { tx_json: { ...tx_json, Sequence: 1 } });
  expect(past).toMatchObject({ engine_result: 'tefPAST_SEQ' });
  expect(past).not.toHaveProperty('meta');
  const binary = await ledger.rpc('simulate', { tx_json, binary: true });
  expect(decode(String(binary.tx_blob))).toMatchObject(tx_json);
  expect(decode(String(binary.meta_blob))).toMatchObject({ TransactionResult: 'tesSUCCESS' });
  ledger.controls.close();
  expect((await ledger.rpc('account_info', { account: alice.address })).account_data).toEqual(before.account_data);
});

test.each([
  ['AccountSet', { SetFlag: 1 }],
  ['SetRegularKey', { RegularKey: bob.address }],
  ['TicketCreate', { TicketCount: 1 }],
  ['DepositPreauth', { Authorize: bob.address }],
  ['SignerListSet', { SignerQuorum: 1, SignerEntries: [{ SignerEntry: { Account: bob.address, SignerWeight: 1 } }] }],
])('simulate knows %s, and its result is that of a submission', async (TransactionType, fields) => {
  const tx_json = { TransactionType, Account: alice.address, ...fields };
  const simulated = await ledger.rpc('simulate', {
    tx_json: { ...tx_json, Fee: '10', Flags: 0, SigningPubKey: alice.publicKey },
  });
  expect(simulated).toMatchObject({ engine_result: 'tesSUCCESS' });
  const submitted = await ledger.submit(tx_json, alice);
  ledger.controls.close();
  const { meta } = await ledger.rpc('tx', { transaction: (submitted.tx_json as Json).hash });
  expect(simulated.meta).toEqual(meta);
});

test.each([
  [{}, 'Neither `tx_blob` nor `tx_json` included.'],
  [{ tx_json: {}, tx_blob: 'AB' }, 'Can only include one of `tx_blob` and `tx_json`.'],
  [{ tx_json: {} }, "Missing field 'tx.TransactionType'."],
  [{ tx_json: { TransactionType: 'Payment' } }, "Missing field 'tx.Account'."],
  [{ tx_json: 1 }, "Invalid field 'tx_json', not object."],
  [{ tx_blob: 'x' }, "Invalid field 'tx_blob'."],
  [{ tx_json: {}, secret: 's' }, "Invalid field 'secret'."],
  [{ tx_json: {}, binary: 1 }, "Invalid field 'binary'."],
])('simulate refuses %j', async (params, error_message) => {
  expect(await ledger.rpc('simulate', params)).toMatchObject({ error: 'invalidParams', error_message });
});

test('simulate refuses a signed transaction and an unknown account', async () => {
  const tx_json = { ...payment(alice, bob, 1), TxnSignature: 'AB' };
  expect(await ledger.rpc('simulate', { tx_json })).toMatchObject({ error: 'transactionSigned', error_code: 96 });
  const nobody = payment(accountOf('nobody'), bob, 1);
  expect(await ledger.rpc('simulate', { tx_json: nobody })).toMatchObject({ error: 'srcActNotFound' });
});

test('ledger_data lists the whole state, page by page, in both forms', async () => {
  await ledger.submit({ TransactionType: 'TicketCreate', Account: alice.address, TicketCount: 40 }, alice);
  ledger.controls.close();
  const { ledger: whole } = await ledger.rpc('ledger', { ledger_index: 'validated', accounts: true, expand: true });
  const state = (whole as Json).accountState as Json[];
  for (const binary of [false, true]) {
    const listed: Json[] = [];
    let marker: unknown;
    do {
      const params = { ledger_index: 'validated', binary, limit: 7, ...(marker ? { marker } : {}) };
      const page = await ledger.rpc('ledger_data', params);
      expect(page.ledger === undefined).toBe(marker !== undefined);
      expect((page.state as Json[]).length).toBeLessThanOrEqual(7);
      listed.push(...(page.state as Json[]));
      marker = page.marker;
    } while (marker !== undefined);
    expect(listed.map(({ index }) => index)).toEqual(state.map(({ index }) => index));
    if (!binary) expect(listed).toEqual(state);
    else for (const [n, { data }] of listed.entries()) expect(encode(state[n] as Json)).toBe(data);
  }
  const tickets = await ledger.rpc('ledger_data', { ledger_index: 'validated', type: 'ticket' });
  expect(tickets.state).toHaveLength(40);
  expect(await ledger.rpc('ledger_data', { marker: 'x' })).toMatchObject({
    error_message: "Invalid field 'marker', not valid.",
  });
  expect(await ledger.rpc('ledger_data', { type: 'x' })).toMatchObject({ error: 'invalidParams' });
});

test('the state holds the amendments', async () => {
  const { features } = await ledger.rpc('feature');
  const amendments = await ledger.rpc('ledger_data', { type: 'amendments', ledger_index: 'validated' });
  expect(((amendments.state as Json[])[0] as Json).Amendments).toEqual(Object.keys(features as Json));
  const id = '30CD365592B8EE40489BA01AE2F7555CAC9C983145871DC82A42A31CF5BAE7D9';
  const one = { [id]: { enabled: true, name: 'DeletableAccounts', supported: true } };
  expect(await ledger.rpc('feature', { feature: 'DeletableAccounts' })).toMatchObject(one);
  expect(await ledger.rpc('feature', { feature: id })).toMatchObject(one);
  expect(await ledger.rpc('feature', { feature: 'x' })).toMatchObject({ error: 'badFeature', error_code: 40 });
});

test('transaction_entry finds a transaction in its ledger only', async () => {
  const { tx_json } = await ledger.submit(payment(alice, bob, XRP), alice);
  const { hash } = tx_json as Json;
  ledger.controls.close();
  const ledger_index = (await ledger.rpc('ledger_closed')).ledger_index;
  const params = { tx_hash: hash, ledger_index };
  expect(await ledger.rpc('transaction_entry', params)).toMatchObject({
    hash,
    ledger_index,
    validated: true,
    close_time_iso: expect.any(String),
    tx_json: { DeliverMax: String(XRP) },
    meta: { delivered_amount: String(XRP) },
  });
  const old = await ledger.rpc('transaction_entry', { ...params, ...v1 });
  expect(old).toMatchObject({ tx_json: { hash, Amount: String(XRP) }, metadata: { TransactionResult: 'tesSUCCESS' } });
  const errorOf = async (other: Json) => (await ledger.rpc('transaction_entry', other)).error;
  expect(await errorOf({ ...params, ledger_index: Number(ledger_index) - 1 })).toBe('transactionNotFound');
  expect(await errorOf({ tx_hash: hash })).toBe('notYetImplemented');
  expect(await errorOf({ ledger_index })).toBe('fieldNotFoundTransaction');
  expect(await errorOf({ ...params, tx_hash: 'x' })).toBe('malformedRequest');
});

test('tx_history lists the newest transactions in API 1 only', async () => {
  for (let n = 1; n <= 25; n++) await ledger.submit(payment(alice, bob, n), alice);
  ledger.controls.close();
  const first = await ledger.rpc('tx_history', { start: 0, ...v1 });
  const second = await ledger.rpc('tx_history', { start: 20, ...v1 });
  expect(first.txs).toHaveLength(20);
  const amounts = [...(first.txs as Json[]), ...(second.txs as Json[])].map(tx => tx.Amount).slice(0, 25);
  expect(amounts).toEqual(Array.from({ length: 25 }, (_, n) => String(25 - n)));
  expect(await ledger.rpc('tx_history', { start: 0 })).toMatchObject({ error: 'unknownCmd' });
  expect(await ledger.rpc('tx_history', v1)).toMatchObject({ error: 'invalidParams' });
});

test('server_definitions are those of the codec, and only a hash for who has them', async () => {
  const all = await ledger.rpc('server_definitions');
  expect(Object.keys(all)).toEqual(
    expect.arrayContaining(['FIELDS', 'LEDGER_ENTRY_TYPES', 'TRANSACTION_RESULTS', 'TRANSACTION_TYPES', 'TYPES']),
  );
  const { hash } = all;
  const known = await ledger.rpc('server_definitions', { hash });
  expect(known).toEqual({ hash, status: 'success' });
});
