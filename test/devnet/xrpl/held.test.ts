import { afterEach, beforeEach, expect, test } from 'vitest';
import { scratchDatabase } from '../../support/db/scratch-database.ts';
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

const file = scratchDatabase();
const alice = accountOf('alice');
const bob = accountOf('bob');
let ledger: TestLedger;
beforeEach(async () => {
  ledger = await fundedLedger(alice, bob);
});
afterEach(() => ledger.close());

const sequenceOf = async (address: string) => Number((await ledger.account(address, 'current'))?.Sequence);
const pay = (Sequence: number, more: Json = {}) =>
  ledger.submit(payment(alice, bob, XRP, { Sequence, ...more }), alice);

test('a payment of an account that does not exist yet is made when the account is funded', async () => {
  const carol = accountOf('carol');
  const created = Number((await ledger.rpc('ledger_current')).ledger_current_index);
  const result = await ledger.submit(payment(carol, bob, XRP, { Sequence: created }), carol);
  expect(result.engine_result).toBe('terNO_ACCOUNT');
  await ledger.submit(payment(genesis, carol, 50n * XRP), genesis);
  ledger.controls.close();
  ledger.controls.close();
  expect(await ledger.balance(carol.address)).toBe(49n * XRP - 10n);
});

test('a held transaction is dropped once its LastLedgerSequence has passed', async () => {
  const first = await sequenceOf(alice.address);
  const open = Number((await ledger.rpc('ledger_current')).ledger_current_index);
  const held = await pay(first + 1, { LastLedgerSequence: open });
  const { hash } = held.tx_json as { hash: string };
  expect(await ledger.rpc('tx', { transaction: hash })).toMatchObject({ hash, validated: false });
  ledger.controls.close();
  await pay(first);
  ledger.controls.close();
  expect(await ledger.rpc('tx', { transaction: hash })).toMatchObject({ error: 'txnNotFound' });
  expect(await ledger.balance(bob.address)).toBe(101n * XRP);
});

test('XRPL-4.3: at close the order is canonical: whoever submitted first, results settle in several passes', async () => {
  const poor = accountOf('poor');
  await ledger.fund(poor.address, 2n * XRP);
  await ledger.submit(payment(alice, poor, 50n * XRP), alice);
  const late = await ledger.submit(payment(poor, bob, 40n * XRP), poor);
  expect(late.engine_result).toBe('tesSUCCESS');
  ledger.controls.close();
  expect(await ledger.balance(poor.address)).toBe(12n * XRP - 10n);
});

test('what was accepted outlives the end of the process, in the open ledger or held, and nothing else does', async () => {
  const databasePath = file('xrpl.sqlite');
  const first = await testLedger({ databasePath });
  const hashOf = async (drops: number, more: Json = {}, params: Json = {}) => {
    const answer = await first.submit(payment(genesis, bob, drops * 1_000_000, more), genesis, params);
    return (answer.tx_json as { hash: string }).hash;
  };
  const held = await hashOf(2, { Sequence: 2 });
  const later = await hashOf(4, { Sequence: 4 });
  const open = await hashOf(1);
  first.controls.dropNext();
  const refused = [
    await hashOf(8, { Sequence: 3 }),
    await hashOf(16, { Sequence: 1 }),
    await hashOf(32, { Sequence: 6, DestinationTag: 1 }, { fail_hard: true }),
  ];
  await first.close();
  for (let restarts = 0; restarts < 2; restarts++) {
    const ledger = await testLedger({ databasePath });
    const stateOf = async (transaction: string) => {
      const { error, validated } = await ledger.rpc('tx', { transaction });
      return error ?? validated;
    };
    for (const hash of refused) expect(await stateOf(hash)).toBe('txnNotFound');
    ledger.controls.close();
    for (const hash of [open, held]) expect(await stateOf(hash)).toBe(true);
    expect(await stateOf(later)).toBe(false);
    expect(await ledger.balance(bob.address)).toBe(3n * XRP);
    await ledger.close();
  }
});
