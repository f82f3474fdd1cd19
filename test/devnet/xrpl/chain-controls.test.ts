import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountOf,
  fundedLedger,
  genesis,
  type Json,
  payment,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const alice = accountOf('alice');
const bob = accountOf('bob');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());

const pay = (more: Json = {}) => ledger.submit(payment(alice, bob, XRP, more), alice);
const hashOf = (result: Json) => String((result.tx_json as Json).hash);
const validatedIndex = async () => Number((await ledger.rpc('ledger_closed')).ledger_index);

test('drop: the submission is answered with success and never reaches a ledger; the next one is whole', async () => {
  ledger.controls.dropNext();
  const lost = await pay();
  expect(lost).toMatchObject({ engine_result: 'tesSUCCESS', applied: true });
  for (let n = 0; n < 3; n++) ledger.controls.close();
  expect(await ledger.rpc('tx', { transaction: hashOf(lost) })).toMatchObject({ error: 'txnNotFound' });
  expect(await ledger.balance(bob.address)).toBe(100n * XRP);
  await pay();
  ledger.controls.close();
  expect(await ledger.balance(bob.address)).toBe(101n * XRP);
});

test('delay: the submission is answered with success and is validated that many closes later', async () => {
  ledger.controls.delayNext(2);
  const late = await pay();
  expect(late.engine_result).toBe('tesSUCCESS');
  const at = await validatedIndex();
  for (let n = 0; n < 2; n++) ledger.controls.close();
  expect(await ledger.rpc('tx', { transaction: hashOf(late) })).toMatchObject({ validated: false });
  ledger.controls.close();
  expect(await ledger.rpc('tx', { transaction: hashOf(late) })).toMatchObject({
    validated: true,
    ledger_index: at + 3,
  });
});

test('delay beyond LastLedgerSequence: the transaction is gone for good', async () => {
  ledger.controls.delayNext(3);
  const late = await pay({ LastLedgerSequence: (await validatedIndex()) + 2 });
  for (let n = 0; n < 6; n++) ledger.controls.close();
  expect(await ledger.rpc('tx', { transaction: hashOf(late) })).toMatchObject({ error: 'txnNotFound' });
});

test('reorder: a payment that was provisionally good fails in the closed ledger', async () => {
  const poor = accountOf('poor');
  await ledger.fund(poor.address, 2n * XRP);
  await ledger.submit(payment(alice, poor, 50n * XRP), alice);
  const late = await ledger.submit(payment(poor, bob, 40n * XRP), poor);
  expect(late.engine_result).toBe('tesSUCCESS');
  ledger.controls.reorderNextClose();
  ledger.controls.close();
  const found = await ledger.rpc('tx', { transaction: hashOf(late) });
  expect(found).toMatchObject({ validated: true, meta: { TransactionResult: 'tecUNFUNDED_PAYMENT' } });
  expect(await ledger.balance(poor.address)).toBe(52n * XRP - 10n);
});

test('failPayment: a provisionally good payment to this account and tag fails, and the next one arrives', async () => {
  const fail = (tag?: number) => ledger.controls.failPayment(bob.address, tag);
  expect(fail(7)).toBeUndefined();
  const failed = await pay({ DestinationTag: 7 });
  const other = await ledger.submit(payment(bob, alice, XRP), bob);
  expect(failed.engine_result).toBe('tesSUCCESS');
  expect(fail()).toBeUndefined();
  expect(fail(7)).toBe(hashOf(failed));
  const resultOf = async (result: Json) =>
    ((await ledger.rpc('tx', { transaction: hashOf(result) })).meta as Json).TransactionResult;
  expect([await resultOf(failed), await resultOf(other)]).toEqual(['tecNO_PERMISSION', 'tesSUCCESS']);
  const next = await pay({ DestinationTag: 7 });
  ledger.controls.close();
  expect(await resultOf(next)).toBe('tesSUCCESS');
});

test('load factor: less than the raised fee is telINSUF_FEE_P, the advertised fee is enough', async () => {
  ledger.controls.loadFactor(5);
  expect(await pay()).toMatchObject({ engine_result: 'telINSUF_FEE_P', engine_result_code: -394, applied: false });
  const { load_factor } = (await ledger.rpc('server_info')).info as Json;
  expect(load_factor).toBe(5);
  expect(await pay({ Fee: '50' })).toMatchObject({ engine_result: 'tesSUCCESS' });
});

test('a payment refused for its fee is made when the load falls within a few closes', async () => {
  ledger.controls.loadFactor(5);
  await pay();
  ledger.controls.loadFactor(1);
  ledger.controls.close();
  ledger.controls.close();
  expect(await ledger.balance(bob.address)).toBe(101n * XRP);
});

test('hold: the timer closes nothing until it is let go; the chain control still does', async () => {
  const timed = await testLedger({ closeIntervalMs: 5 });
  try {
    timed.controls.hold(true);
    const funded = timed.fund(alice.address, 10n * XRP);
    const { index } = timed.controls.close();
    await funded;
    expect((await timed.rpc('ledger_closed')).ledger_index).toBe(index);
    timed.controls.hold(false);
    await timed.fund(bob.address, 10n * XRP);
    expect(Number((await timed.rpc('ledger_closed')).ledger_index)).toBeGreaterThan(index);
  } finally {
    await timed.close();
  }
});

test('forget history: what is gone is a gap that a reader can see', async () => {
  const old = await pay();
  ledger.controls.close();
  const upTo = await validatedIndex();
  ledger.controls.close();
  ledger.controls.forgetHistory(upTo);
  const info = (await ledger.rpc('server_info')).info as Json;
  expect(info.complete_ledgers).toBe(`${upTo + 1}`);
  expect(await ledger.rpc('tx', { transaction: hashOf(old) })).toMatchObject({ error: 'txnNotFound' });
  expect(await ledger.rpc('ledger', { ledger_index: upTo })).toMatchObject({ error: 'lgrNotFound' });
  const range = { account: bob.address, ledger_index_min: upTo, ledger_index_max: -1 };
  expect(await ledger.rpc('account_tx', range)).toMatchObject({ error: 'lgrIdxMalformed', error_code: 58 });
  expect((await ledger.rpc('account_tx', { account: bob.address })).transactions).toEqual([]);
  expect(await ledger.balance(bob.address)).toBe(101n * XRP);
});

test('start over: a new genesis with other hashes, nothing of the old ledger, and it works', async () => {
  for (let n = 0; n < 5; n++) ledger.controls.close();
  const second = (await ledger.rpc('ledger', { ledger_index: 2 })).ledger_hash;
  ledger.controls.startOver();
  expect(await validatedIndex()).toBe(2);
  expect((await ledger.rpc('ledger_closed')).ledger_hash).not.toBe(second);
  expect(await ledger.account(bob.address)).toBeUndefined();
  expect((await ledger.account(genesis.address))?.Balance).toBe(String(10n ** 17n));
  await ledger.fund(bob.address, 7n * XRP);
  expect(await ledger.balance(bob.address)).toBe(7n * XRP);
});
