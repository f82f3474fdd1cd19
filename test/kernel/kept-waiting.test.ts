import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { fairTurns } from '../../src/http/fair-turns.ts';
import { elapsedMs } from '../../src/kernel/clock.ts';
import { keepWaiting, ownDelay, watchKeptWaiting } from '../../src/kernel/kept-waiting.ts';

function watch(caller: string) {
  onTestFinished(watchKeptWaiting(caller));
  return ownDelay(caller);
}

describe('by a clock of its own', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTime(ms);

  test('waits that overlap count once, each without its first tenth of a second', () => {
    const ms = watch('a');
    const endOne = keepWaiting('a');
    pass(200);
    const endOther = keepWaiting('a');
    endOne();
    expect(ms()).toBe(100);
    pass(100);
    expect(ms()).toBe(100);
    pass(50);
    endOther();
    pass(500);
    expect(ms()).toBe(150);
  });

  test('nobody is kept waiting by what is quick, by the waits of others, or before the watch', () => {
    const early = keepWaiting('a');
    const ms = watch('a');
    const ofOther = keepWaiting('b');
    for (let n = 0; n < 4; n++) {
      const end = keepWaiting('a');
      pass(90);
      end();
    }
    const unwatched = ownDelay('b');
    pass(500);
    ofOther();
    early();
    expect([ms(), unwatched()]).toEqual([0, 0]);
  });

  test('a wait of a caller whom nobody knows may be that of anybody', () => {
    const [ofA, ofB] = [watch('a'), watch('b')];
    const end = keepWaiting('');
    pass(200);
    end();
    expect([ofA(), ofB()]).toEqual([100, 100]);
  });
});

test('a request that waits for its turn is kept waiting', async () => {
  const inTurn = fairTurns();
  const [ofQuick, ofNobody] = [watch('quick'), watch('nobody')];
  await new Promise<void>(resolve => {
    inTurn('slow', () => {
      const end = elapsedMs() + 250;
      while (elapsedMs() < end);
    });
    inTurn('quick', resolve);
  });
  expect(ofQuick()).toBeGreaterThanOrEqual(140);
  expect(ofNobody()).toBe(0);
});
