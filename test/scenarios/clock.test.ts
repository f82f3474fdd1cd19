import { expect, test } from 'vitest';
import { openOnce } from '../support/open-once.ts';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { createWorld } from '../support/world/world.ts';

const world = openOnce(() => createWorld());

test('PROD-4: advancing answers the new time and what fired on the way, in order', async () => {
  const { api } = world;
  const before = Date.parse((await api.clock()).now);
  const { uuid } = await verified(world);
  world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
  const { verificationUuid: silent } = await api.verifyUser(verificationOf(world, { user: 'never-answers' }));
  const { now, fired } = await world.advance('21m');
  expect(Date.parse(now)).toBe(before + 21 * 60_000);
  expect(await api.clock()).toEqual({ now, aheadMs: 21 * 60_000, advancing: null });
  expect(fired.map(timer => timer.dueAt)).toEqual(fired.map(timer => timer.dueAt).toSorted());
  const kinds = fired.map(timer => timer.kind).filter(kind => kind !== 'enclave.verification.ask');
  expect(kinds).toEqual([
    'enclave.verification.time-out',
    'enclave.callback.deliver',
    'robot.deposit.inquire',
    'robot.deposit.inquire',
    'robot.deposit.inquire',
  ]);
  expect(world.vasp.callbacks(silent)).toHaveLength(1);
});

test('PROD-4: timers tell what is pending, when and why', async () => {
  const { uuid } = await verified(world);
  const { timers } = await world.api.timers();
  const now = Date.parse((await world.api.clock()).now);
  expect(timers.find(timer => timer.key === uuid)).toEqual({
    kind: 'robot.deposit.inquire',
    key: uuid,
    dueAt: new Date(now + 600_000).toISOString(),
    why: 'status query, unless a transaction report comes first',
    attempts: 0,
    lastError: null,
  });
});

test.each(['-1s', '-10m', '', 'tomorrow', '1y', '9999999d', '1e3', '10 m'])(
  'PROD-4: time goes forward only, by a real duration: %j is refused and moves nothing',
  async duration => {
    const before = await world.api.clock();
    await expect(world.advance(duration)).rejects.toMatchObject({ status: 400, code: 'BAD-REQUEST' });
    expect(await world.api.clock()).toEqual(before);
  },
);

test('PROD-4: a duration that is too long is refused with the longest one', async () => {
  await expect(world.advance('367d')).rejects.toThrow('at most 366d.');
});

test('PROD-4: two advances at once add up', async () => {
  const before = Date.parse((await world.api.clock()).now);
  await Promise.all([world.advance('10m'), world.advance('20m')]);
  expect(Date.parse((await world.api.clock()).now)).toBe(before + 30 * 60_000);
});

test('PROD-4: reset sets the clock back to the machine’s, and nothing of before fires', async () => {
  await verified(world);
  await world.advance('5m');
  await world.api.reset();
  const after = Date.parse((await world.api.clock()).now);
  const { verificationUuid } = await world.api.verifyUser(verificationOf(world));
  const { createdAt } = await world.api.verification(verificationUuid);
  expect(Date.parse(createdAt)).toBe(after);
  const { fired } = await world.advance('9m');
  expect(fired.filter(timer => timer.kind === 'robot.deposit.inquire')).toEqual([]);
});

test('PROD-4: the timeline of a verification holds what concerns it, and no request about others', async () => {
  const { uuid } = await verified(world);
  await world.api.list();
  await world.api.verification(uuid);
  const calls = (await world.api.timeline(uuid)).timeline.filter(entry => entry.what === 'http');
  expect(calls.map(entry => entry.cause)).toEqual(['verify-user: 200', 'callback: 200', 'get-verification: 200']);
});
