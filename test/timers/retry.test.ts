import { beforeEach, describe, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { clocks } from '../../src/db/schema/runtime.ts';
import type { Log } from '../../src/kernel/log.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { createTestTimers, START, type TestTimers } from '../support/timers/test-timers.ts';

let on: TestTimers;
let warnings: object[];
beforeEach(() => {
  warnings = [];
  const log: Log = { ...silentLog, warn: (fields: object) => void warnings.push(fields) };
  on = createTestTimers(':memory:', log);
  return () => on.close();
});

const SECOND = 1_000;

describe('a throw is a retry with back-off', () => {
  test('after 1, 2, 4 … seconds, at most 5 minutes; attempts and the last error are kept', async () => {
    let tries = 0;
    on.handle(() => {
      throw new TypeError(`failure ${++tries}`);
    });
    on.schedule('x');
    await on.timers.advance('a', 3_600 * SECOND);
    const waits = on.ran.slice(1).map(({ at }, i) => (at - on.ran[i]!.at) / SECOND);
    expect(waits.slice(0, 9)).toEqual([1, 2, 4, 8, 16, 32, 64, 128, 256]);
    expect(new Set(waits.slice(9))).toEqual(new Set([300]));
    expect(on.row('x')).toMatchObject({ attempts: tries, lastError: `TypeError: failure ${tries}` });
    expect(warnings).toHaveLength(tries);
    expect(warnings[0]).toMatchObject({ key: 'x', attempts: 1, err: 'TypeError: failure 1' });
  });

  test('also when a promise is rejected, with something that is no error', async () => {
    on.handle(() => Promise.reject('gone'));
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.row('x')).toMatchObject({ attempts: 1, lastError: 'gone', dueAt: START + SECOND });
  });

  test('also when the commit fails: nothing of it stands', async () => {
    const twice = { owner: 'someone', offsetMs: 1 };
    on.handle(() => ({
      apply(tx) {
        tx.orm.insert(clocks).values(twice).run();
        tx.orm.insert(clocks).values(twice).run();
      },
    }));
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.db.orm.select().from(clocks).all()).toEqual([]);
    expect(on.row('x')!.lastError).toMatch(/UNIQUE/);
  });

  test('a failed commit leaves the other commits of its group', async () => {
    on.handle(name => ({
      apply(tx) {
        tx.orm.insert(clocks).values({ owner: name, offsetMs: 1 }).run();
        if (name === 'bad') throw new Error('no');
      },
    }));
    for (const name of ['good', 'bad', 'better']) on.schedule(name);
    await on.timers.runDue('a');
    expect(
      on.db.orm
        .select()
        .from(clocks)
        .all()
        .map(({ owner }) => owner)
        .sort(),
    ).toEqual(['better', 'good']);
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ key: 'bad', attempts: 1 }]);
  });

  test('a success deletes the last error', async () => {
    let tries = 0;
    on.handle(() => {
      if (++tries < 3) throw new Error('no');
      return { againAt: on.clock.now('a') + 60 * SECOND };
    });
    on.schedule('x');
    await on.timers.advance('a', 10 * SECOND);
    expect(on.row('x')).toMatchObject({ lastError: null, dueAt: START + 63 * SECOND });
  });
});

describe('againAt', () => {
  test('moves the timer, with its reason', async () => {
    on.handle(() => ({ againAt: START + 5 * SECOND, why: 'once more' }));
    on.schedule('x', { why: 'first' });
    await on.timers.runDue('a');
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ dueAt: START + 5 * SECOND, why: 'once more' }]);
    // That reason is of one run: the next one has the usual reason.
    on.handle(() => ({ againAt: START + 6 * SECOND }));
    await on.timers.advance('a', 5 * SECOND);
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ why: 'ask the beneficiary VASP' }]);
  });

  test.each([
    ['in the past', -1],
    ['at the very time that it ran', 0],
  ])('%s is an error, and retried with back-off', async (_, offset) => {
    on.handle(() => ({ againAt: START + offset, apply: tx => tx.orm.delete(clocks).run() }));
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.ran).toHaveLength(1);
    expect(on.row('x')).toMatchObject({ attempts: 1, dueAt: START + SECOND });
    expect(on.row('x')!.lastError).toMatch(/RangeError.*past/);
  });
});
