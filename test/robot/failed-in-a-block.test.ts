import { expect, onTestFinished, test } from 'vitest';
import type { TransactionState } from '../../src/chains/port.ts';
import { openDb } from '../../src/db/open.ts';
import * as transfers from '../../src/robot/transfer/store.ts';
import { walletWorld } from '../support/numbers/wallet-world.ts';

/** SEND-5, SEND-6: a block takes the place of another one between two looks, and the payment does otherwise there. */

const UUID = 'verification 0';

/** Looks at the payment in the state that its chain tells. Returns status, note, and whether its hash is reported. */
async function looking() {
  const db = openDb(':memory:');
  onTestFinished(() => db.close());
  const { ledger, order, run } = walletWorld(db, 'ETH');
  order(0);
  await run();
  return async (state: TransactionState) => {
    ledger.chain.stateOf = async () => state;
    await run();
    const { status, note, reportedTxHash } = transfers.find(db, UUID)!;
    return [status, note, reportedTxHash !== null];
  };
}
const block = { status: 'included', height: 1 } as const;
const paidIn = (blockHash: string): TransactionState => ({ ...block, blockHash, succeeded: true });
const failedIn = (blockHash: string): TransactionState => ({
  ...block,
  blockHash,
  succeeded: false,
  failure: 'reverted',
});

test('SEND-6: it fails, and pays in the other block: its hash is reported before it is final', async () => {
  const look = await looking();
  expect(await look(failedIn('a'))).toEqual(['WAIT-CONFIRM', 'reverted', false]);
  expect(await look(paidIn('b'))).toEqual(['WAIT-CONFIRM', '', true]);
});

test('SEND-5: it pays, fails in the other block, and pays again: the note is that of its newest block', async () => {
  const look = await looking();
  expect(await look(paidIn('a'))).toEqual(['WAIT-CONFIRM', '', true]);
  expect(await look(failedIn('b'))).toEqual(['WAIT-CONFIRM', 'reverted', true]);
  expect(await look(paidIn('c'))).toEqual(['WAIT-CONFIRM', '', true]);
});

test('SEND-5: it fails, and no block holds it any more: it has not failed', async () => {
  const look = await looking();
  expect(await look(failedIn('a'))).toEqual(['WAIT-CONFIRM', 'reverted', false]);
  expect(await look({ status: 'pending' })).toEqual(['PROCESSING', '', false]);
});
