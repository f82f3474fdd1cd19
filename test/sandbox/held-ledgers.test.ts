import { expect, onTestFinished, test } from 'vitest';
import { heldLedgers } from '../../src/sandbox/held-ledgers.ts';

const going = new AbortController().signal;

test('the runs of a sandbox hold a ledger one after the other, and none releases that of another', async () => {
  const held = heldLedgers();
  await held.take('ETH', 'first', going);
  const taken: string[] = [];
  const waiting = ['second', 'third'].map(run => held.take('ETH', run, going).then(() => taken.push(run)));
  await held.take('XRP', 'second', going);
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
  await held.take('XRP', 'one', going);
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

test('many that wait for one ledger give no warning', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => void warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  const held = heldLedgers();
  await held.take('XRP', 'one', going);
  const waiting = Array.from({ length: 15 }, () => held.whenFree('XRP', 'two', 60_000));
  held.release('XRP', 'one');
  await Promise.all(waiting);
  await new Promise(setImmediate);
  expect(warnings).toEqual([]);
});

test('G2: a run that is stopped waits for no other one, and takes nothing', async () => {
  const held = heldLedgers();
  await held.take('ETH', 'first', going);
  const stop = new AbortController();
  const waiting = held.take('ETH', 'second', stop.signal);
  stop.abort(new Error('the run was stopped'));
  await expect(waiting).rejects.toThrow('the run was stopped');
  await expect(held.take('ETH', 'second', stop.signal)).rejects.toThrow('the run was stopped');
  const third = held.take('ETH', 'third', going);
  held.release('ETH', 'first');
  await third;
  expect(held.isFree('ETH', 'third')).toBe(true);
});
