import { expect, test } from 'vitest';
import { type Batch, batches } from '../../src/kernel/batch.ts';
import { atOnce } from '../../src/kernel/turns.ts';

const batchOf = (owner: string, changes: Partial<Batch<string>>): Batch<string> => ({
  read: () => ['a', 'b'],
  owner,
  turns: atOnce,
  serve: async call => call,
  refuse: (_, why) => why,
  ...changes,
});
/** Resolves after everything that waits for nothing from outside. */
const quiet = () => new Promise(resolve => setImmediate(resolve));

test('B3: while a batch is served, the next one of its owner is only text, and that of another owner is served', async () => {
  const begun: string[] = [];
  let end = (): void => {};
  const isServed = new Promise<string>(resolve => {
    end = () => resolve('served');
  });
  const answersTo = batches();
  const start = (owner: string, name: string) => {
    const read = () => {
      begun.push(name);
      return ['call'];
    };
    return answersTo(batchOf(owner, { read, serve: () => isServed }), 100);
  };
  const all = [start('one', 'first'), start('one', 'second'), start('other', 'third'), start('', 'fourth')];
  const last = start('', 'fifth');
  await quiet();
  expect(begun.toSorted()).toEqual(['fifth', 'first', 'fourth', 'third']);
  end();
  expect(await Promise.all([...all, last])).toEqual(Array(5).fill(['served']));
  expect(begun.at(-1)).toBe('second');
});

test('B3: beyond the length of all answers no call is served any more', async () => {
  const served: string[] = [];
  const serve = async (call: string) => {
    served.push(call);
    return call;
  };
  const read = () => ['aaaa', 'bbbb', 'cccc', 'd'];
  expect(await batches()(batchOf('one', { read, serve }), 7)).toEqual(['aaaa', ...Array(3).fill('too long')]);
  expect(served).toEqual(['aaaa', 'bbbb']);
});

test('the calls after the end of the time are not served', async () => {
  const over = new AbortController();
  const serve = async (call: string) => {
    over.abort();
    return call;
  };
  expect(await batches()(batchOf('one', { gone: over.signal, serve }), 7)).toEqual(['a', 'late']);
  const untilLate = (call: string, timeIsUp: AbortSignal) =>
    new Promise<string>(resolve => timeIsUp.addEventListener('abort', () => resolve(call)));
  expect(await batches()(batchOf('one', { withinMs: 5, serve: untilLate }), 7)).toEqual(['a', 'late']);
});

test.each(['', 'one'])('B6: between two calls of the batch of owner `%s` the event loop goes on', async owner => {
  let rounds = 0;
  let isOver = false;
  const eachRound = () => {
    rounds++;
    if (!isOver) setImmediate(eachRound);
  };
  eachRound();
  const served: number[] = [];
  const serve = async (call: string) => {
    served.push(rounds);
    return call;
  };
  await batches()(batchOf(owner, { read: () => ['a', 'b', 'c'], serve }), 100);
  isOver = true;
  expect(served).toEqual([...new Set(served)]);
});
