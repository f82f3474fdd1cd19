import { expect, test } from 'vitest';
import { heldLedgers } from '../../src/sandbox/chains/held-ledgers.ts';

test('the runs of a sandbox hold a ledger one after the other, and none releases that of another', async () => {
  const held = heldLedgers();
  await held.take('ETH', 'first');
  const taken: string[] = [];
  const waiting = ['second', 'third'].map(run => held.take('ETH', run).then(() => taken.push(run)));
  await held.take('XRP', 'second');
  expect(held.isFree('ETH', 'second')).toBe(false);
  expect(held.isFree('ETH', 'first')).toBe(true);
  held.release('ETH', 'second');
  await new Promise(resolve => setImmediate(resolve));
  expect(taken).toEqual([]);
  held.release('ETH', 'first');
  await waiting[0];
  await new Promise(resolve => setImmediate(resolve));
  expect(taken).toEqual(['second']);
  held.release('ETH', 'second');
  await waiting[1];
  expect(taken).toEqual(['second', 'third']);
  expect(heldLedgers().isFree('ETH', 'after a restart')).toBe(true);
});

test('the faucet waits for the run of another VASP, and not for the own one', async () => {
  const held = heldLedgers();
  await held.take('XRP', 'one');
  await held.whenFree('XRP', 'one', 60_000);
  await held.whenFree('ETH', 'two', 60_000);
  await held.whenFree('XRP', 'two', 1);
  let isFree = false;
  const waiting = held.whenFree('XRP', 'two', 60_000).then(() => {
    isFree = true;
  });
  await new Promise(resolve => setImmediate(resolve));
  expect(isFree).toBe(false);
  held.release('XRP', 'one');
  await waiting;
});
