import { expect, test } from 'vitest';
import { verificationOf, verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

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

test('PROD-4: a duration that is too long is refused with the longest one', async () => {
  await expect(world.advance('367d')).rejects.toThrow('at most 366d.');
});

test('PROD-4: two advances at once add up', async () => {
  const before = Date.parse((await world.api.clock()).now);
  await Promise.all([world.advance('10m'), world.advance('20m')]);
  expect(Date.parse((await world.api.clock()).now)).toBe(before + 30 * 60_000);
});

test('PROD-4: the timeline of a verification holds what concerns it, and no request about others', async () => {
  const { uuid } = await verified(world);
  await world.api.list();
  await world.api.verification(uuid);
  const calls = (await world.api.timeline(uuid)).timeline.filter(entry => entry.what === 'http');
  expect(calls.map(entry => entry.cause)).toEqual(['verify-user: 200', 'callback: 200', 'get-verification: 200']);
});
