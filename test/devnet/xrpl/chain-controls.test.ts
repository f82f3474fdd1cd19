import { afterEach, beforeEach, expect, test } from 'vitest';
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
const bob = accountOf('bob');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());

const pay = (more: Json = {}) => ledger.submit(payment(alice, bob, XRP, more), alice);
const hashOf = (result: Json) => String((result.tx_json as Json).hash);
const validatedIndex = async () => Number((await ledger.rpc('ledger_closed')).ledger_index);

test('delay beyond LastLedgerSequence: the transaction is gone for good', async () => {
  ledger.controls.delayNext(3);
  const late = await pay({ LastLedgerSequence: (await validatedIndex()) + 2 });
  for (let n = 0; n < 6; n++) ledger.controls.close();
  expect(await ledger.rpc('tx', { transaction: hashOf(late) })).toMatchObject({ error: 'txnNotFound' });
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

test('a payment refused for its fee is made when the load falls within a few closes', async () => {
  ledger.controls.loadFactor(5);
  await pay();
  ledger.controls.loadFactor(1);
  ledger.controls.close();
  ledger.controls.close();
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
