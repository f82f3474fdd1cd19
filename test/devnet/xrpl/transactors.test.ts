import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountOf,
  fundedLedger,
  type Json,
  NETWORK_ID,
  payment,
  signed,
  type TestLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob', 'ecdsa-secp256k1');
const key = accountOf('regular key');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());

/** Submits, closes, and answers the result in the closed ledger. */
async function settled(json: Json, signer = alice): Promise<string> {
  const submitted = await ledger.submit({ Account: alice.address, ...json }, signer);
  ledger.controls.close();
  const found = await ledger.rpc('tx', { transaction: (submitted.tx_json as Json).hash });
  return String((found.meta as Json | undefined)?.TransactionResult ?? submitted.engine_result);
}
const set = (json: Json, signer = alice) => settled({ TransactionType: 'AccountSet', ...json }, signer);
const flags = async (address = alice.address) =>
  (await ledger.rpc('account_info', { account: address, ledger_index: 'validated' })).account_flags as Record<
    string,
    boolean
  >;

test.each([
  [1, 'requireDestinationTag'],
  [2, 'requireAuthorization'],
  [3, 'disallowIncomingXRP'],
  [7, 'globalFreeze'],
  [8, 'defaultRipple'],
  [9, 'depositAuth'],
  [12, 'disallowIncomingNFTokenOffer'],
  [13, 'disallowIncomingCheck'],
  [14, 'disallowIncomingPayChan'],
  [15, 'disallowIncomingTrustline'],
  [17, 'allowTrustLineLocking'],
])('XRPL-4.3 AccountSet: asf %i switches %s on and off', async (asf, name) => {
  expect(await set({ SetFlag: asf })).toBe('tesSUCCESS');
  expect((await flags())[name]).toBe(true);
  expect(await set({ ClearFlag: asf })).toBe('tesSUCCESS');
  expect((await flags())[name]).toBe(false);
});

test('XRPL-4.3 AccountSet: an empty Domain removes it', async () => {
  await set({ Domain: '6578616D706C652E636F6D' });
  expect(await ledger.account(alice.address)).toMatchObject({ Domain: '6578616D706C652E636F6D' });
  await set({ Domain: '' });
  expect(await ledger.account(alice.address)).not.toHaveProperty('Domain');
});

test('AccountTxnID: once kept, a transaction may insist on its predecessor', async () => {
  await set({ SetFlag: 5 });
  const last = await ledger.submit(payment(alice, bob, 1), alice);
  const AccountTxnID = (last.tx_json as Json).hash;
  const wrong = await ledger.submit(payment(alice, bob, 1, { AccountTxnID: 'AB'.repeat(32) }), alice);
  expect(wrong).toMatchObject({ engine_result: 'tefWRONG_PRIOR', engine_result_code: -189 });
  expect(await settled(payment(alice, bob, 1, { AccountTxnID }))).toBe('tesSUCCESS');
  await set({ ClearFlag: 5 });
  expect(await ledger.account(alice.address)).not.toHaveProperty('AccountTxnID');
});

test('the master key can be disabled only with another key in place, and then signs nothing', async () => {
  expect(await set({ SetFlag: 4 })).toBe('tecNO_ALTERNATIVE_KEY');
  await settled({ TransactionType: 'SetRegularKey', RegularKey: key.address });
  expect(await set({ SetFlag: 4 }, key)).toBe('tecNEED_MASTER_KEY');
  expect(await set({ SetFlag: 4 })).toBe('tesSUCCESS');
  expect(await settled(payment(alice, bob, 1))).toBe('tefMASTER_DISABLED');
  expect(await settled({ TransactionType: 'SetRegularKey' }, key)).toBe('tecNO_ALTERNATIVE_KEY');
  expect(await settled(payment(alice, bob, 1), key)).toBe('tesSUCCESS');
  expect(await set({ ClearFlag: 4 }, key)).toBe('tesSUCCESS');
  expect(await settled(payment(alice, bob, 1))).toBe('tesSUCCESS');
});

test('NFTokenMinter goes with its flag, and neither comes alone', async () => {
  expect(await set({ SetFlag: 10 })).toBe('temMALFORMED');
  expect(await set({ SetFlag: 10, NFTokenMinter: bob.address })).toBe('tesSUCCESS');
  expect(await ledger.account(alice.address)).toMatchObject({ NFTokenMinter: bob.address });
  expect(await set({ ClearFlag: 10 })).toBe('tesSUCCESS');
  expect(await ledger.account(alice.address)).not.toHaveProperty('NFTokenMinter');
});

test('tickets: created over several directory pages, used in any order, gone afterwards', async () => {
  const before = Number((await ledger.account(alice.address))?.Sequence);
  expect(await settled({ TransactionType: 'TicketCreate', TicketCount: 70 })).toBe('tesSUCCESS');
  expect(await ledger.account(alice.address)).toMatchObject({ OwnerCount: 70, TicketCount: 70, Sequence: before + 71 });
  const order = Array.from({ length: 70 }, (_, n) => before + 1 + ((n * 37) % 70));
  for (const TicketSequence of order) {
    const paid = await ledger.submit(payment(alice, bob, 1, { Sequence: 0, TicketSequence }), alice);
    expect(paid.engine_result).toBe('tesSUCCESS');
  }
  ledger.controls.close();
  const after = await ledger.account(alice.address);
  expect(after).toMatchObject({ OwnerCount: 0, Sequence: before + 71 });
  expect(after).not.toHaveProperty('TicketCount');
  const { account_objects } = await ledger.rpc('account_objects', { account: alice.address });
  expect(account_objects).toEqual([]);
});

test('account_objects pages through the tickets', async () => {
  await settled({ TransactionType: 'TicketCreate', TicketCount: 45 });
  const seen: unknown[] = [];
  let marker: unknown;
  do {
    const page = await ledger.rpc('account_objects', {
      account: alice.address,
      limit: 10,
      ...(marker ? { marker } : {}),
    });
    seen.push(...(page.account_objects as Json[]).map(entry => entry.TicketSequence));
    marker = page.marker;
  } while (marker);
  expect(new Set(seen).size).toBe(45);
});

test('a blob that is not written canonically is refused', async () => {
  const blob = signed(payment(alice, bob, 1, { Fee: '10', Sequence: 1, NetworkID: NETWORK_ID }), alice);
  // The field Sequence twice, one behind the other.
  const twice = blob.replace('2400000001', '24000000012400000001');
  expect(await ledger.submitBlob(twice)).toMatchObject({
    error: 'invalidTransaction',
    error_exception: expect.any(String),
  });
});

test.each([
  ['a field of another type', { TicketCount: 3 }, /Field 'TicketCount' found in disallowed location/],
  ['no Destination', { Destination: undefined }, /Field 'Destination' is required but missing/],
])('%s: invalidTransaction', async (_name, change, message) => {
  const json = payment(alice, bob, 1, { Sequence: 1, ...change });
  const answer = await ledger.submit(
    Object.fromEntries(Object.entries(json).filter(([, value]) => value !== undefined)),
    alice,
  );
  expect(answer).toMatchObject({ error: 'invalidTransaction', error_exception: expect.stringMatching(message) });
});

test('a memo that is too long or badly typed fails the local checks', async () => {
  const memo = (Memo: Json) => ledger.submit(payment(alice, bob, 1, { Memos: [{ Memo }] }), alice);
  expect(await memo({ MemoData: 'AB'.repeat(1100) })).toMatchObject({
    error_exception: expect.stringContaining('maximum allowed size'),
  });
  expect(await memo({ MemoType: '00' })).toMatchObject({ error_exception: expect.stringContaining('RFC 3986') });
  expect(await memo({ MemoType: '74657874', MemoData: '00FF' })).toMatchObject({ engine_result: 'tesSUCCESS' });
});

test('tecINSUFF_FEE: a fee that was there provisionally and is gone at the close takes all that is left', async () => {
  const poor = accountOf('poor');
  await ledger.fund(poor.address, 2n * XRP);
  const Sequence = Number((await ledger.account(poor.address))?.Sequence);
  const submit = (json: Json) => ledger.submit({ Account: poor.address, ...json }, poor);
  await submit({ TransactionType: 'AccountSet', Sequence: Sequence + 1, Fee: '1500000' });
  await ledger.submit(payment(alice, poor, 2n * XRP), alice);
  await submit({ TransactionType: 'AccountSet', Sequence, Fee: '1500000' });
  ledger.controls.reorderNextClose();
  ledger.controls.close();
  const { transactions } = await ledger.rpc('account_tx', { account: poor.address });
  const results = (transactions as Json[]).map(({ meta }) => (meta as Json).TransactionResult);
  expect(results).toContain('tecINSUFF_FEE');
});
