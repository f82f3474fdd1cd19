import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  accountOf,
  genesis,
  type Json,
  payment,
  type TestLedger,
  testLedger,
  XRP,
} from '../../support/xrpl-ledger/test-ledger.ts';

const EXPECTED = 5;
const alice = accountOf('alice');
const bob = accountOf('bob');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await testLedger({ expectedLedgerSize: EXPECTED });
  await ledger.fund(alice.address, 100n * XRP);
  await ledger.fund(bob.address, 100n * XRP);
  for (let n = 0; n <= EXPECTED; n++) await ledger.submit(payment(genesis, bob, 1), genesis);
});
afterEach(() => ledger.close());

const pay = (more: Json = {}) => ledger.submit(payment(alice, bob, XRP, more), alice);
const next = async () => Number((await ledger.account(alice.address, 'current'))?.Sequence);

test('XRPL-4.2: past the expected size the base fee is queued (terQUEUED) and gets into the next ledger', async () => {
  const first = await next();
  expect(await pay()).toMatchObject({
    engine_result: 'terQUEUED',
    engine_result_code: -89,
    queued: true,
    applied: false,
  });
  expect(await pay({ Sequence: first + 1 })).toMatchObject({
    engine_result: 'terQUEUED',
    account_sequence_available: first + 2,
  });
  const data = (await ledger.rpc('account_info', { account: alice.address, ledger_index: 'current', queue: true }))
    .queue_data;
  expect(data).toMatchObject({ txn_count: 2, lowest_sequence: first, highest_sequence: first + 1 });
  ledger.controls.close();
  ledger.controls.close();
  expect(await ledger.balance(alice.address)).toBe(98n * XRP - 20n);
});

test('the advertised fee of a crowded ledger gets in at once', async () => {
  const fee = await ledger.rpc('fee');
  const cost = (fee.drops as Json).open_ledger_fee;
  expect(Number(cost)).toBeGreaterThan(5_000);
  expect(((await ledger.rpc('server_info')).info as Json).load_factor).toBeGreaterThan(500);
  expect(await pay({ Fee: String(cost) })).toMatchObject({ engine_result: 'tesSUCCESS', applied: true });
});

const queueSize = async () => (await ledger.rpc('fee')).current_queue_size;

test('a transaction takes the place of a queued one with its Sequence if it pays over a quarter more', async () => {
  const Sequence = await next();
  expect(await pay({ Sequence, Fee: '20' })).toMatchObject({ engine_result: 'terQUEUED' });
  for (const Fee of ['20', '25'])
    expect(await pay({ Sequence, Fee, DestinationTag: 1 })).toMatchObject({
      engine_result: 'telCAN_NOT_QUEUE_FEE',
      engine_result_code: -388,
      queued: false,
    });
  expect(await pay({ Sequence, Fee: '26', DestinationTag: 2 })).toMatchObject({ engine_result: 'terQUEUED' });
  expect(await queueSize()).toBe('1');
  ledger.controls.close();
  ledger.controls.close();
  expect(await ledger.balance(alice.address)).toBe(99n * XRP - 26n);
  const { transactions } = await ledger.rpc('account_tx', { account: alice.address, limit: 1 });
  expect((transactions as Json[])[0]).toMatchObject({ tx_json: { DestinationTag: 2 } });
});

test('one that pays for the open ledger enters it in place of the queued one, and those behind follow', async () => {
  const Sequence = await next();
  const replaced = await pay({ Sequence });
  await pay({ Sequence: Sequence + 1 });
  const { open_ledger_fee: Fee } = (await ledger.rpc('fee')).drops as { open_ledger_fee: string };
  expect(await pay({ Sequence, Fee })).toMatchObject({ engine_result: 'tesSUCCESS', applied: true, queued: false });
  const { hash } = replaced.tx_json as { hash: string };
  expect(await ledger.rpc('tx', { transaction: hash })).toMatchObject({ error: 'txnNotFound' });
  expect(await queueSize()).toBe('1');
  ledger.controls.close();
  ledger.controls.close();
  expect(await ledger.balance(alice.address)).toBe(98n * XRP - 10n - BigInt(Fee));
});

test('one that is queued may be sent again, and replaced where no other finds a place', async () => {
  const first = await next();
  for (let n = 0; n < 2; n++) expect(await pay({ Sequence: first })).toMatchObject({ engine_result: 'terQUEUED' });
  for (let n = 1; n < 10; n++) await pay({ Sequence: first + n });
  expect(await pay({ Sequence: first + 10 })).toMatchObject({ engine_result: 'telCAN_NOT_QUEUE_FULL' });
  expect(await pay({ Sequence: first + 9, Fee: '13' })).toMatchObject({ engine_result: 'terQUEUED' });
  expect(await queueSize()).toBe('10');
});

test('an account may queue ten, and with fail_hard nothing', async () => {
  const first = await next();
  for (let n = 0; n < 10; n++) expect(await pay({ Sequence: first + n })).toMatchObject({ engine_result: 'terQUEUED' });
  expect(await pay({ Sequence: first + 10 })).toMatchObject({ engine_result: 'telCAN_NOT_QUEUE_FULL' });
  expect(await ledger.rpc('fee')).toMatchObject({ current_queue_size: '10', max_queue_size: '100' });
  const hard = await ledger.submit(payment(bob, alice, 1), bob, { fail_hard: true });
  expect(hard).toMatchObject({ engine_result: 'telCAN_NOT_QUEUE', kept: false });
});

test('a queued transaction is dropped once its LastLedgerSequence has passed', async () => {
  const open = Number((await ledger.rpc('ledger_current')).ledger_current_index);
  expect(await pay({ LastLedgerSequence: open })).toMatchObject({ engine_result: 'terQUEUED' });
  ledger.controls.close();
  expect((await ledger.rpc('fee')).current_queue_size).toBe('0');
  expect(await ledger.balance(alice.address)).toBe(100n * XRP);
});

test('the expected size grows by a fifth above a full ledger', async () => {
  ledger.controls.close();
  expect((await ledger.rpc('fee')).expected_ledger_size).toBe(String(Math.floor(((EXPECTED + 1) * 6) / 5)));
});
