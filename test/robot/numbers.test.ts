import { expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { openDb } from '../../src/db/open.ts';
import { numbersStayWhole } from '../support/numbers/histories.ts';
import { walletWorld } from '../support/numbers/wallet-world.ts';

const STEPS = 1_500;
const SEED = Number(process.env.TEST_SEED ?? Date.now() & 0x7fffffff);

test.each(ASSET_SYMBOLS)(
  `SEND-3, D-47, %s: after any history no number has a hole, nobody is paid twice, and nothing waits (TEST_SEED=${SEED})`,
  async symbol => {
    await expect(numbersStayWhole(symbol, STEPS, SEED)).resolves.toBeUndefined();
  },
);

test('SEND-3, SEND-5: a filler whose block was replaced by one with another use of its number ends', async () => {
  const db = openDb(':memory:');
  const world = walletWorld(db, 'ETH');
  world.order(0);
  world.ledger.answerNext('malformed');
  await world.run();
  world.order(1);
  await world.run();
  world.ledger.mine(1);
  await world.read();
  await world.run();
  world.reorganise(true);
  world.useByAnother();
  world.ledger.mine(10);
  await world.read();
  await world.run();
  await world.end();
  const { onLedger, inDatabase } = world.books();
  expect(onLedger).toEqual(inDatabase);
  db.close();
});
