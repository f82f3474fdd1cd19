import { expect, onTestFinished, test } from 'vitest';
import { GENESIS_ADDRESS, TOTAL_COINS } from '../../../src/devnet/xrpl/genesis.ts';
import { scratchDatabase } from '../../support/db/scratch-database.ts';
import { accountOf, payment, type TestLedger, testLedger, XRP } from '../../support/xrpl-ledger/test-ledger.ts';

const file = scratchDatabase();
const owner = accountOf('owner');
const DROPS = 1_000n * XRP;

const opened = async (options: Parameters<typeof testLedger>[0] = {}) => {
  const ledger = await testLedger({ endowed: new Map([[owner.address, DROPS]]), ...options });
  onTestFinished(() => ledger.close());
  return ledger;
};

async function expectEndowed(ledger: TestLedger) {
  expect(await ledger.account(owner.address, 2)).toMatchObject({ Balance: String(DROPS), Sequence: 1 });
  expect(await ledger.balance(GENESIS_ADDRESS)).toBe(TOTAL_COINS - DROPS);
  const { ledger: header } = await ledger.rpc('ledger', { ledger_index: 'validated' });
  expect((header as { total_coins: string }).total_coins).toBe(String(TOTAL_COINS));
}

test('an endowed account exists from the first ledger on, out of the coins there are, and pays', async () => {
  const ledger = await opened();
  await expectEndowed(ledger);
  const to = accountOf('paid');
  const answer = await ledger.submit(payment(owner, to, 5n * XRP), owner);
  expect(answer).toMatchObject({ engine_result: 'tesSUCCESS' });
  ledger.controls.close();
  expect(await ledger.balance(to.address)).toBe(5n * XRP);
  expect(await ledger.balance(owner.address)).toBe(DROPS - 5n * XRP - 10n);
});

test('the genesis account is as rich as ever when it is the one', async () => {
  const ledger = await opened({ endowed: new Map([[GENESIS_ADDRESS, DROPS]]) });
  expect(await ledger.balance(GENESIS_ADDRESS)).toBe(TOTAL_COINS);
});

test('it exists again when the ledger starts over', async () => {
  const ledger = await opened();
  await ledger.submit(payment(owner, accountOf('paid'), 5n * XRP), owner);
  ledger.controls.close();
  ledger.controls.startOver();
  await expectEndowed(ledger);
});

test('a ledger that was begun without it stays as it is', async () => {
  const databasePath = file('xrpl.sqlite');
  const first = await testLedger({ databasePath });
  await first.close();
  const ledger = await opened({ databasePath });
  expect(await ledger.account(owner.address)).toBeUndefined();
  expect(await ledger.balance(GENESIS_ADDRESS)).toBe(TOTAL_COINS);
});
