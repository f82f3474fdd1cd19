import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { firstAborted } from '../../src/kernel/turns.ts';

const listening = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('aborts with the first of its signals, also with one that has aborted before', () => {
  const [one, other] = [new AbortController(), new AbortController()];
  const { signal } = firstAborted(one.signal, other.signal);
  expect(signal.aborted).toBe(false);
  other.abort();
  expect(signal.aborted).toBe(true);
  expect(firstAborted(one.signal, other.signal).signal.aborted).toBe(true);
  expect(listening(one.signal)).toBe(0);
});

test('B6: nothing of it stays with a signal that never aborts', () => {
  const stays = new AbortController().signal;
  for (let n = 0; n < 50; n++) firstAborted(new AbortController().signal, stays).release();
  expect(listening(stays)).toBe(0);
});
