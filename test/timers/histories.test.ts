import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openDb } from '../../src/db/open.ts';
import { afterCommit, type Tx, write } from '../../src/db/transaction.ts';
import { createTestTimers, KIND, turn } from '../support/timers/test-timers.ts';

/** Work waits in queues, each with one timer, as callbacks do. */

const KEYS = ['x', 'y', 'z'] as const;
const PAUSE_MS = 1_000;
const acts = fc.array(
  fc.record({
    act: fc.constantFrom('order', 'order', 'order', 'turn', 'turn', 'wait', 'replay', 'restart'),
    key: fc.constantFrom(...KEYS),
    end: fc.constantFrom('done', 'done', 'fails', 'held'),
    turns: fc.nat(4),
  }),
  { maxLength: 40 },
);

test(
  'in any history all work of a queue is done, one after the other, and not before its time',
  { timeout: 60_000 },
  () =>
    fc.assert(
      fc.asyncProperty(acts, async history => {
        const db = openDb(':memory:');
        const queues = Object.fromEntries(KEYS.map(key => [key, { left: 0, notBefore: 0, isForced: false, runs: 0 }]));
        const wrong: string[] = [];
        let next: { end: string; turns: number };
        const now = () => on.clock.now('a');
        const timerOf = (key: string) => ({ key, owner: 'a', dueAt: now(), why: key, payload: { uuid: key } });

        /** As `deliver`: what ends the timer of a queue orders the next run, unless it has failed or is held. */
        async function work(key: string) {
          const queue = queues[key]!;
          const { end, turns } = next;
          const has = queue.left > 0;
          if (now() < queue.notBefore) wrong.push('early');
          if (++queue.runs > 1) wrong.push('two at once');
          queue.isForced = false;
          for (let n = 0; n < turns; n++) await turn();
          queue.runs--;
          if (has && end !== 'done' && !queue.isForced) queue.notBefore = now() + PAUSE_MS;
          if (has && end === 'fails') throw new Error('no');
          if (has && end === 'held') return { againAt: now() + PAUSE_MS };
          return {
            apply(tx: Tx) {
              const left = queue.left - (has ? 1 : 0);
              afterCommit(tx, () => Object.assign(queue, { left }));
              if (left > 0) on.timers.schedule(tx, KIND, timerOf(key));
            },
          };
        }
        const begin = () => {
          const begun = createTestTimers(db);
          begun.handle(work);
          return begun;
        };
        let on = begin();
        for (const { act, key, ...ending } of history) {
          next = ending;
          const queue = queues[key]!;
          if (act === 'turn') await turn();
          if (act === 'wait') await on.timers.advance('a', PAUSE_MS);
          if (act === 'order')
            write(db, tx => {
              on.timers.runNow(tx, KIND, timerOf(key));
              afterCommit(tx, () => queue.left++);
            });
          if (act === 'replay') {
            Object.assign(queue, { isForced: true, notBefore: 0 });
            on.schedule(key);
          }
          if (act === 'restart') {
            await on.timers.stop();
            on = begin();
            for (const lost of KEYS)
              if (queues[lost]!.left > 0) write(db, tx => on.timers.ensure(tx, KIND, timerOf(lost)));
          }
        }
        next = { end: 'done', turns: 0 };
        await on.timers.advance('a', 3_600_000);
        const left = KEYS.map(key => queues[key]!.left);
        await on.close();
        expect({ wrong, left }).toEqual({ wrong: [], left: [0, 0, 0] });
      }),
      { numRuns: 100 },
    ),
);
