import { describe, expect, test } from 'vitest';
import { AdvanceResponse, ClockResponse, TimersResponse } from '../../src/sandbox/clock.ts';
import { toRobot, toVasp, verifiedBy } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

const world = await chainlessForFile();
const other = await world.register('7001');

const advance = (body: unknown) =>
  world.api.call<{ code: string; message: string }>('POST', '/sandbox/v1/clock/advance', body);

describe('POST /clock/advance', () => {
  test.each(['x', '', '10', '-1m', '1e3', 'NaN', '10 m', '400d', '30m1h', 'Infinity'])(
    '%j is no duration: 400',
    async duration => {
      const before = await world.api.clock();
      const { status, body } = await advance({ duration });
      expect([status, body.code]).toEqual([400, 'BAD-REQUEST']);
      expect(body.message).toContain('`duration`');
      expect(await world.api.clock()).toEqual(before);
    },
  );

  test('answers exactly the new time and what fired; time goes forward only', async () => {
    const before = Date.parse((await world.api.clock()).now);
    const answer = await world.api.advance('1500ms');
    expect(AdvanceResponse.parse(answer)).toEqual(answer);
    expect(Date.parse(answer.now)).toBe(before + 1_500);
    const clock = await world.api.clock();
    expect(ClockResponse.parse(clock)).toEqual(clock);
    expect(clock.now).toBe(answer.now);
    expect(answer.fired).toEqual([]);
  });

  test('moves the times that the caller sees, and nobody else’s', async () => {
    const theirs = await other.api.clock();
    await world.api.advance('2d');
    expect(await other.api.clock()).toEqual(theirs);
    const { now } = await world.api.clock();
    const uuid = await verifiedBy(world, toVasp(world, '7001'));
    expect(await world.api.verification(uuid)).toMatchObject({ createdAt: now, verifiedAt: now });
  });
});

test('GET /timers tells what is pending, exactly its fields, next first', async () => {
  const uuid = await verifiedBy(world, toRobot(world));
  await world.api.advance('0s');
  const answer = await world.api.timers();
  expect(TimersResponse.parse(answer)).toEqual(answer);
  expect(answer.timers.filter(({ key }) => key === uuid)).toMatchObject([
    { kind: 'robot.deposit.inquire', why: 'status query, unless a transaction report comes first', attempts: 0 },
  ]);
  expect((await other.api.timers()).timers).toEqual([]);
});

test('POST /reset leaves nothing of the caller but that it happened, and everything of the others', async () => {
  await other.api.advance('1h');
  const clean = world.rows();
  const tester = await world.register('7777');
  const registered = world.rows();
  const uuid = await verifiedBy(tester, { ...toRobot(world) });
  await verifiedBy(tester, toVasp(world, '7001'));
  await tester.api.reportTransaction(uuid, '0xab');
  await tester.api.advance('3h');
  expect(world.rows()).not.toEqual(registered);
  for (const _ of ['once', 'again']) {
    expect(await tester.api.reset()).toEqual({ result: true, behind: [] });
    expect(world.rows()).toEqual({ ...registered, runtime_history: registered.runtime_history! + 1 });
  }
  expect(registered).toEqual({ ...clean, enclave_vasps: clean.enclave_vasps! + 1 });
  expect((await tester.api.list()).count).toBe(0);
  expect((await tester.api.exchanges()).exchanges.map(({ operation }) => operation)).toEqual(['list-verifications']);
  expect((await tester.api.clock()).now).toBe('2026-07-15T10:00:00.000Z');
  expect(await tester.api.self()).toEqual({ vaspId: '7777' });
});
