import { beforeEach, describe, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { scratchDatabase } from '../support/db/scratch-database.ts';
import { collectGarbage } from '../support/process/collect-garbage.ts';
import { createTestTimers, gate, KIND, START, type TestTimers, untilTurn } from '../support/timers/test-timers.ts';

const at = scratchDatabase();
let on: TestTimers;
beforeEach(() => {
  on = createTestTimers();
  return () => on.close();
});
const MINUTE = 60_000;

describe('advance', () => {
  test('what it has answered is kept nowhere', async () => {
    const answered = new WeakRef(await on.timers.advance('a', MINUTE));
    await untilTurn(() => {
      collectGarbage();
      return answered.deref() === undefined;
    });
  });

  test('stops at every timer on the way, in order, and answers what fired', async () => {
    on.schedule('late', { dueAt: START + 10 * MINUTE });
    on.schedule('soon', { dueAt: START + 2 * MINUTE });
    on.schedule('middle', { dueAt: START + 5 * MINUTE });
    on.schedule('due already', { dueAt: START - MINUTE });
    on.schedule('beyond', { dueAt: START + 10 * MINUTE + 1 });
    const { fired } = await on.timers.advance('a', 10 * MINUTE);
    expect(fired.map(({ key, dueAt }) => [key, dueAt - START])).toEqual([
      ['due already', -MINUTE],
      ['soon', 2 * MINUTE],
      ['middle', 5 * MINUTE],
      ['late', 10 * MINUTE],
    ]);
    expect(on.ran.map(({ name, at }) => [name, at - START])).toEqual([
      ['due already', 0],
      ['soon', 2 * MINUTE],
      ['middle', 5 * MINUTE],
      ['late', 10 * MINUTE],
    ]);
    expect(on.clock.now('a')).toBe(START + 10 * MINUTE);
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ key: 'beyond' }]);
  });

  test('runs what becomes due by what ran on the way, at its own time', async () => {
    on.handle((name, owner) => {
      if (name === 'every 3 minutes') return { againAt: on.clock.now(owner) + 3 * MINUTE };
      if (name === 'parent') on.schedule('child', { dueAt: START + 8 * MINUTE });
      return {};
    });
    on.schedule('every 3 minutes', { dueAt: START + 3 * MINUTE });
    on.schedule('parent', { dueAt: START + 4 * MINUTE });
    await on.timers.advance('a', 10 * MINUTE);
    expect(on.ran.map(({ name, at }) => [name, (at - START) / MINUTE])).toEqual([
      ['every 3 minutes', 3],
      ['parent', 4],
      ['every 3 minutes', 6],
      ['child', 8],
      ['every 3 minutes', 9],
    ]);
  });

  test('by 0 ms waits for a running call, but not for a silent VASP', async () => {
    const [soon, never] = [gate(), gate()];
    on.handle(async name => {
      await (name === 'silent' ? never : soon).opened;
      if (name === 'answered') on.schedule('next');
      return {};
    });
    on.schedule('silent');
    on.schedule('answered');
    const advanced = on.timers.advance('a', 0);
    await untilTurn(() => on.ran.length === 2);
    soon.open();
    expect((await advanced).fired.map(({ key }) => key)).toEqual(['silent', 'answered', 'next']);
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ key: 'silent' }]);
    never.open();
    await untilTurn(() => on.timers.pending(asCaller('a')).length === 0);
  });

  test('starts the next timers together, when few run: together they commit', async () => {
    const gates = Array.from({ length: 130 }, gate);
    on.handle(async name => {
      await gates[Number(name)]!.opened;
      return {};
    });
    for (const n of gates.keys()) on.schedule(`${n}`, { dueAt: START + 1 + n });
    const advanced = on.timers.advance('a', MINUTE);
    await untilTurn(() => on.ran.length === 64);
    const end = async (n: number) => {
      gates[n]!.open();
      await untilTurn(() => on.row(`${n}`) === undefined);
    };
    for (let n = 0; n < 55; n++) await end(n);
    const whileMany = on.ran.length;
    await end(55);
    await untilTurn(() => on.ran.length > 64);
    const whenFew = on.ran.length;
    for (const { open } of gates) open();
    expect([whileMany, whenFew]).toEqual([64, 120]);
    expect((await advanced).counts).toEqual({ [KIND]: 130 });
  });

  test('by 0 ms runs the due timers and moves no time', async () => {
    on.schedule('due');
    on.schedule('not yet', { dueAt: START + 1 });
    expect((await on.timers.advance('a', 0)).fired).toMatchObject([{ key: 'due' }]);
    expect(on.clock.now('a')).toBe(START);
  });

  test('answers only when everything that became due has run to its end', async () => {
    const release = gate();
    on.handle(async () => {
      await release.opened;
      return {};
    });
    on.schedule('slow', { dueAt: START + 1 });
    let answered = false;
    const advanced = on.timers.advance('a', MINUTE).then(() => {
      answered = true;
    });
    await untilTurn(() => on.ran.length === 1);
    expect(answered).toBe(false);
    release.open();
    await advanced;
    expect(on.timers.pending(asCaller('a'))).toEqual([]);
  });

  test("of one VASP moves nobody else's time and runs nobody else's timers", async () => {
    on.schedule('mine', { owner: 'a', dueAt: START + MINUTE });
    on.schedule('theirs', { owner: 'b', dueAt: START + MINUTE });
    const { fired } = await on.timers.advance('a', 60 * MINUTE);
    expect(fired).toMatchObject([{ key: 'mine' }]);
    expect(on.names()).toEqual(['mine']);
    expect(on.clock.now('b')).toBe(START);
    expect(on.timers.pending(asCaller('b'))).toMatchObject([{ key: 'theirs', dueAt: START + MINUTE }]);
  });

  test('two calls at once add up, one after the other', async () => {
    on.schedule('one', { dueAt: START + 5 * MINUTE });
    on.schedule('two', { dueAt: START + 15 * MINUTE });
    const [first, second] = await Promise.all([
      on.timers.advance('a', 10 * MINUTE),
      on.timers.advance('a', 10 * MINUTE),
    ]);
    expect([first, second].map(({ fired }) => fired.map(({ key }) => key))).toEqual([['one'], ['two']]);
    expect(on.clock.now('a')).toBe(START + 20 * MINUTE);
  });

  test('continues after a failed timer, and retries it on the way', async () => {
    let tries = 0;
    on.handle(name => {
      if (name === 'bad' && ++tries < 4) throw new Error('no');
      return {};
    });
    on.schedule('bad', { dueAt: START + 1_000 });
    on.schedule('good', { dueAt: START + 2_000 });
    const { fired } = await on.timers.advance('a', MINUTE);
    expect(fired.map(({ key }) => key).sort()).toEqual(['bad', 'bad', 'bad', 'bad', 'good']);
    expect(on.timers.pending(asCaller('a'))).toEqual([]);
  });
});

test("the machine's time moves every VASP's, from where it was moved to", async () => {
  await on.timers.advance('a', MINUTE);
  on.machine.at += 5_000;
  expect(on.clock.now('a')).toBe(START + MINUTE + 5_000);
  expect(on.clock.now('b')).toBe(START + 5_000);
});

test('a time that was moved stays moved after a restart', async () => {
  const path = at('clock.sqlite');
  const before = createTestTimers(path);
  await before.timers.advance('a', 90 * MINUTE);
  await before.close();
  const after = createTestTimers(path);
  expect(after.clock.now('a')).toBe(START + 90 * MINUTE);
  expect(after.clock.now('b')).toBe(START);
  await after.close();
});

test('while the program stops, nothing new is begun and no time is skipped', async () => {
  const release = gate();
  on.handle(async () => {
    await release.opened;
    return {};
  });
  on.schedule('running', { dueAt: START + 1 });
  on.schedule('next', { dueAt: START + MINUTE });
  const advanced = on.timers.advance('a', 10 * MINUTE);
  advanced.catch(() => {});
  await untilTurn(() => on.ran.length === 1);
  const stopped = on.timers.stop();
  release.open();
  await stopped;
  await expect(advanced).rejects.toThrow('timers start no more');
  expect(on.names()).toEqual(['running']);
  expect(on.timers.pending(asCaller('a'))).toMatchObject([{ key: 'next', attempts: 0 }]);
  expect(on.clock.now('a')).toBe(START + 1);
});

test('a crowd of timers runs together; the answer counts all of them and lists the first 1000', async () => {
  for (let i = 0; i < 2_500; i++) on.schedule(`timer ${i}`, { dueAt: START + MINUTE + i * 10 });
  const { fired, counts } = await on.timers.advance('a', 10 * MINUTE);
  expect([on.ran.length, Object.values(counts)]).toEqual([2_500, [2_500]]);
  expect(fired.map(({ key }) => key)).toEqual(on.ran.slice(0, 1_000).map(({ name }) => name));
  expect(on.timers.progressOf('a')).toBeUndefined();
});

describe('clocks of other programs that go with it', () => {
  test('they are moved to every timer on both sides, and what fired there is listed', async () => {
    on.schedule('here', { dueAt: START + 4 * MINUTE });
    const due = [3 * MINUTE, 7 * MINUTE, 30 * MINUTE];
    const told: number[] = [];
    const { fired, counts } = await on.timers.advance('a', 10 * MINUTE, async aheadMs => {
      told.push(aheadMs / MINUTE);
      const here = due.splice(0, due.filter(ms => ms <= aheadMs).length);
      const theirs = here.map(ms => ({ kind: KIND, key: 'there', dueAt: START + ms }) as const);
      return [{ fired: theirs, counts: { [KIND]: theirs.length }, nextAheadMs: due[0] ?? null }];
    });
    expect([...new Set(told)]).toEqual([0, 3, 4, 7, 10]);
    expect(fired.map(({ key, dueAt }) => [key, (dueAt - START) / MINUTE])).toEqual([
      ['there', 3],
      ['here', 4],
      ['there', 7],
    ]);
    expect(counts).toEqual({ [KIND]: 3 });
  });

  test('what they cause here runs at the same time', async () => {
    let isCalled = false;
    await on.timers.advance('a', MINUTE, async aheadMs => {
      const fires = aheadMs === MINUTE && !isCalled;
      if (fires) on.schedule('caused', { dueAt: START });
      isCalled ||= fires;
      const fired = fires ? [{ kind: KIND, key: 'there', dueAt: START } as const] : [];
      return [{ fired, counts: {}, nextAheadMs: null }];
    });
    expect(on.ran).toMatchObject([{ name: 'caused', at: START + MINUTE }]);
  });

  test('a clock that follows another one moves until the same time, and never back', async () => {
    on.schedule('here', { dueAt: START + 5 * MINUTE });
    expect(on.timers.nextAheadMs('a')).toBe(5 * MINUTE);
    const twice = [on.timers.advanceUntil('a', 6 * MINUTE), on.timers.advanceUntil('a', 6 * MINUTE)];
    expect((await Promise.all(twice)).map(({ fired }) => fired.length)).toEqual([1, 0]);
    await on.timers.advanceUntil('a', MINUTE);
    expect(on.clock.moved()).toEqual([{ owner: 'a', aheadMs: 6 * MINUTE }]);
    expect(on.timers.nextAheadMs('a')).toBeNull();
  });
});
