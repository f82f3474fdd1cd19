import { expect, test } from 'vitest';
import { heldLedgers } from '../../src/sandbox/runs/held-ledgers.ts';

test('the runs of a sandbox hold a ledger one after the other, and none releases that of another', async () => {
  const networks = {};
  const [one, two] = [heldLedgers(networks), heldLedgers(networks)];
  await one.take('ETH', 'first');
  const taken: string[] = [];
  const waiting = ['second', 'third'].map(run => two.take('ETH', run).then(() => taken.push(run)));
  await two.take('XRP', 'second');
  expect(two.isFree('ETH', 'second')).toBe(false);
  expect(two.isFree('ETH', 'first')).toBe(true);
  two.release('ETH', 'second');
  await new Promise(resolve => setImmediate(resolve));
  expect(taken).toEqual([]);
  one.release('ETH', 'first');
  await waiting[0];
  await new Promise(resolve => setImmediate(resolve));
  expect(taken).toEqual(['second']);
  two.release('ETH', 'second');
  await waiting[1];
  expect(taken).toEqual(['second', 'third']);
  expect(heldLedgers({}).isFree('ETH', 'after a restart')).toBe(true);
});
