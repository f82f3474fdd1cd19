import { beforeEach, describe, expect, test } from 'vitest';
import { asCaller } from '../../src/contract/tenancy.ts';
import { write } from '../../src/db/transaction.ts';
import { besidesKey, keyOf, type TimerPayloads, wholePayload } from '../../src/timers/registry.ts';
import { createTestTimers, gate, KIND, type TestTimers, untilTurn } from '../support/timers/test-timers.ts';

let on: TestTimers;
beforeEach(() => {
  on = createTestTimers();
  return () => on.close();
});

describe('queues', () => {
  test('within a queue timers run one after the other, in the order in which they become due', async () => {
    let running = 0;
    on.handle(async () => {
      expect(++running).toBe(1);
      await new Promise(resolve => setImmediate(resolve));
      running--;
      return {};
    });
    const now = on.clock.now('a');
    on.schedule('third', { queue: 'one', dueAt: now - 1 });
    on.schedule('first', { queue: 'one', dueAt: now - 3 });
    on.schedule('second', { queue: 'one', dueAt: now - 2 });
    on.schedule('fourth', { queue: 'one', dueAt: now - 1 });
    await on.timers.runDue('a');
    expect(on.names()).toEqual(['first', 'second', 'third', 'fourth']);
    expect(on.timers.pending(asCaller('a'))).toEqual([]);
  });

  test('different queues run side by side', async () => {
    const [first, second] = [gate(), gate()];
    on.handle(async name => {
      // Each waits for the other, so one after the other would never end.
      (name === 'x' ? first : second).open();
      await (name === 'x' ? second : first).opened;
      return {};
    });
    on.schedule('x', { queue: 'one' });
    on.schedule('y', { queue: 'two' });
    await on.timers.runDue('a');
    expect(on.names().sort()).toEqual(['x', 'y']);
  });

  test('a timer that fails keeps its queue in order only until it is moved', async () => {
    on.handle(name => {
      if (name === 'bad') throw new Error('no');
      return {};
    });
    on.schedule('bad', { queue: 'one' });
    on.schedule('good', { queue: 'one' });
    await on.timers.runDue('a');
    expect(on.names()).toEqual(['bad', 'good']);
  });
});

describe('owners', () => {
  test('an owner has at most 64 running timers; the others wait', async () => {
    const release = gate();
    let running = 0;
    let most = 0;
    on.handle(async () => {
      most = Math.max(most, ++running);
      await release.opened;
      running--;
      return {};
    });
    for (let i = 0; i < 100; i++) on.schedule(`${i}`);
    const settled = on.timers.runDue('a');
    await untilTurn(() => running === 64);
    release.open();
    await settled;
    expect(most).toBe(64);
    expect(new Set(on.names()).size).toBe(100);
    expect(on.ran).toHaveLength(100);
  });

  test('a dead VASP delays nobody else', async () => {
    const never = gate();
    on.handle(async (_, owner) => {
      if (owner === 'dead') await never.opened;
      return {};
    });
    for (let i = 0; i < 200; i++) on.schedule(`dead ${i}`, { owner: 'dead' });
    await untilTurn(() => on.ran.length === 64);
    for (let i = 0; i < 200; i++) on.schedule(`alive ${i}`, { owner: 'alive' });
    await on.timers.runDue('alive');
    expect(on.ran.filter(({ owner }) => owner === 'alive')).toHaveLength(200);
    expect(on.timers.pending(asCaller('alive'))).toEqual([]);
    expect(on.ran.filter(({ owner }) => owner === 'dead')).toHaveLength(64);
    never.open();
  });
});

describe('one pending timer per kind and key', () => {
  test('scheduling a key again replaces it; ensuring it leaves it as it is', () => {
    on.schedule('x', { dueAt: 5_000_000_000_000, why: 'first' });
    write(on.db, tx => on.timers.ensure(tx, KIND, { owner: 'a', dueAt: 1, why: 'ensured', payload: { uuid: 'x' } }));
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ dueAt: 5_000_000_000_000, why: 'first' }]);
    on.schedule('x', { dueAt: 6_000_000_000_000, why: 'second' });
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ dueAt: 6_000_000_000_000, why: 'second' }]);
  });

  test('a timer that its own handler schedules again stays pending', async () => {
    const later = on.clock.now('a') + 60_000;
    on.handle(name => {
      on.schedule(name, { dueAt: later, why: 'again' });
      return {};
    });
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ key: 'x', dueAt: later, why: 'again', attempts: 0 }]);
  });

  test('a timer that the commit of its handler schedules again stays pending', async () => {
    const later = on.clock.now('a') + 60_000;
    on.handle(name => ({
      apply: tx => on.timers.schedule(tx, KIND, { owner: 'a', dueAt: later, why: 'again', payload: { uuid: name } }),
    }));
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.timers.pending(asCaller('a'))).toMatchObject([{ key: 'x', dueAt: later }]);
  });

  test('a timer that its handler schedules for now runs again afterwards', async () => {
    let left = 3;
    on.handle(name => {
      if (--left > 0) on.schedule(name);
      return {};
    });
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.names()).toEqual(['x', 'x', 'x']);
  });

  test('a timer that was scheduled again while its handler failed keeps its new time', async () => {
    const later = on.clock.now('a') + 60_000;
    on.handle(name => {
      on.schedule(name, { dueAt: later });
      throw new Error('no');
    });
    on.schedule('x');
    await on.timers.runDue('a');
    expect(on.row('x')).toMatchObject({ dueAt: later, attempts: 0, lastError: null });
  });

  test('a cancelled timer does not run, nor again when it was running', async () => {
    const running = gate();
    const release = gate();
    on.handle(async () => {
      running.open();
      await release.opened;
      return { againAt: on.clock.now('a') + 1 };
    });
    on.schedule('gone', { dueAt: on.clock.now('a') + 5 });
    on.schedule('running');
    write(on.db, tx => on.timers.cancel(tx, KIND, 'gone'));
    const settled = on.timers.runDue('a');
    await running.opened;
    write(on.db, tx => on.timers.cancel(tx, KIND, 'running'));
    release.open();
    await settled;
    await on.timers.advance('a', 1_000);
    expect(on.names()).toEqual(['running']);
    expect(on.timers.pending(asCaller('a'))).toEqual([]);
  });
});

test('state and timer commit together, or not at all', () => {
  const failing = () =>
    write(on.db, tx => {
      on.timers.schedule(tx, KIND, { owner: 'a', dueAt: 1, why: '', payload: { uuid: 'x' } });
      throw new Error('no');
    });
  expect(failing).toThrow('no');
  expect(on.timers.pending(asCaller('a'))).toEqual([]);
});

test("deleting an owner's timers leaves those of others", () => {
  on.schedule('x', { owner: 'a', dueAt: 9_000_000_000_000 });
  on.schedule('y', { owner: 'b', dueAt: 9_000_000_000_000 });
  write(on.db, tx => on.timers.deleteAll(tx, 'a'));
  expect(on.timers.pending(asCaller('a'))).toEqual([]);
  expect(on.timers.pending(asCaller('b'))).toMatchObject([{ key: 'y' }]);
});

test("an owner's timers can be deleted a few at a time", () => {
  for (const key of ['x', 'y', 'z']) on.schedule(key, { owner: 'a', dueAt: 9_000_000_000_000 });
  on.schedule('other', { owner: 'b', dueAt: 9_000_000_000_000 });
  const deleted = () => write(on.db, tx => on.timers.deleteSome(tx, 'a', 2));
  expect([deleted(), on.timers.pending(asCaller('a')).length]).toEqual([2, 1]);
  expect([deleted(), deleted()]).toEqual([1, 0]);
  expect(on.timers.pending(asCaller('b'))).toMatchObject([{ key: 'other' }]);
});

test('a kind is bound to its payload by the compiler', () => {
  const never = () =>
    write(on.db, tx => {
      const timer = { owner: 'a', dueAt: 1, why: '' };
      // @ts-expect-error this kind wants a uuid
      on.timers.schedule(tx, KIND, { ...timer, payload: { verificationUuid: '' } });
      // @ts-expect-error no such kind
      on.timers.cancel(tx, 'robot.nothing', 'x');
      // @ts-expect-error a kind without a handler
      on.timers.start({ 'enclave.verification.ask': () => ({}) });
    });
  expect(never).toBeDefined();
});

test.each([
  ['enclave.verification.ask', { uuid: 'a b' }],
  ['enclave.callback.deliver', { verificationUuid: 'u', receiverVaspId: '7' }],
  ['enclave.risk.collect', { requestId: 'r', verificationUuid: 'u' }],
  ['robot.deposit.inquire', { verificationUuid: 'u', isUnpaid: true }],
  ['robot.wallet.pay', { symbol: 'ETH', account: '0x1' }],
] as const)('%s: what its key says is not stored again, and is read whole', (kind, payload) => {
  const key = keyOf(kind, payload as TimerPayloads[typeof kind]);
  const stored = JSON.stringify(besidesKey(kind, payload));
  for (const value of key.split(' ')) expect(stored).not.toContain(`"${value}"`);
  expect(wholePayload(kind, key, JSON.parse(stored))).toEqual(payload);
});
