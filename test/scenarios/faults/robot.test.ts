import { afterEach, describe, expect, test } from 'vitest';
import type { Order } from '../../../src/client/calls.ts';
import { countsOf, hitsOn } from '../../support/http/observed-call.ts';
import { verifiedForRobot } from '../../support/requests/from-robot.ts';
import { accountOf, verificationOf } from '../../support/requests/from-tested-vasp.ts';
import { forFile } from '../../support/world/for-file.ts';
import { createWorld } from '../../support/world/world.ts';

const LIMIT_MS = 600;
const world = await forFile(
  createWorld({ env: { VASP_TIMEOUT_ACCOUNT: `${LIMIT_MS}ms`, VASP_TIMEOUT_TRANSACTION: `${LIMIT_MS}ms` } }),
);
afterEach(() => world.api.removeFaults());

type Mode = Omit<Order<'addFault'>, 'target'>;
const CLOSED = 'The VASP closed the connection without an answer.';
const STATUS = 'The VASP answered with status 503 instead of 200.';
const NO_JSON = 'The answer of the VASP is not JSON.';
const TIME_LIMIT = { result: 'ERROR', reason: 'REQUEST-TIMEOUT', message: '' };
const failed = (message: string) => ({ result: 'DENIED', reason: 'UNDEFINED-ERROR', message });
const ordered = async (order: Order<'addFault'>) => {
  await world.api.addFault({ times: 1, ...order });
};
const begun = async () => (await world.api.verifyUser(verificationOf(world))).verificationUuid;
const resultOf = async (uuid: string) => {
  const { result, reason, message } = await world.api.verification(uuid);
  return { result, reason, message };
};

describe('PROD-4: robot.verifyUser', () => {
  test.each<[mode: Mode, advance: string, outcome: object]>([
    [{ mode: 'drop' }, '0s', failed(CLOSED)],
    [{ mode: 'status', status: 503 }, '0s', failed(STATUS)],
    [{ mode: 'malformed' }, '0s', failed(NO_JSON)],
    [{ mode: 'never-answer' }, '5s', TIME_LIMIT],
    [{ mode: 'delay', delay: '5001ms' }, '5s', TIME_LIMIT],
    [{ mode: 'delay', delay: '4s' }, '4s', { result: 'VERIFIED', reason: 'OK', message: '' }],
  ])('%j: after %s the outcome is as documented, once, and the callback shows it', async (mode, advance, outcome) => {
    await ordered({ target: 'robot.verifyUser', ...mode });
    const uuid = await begun();
    if (advance !== '0s') {
      await world.advance('3999ms');
      expect((await resultOf(uuid)).result).toBeUndefined();
      await world.advance('1ms');
    }
    await world.advance(advance);
    expect(await resultOf(uuid)).toEqual(outcome);
    const callback = await world.vasp.ordinary.callbackOf(uuid, 'VERIFICATION_RESULT');
    expect(callback).toMatchObject({ reason: (outcome as { reason: string }).reason });
    expect(await hitsOn(world, uuid)).toEqual([
      expect.stringMatching(new RegExp(`^fault \\d+, robot\\.verifyUser: ${mode.mode}`)),
    ]);
    expect(await countsOf(world)).toEqual([]);

    const next = await begun();
    await world.idle();
    expect((await resultOf(next)).result).toBe('VERIFIED');
  });

  test('a late answer counts as one use, although the robot is asked twice', async () => {
    await world.api.addFault({ target: 'robot.verifyUser', mode: 'delay', delay: '2s', times: 3 });
    const uuid = await begun();
    const why = (await world.api.timers()).timers.filter(timer => timer.key === uuid);
    expect(why.length).toBeGreaterThan(0);
    await world.advance('2s');
    expect((await resultOf(uuid)).result).toBe('VERIFIED');
    expect(await countsOf(world)).toEqual(['robot.verifyUser delay 1 2']);
  });

  test('the delay is added to that of a slow user', async () => {
    await ordered({ target: 'robot.verifyUser', mode: 'delay', delay: '1s' });
    const request = verificationOf(world, { user: 'answers-slowly' });
    const { verificationUuid: uuid } = await world.api.verifyUser(request);
    await world.advance('3999ms');
    expect((await resultOf(uuid)).result).toBeUndefined();
    await world.advance('1ms');
    expect((await resultOf(uuid)).result).toBe('VERIFIED');
  });

  test('the robot expects no deposit after a lost answer', async () => {
    await ordered({ target: 'robot.verifyUser', mode: 'drop' });
    const uuid = await begun();
    await world.advance('2h');
    expect(world.vasp.received('transactionStatus', uuid)).toEqual([]);
  });
});

const elapsed = async <T>(work: Promise<T>): Promise<[T | Error, number]> => {
  const startedAt = performance.now();
  const done = await work.catch((error: Error) => error);
  return [done, performance.now() - startedAt];
};
const requestTimeout = { status: 408, code: 'REQUEST-TIMEOUT' };

describe('PROD-4: robot.verifyAccount', () => {
  const denied = (message: string) => ({ accountVerificationResult: 'DENIED', reason: 'UNDEFINED-ERROR', message });
  const verified = { accountVerificationResult: 'VERIFIED' };

  test.each<[mode: Mode, outcome: object, leastMs: number]>([
    [{ mode: 'delay', delay: '60ms' }, verified, 58],
    [{ mode: 'delay', delay: '30s' }, requestTimeout, LIMIT_MS - 2],
    [{ mode: 'drop' }, denied(CLOSED), 0],
    [{ mode: 'status', status: 503 }, denied(STATUS), 0],
    [{ mode: 'malformed' }, denied(NO_JSON), 0],
    [{ mode: 'never-answer' }, requestTimeout, LIMIT_MS - 2],
  ])('%j: %j', async (mode, outcome, leastMs) => {
    await ordered({ target: 'robot.verifyAccount', ...mode });
    const [answer, tookMs] = await elapsed(world.api.verifyAccount(accountOf(world)));
    expect(answer).toMatchObject(outcome);
    expect(tookMs).toBeGreaterThanOrEqual(leastMs);
    expect(await countsOf(world)).toEqual([]);
    expect(await world.api.verifyAccount(accountOf(world))).toMatchObject(verified);
  });
});

describe('PROD-4: robot.transactionStatus', () => {
  const pending = { transactionStatus: 'PENDING' };

  test.each<[mode: Mode, outcome: object, leastMs: number]>([
    [{ mode: 'delay', delay: '60ms' }, pending, 58],
    [{ mode: 'delay', delay: '30s' }, requestTimeout, LIMIT_MS - 2],
    [{ mode: 'drop' }, requestTimeout, 0],
    [{ mode: 'status', status: 503 }, requestTimeout, 0],
    [{ mode: 'malformed' }, requestTimeout, 0],
    [{ mode: 'never-answer' }, requestTimeout, LIMIT_MS - 2],
  ])('%j: %j', async (mode, outcome, leastMs) => {
    const { uuid } = await verifiedForRobot(world);
    await ordered({ target: 'robot.transactionStatus', verificationUuid: uuid, ...mode });
    const [answer, tookMs] = await elapsed(world.api.inquireTransaction(uuid));
    expect(answer).toMatchObject(outcome);
    expect(tookMs).toBeGreaterThanOrEqual(leastMs);
    expect(await hitsOn(world, uuid)).toHaveLength(1);
    expect(await countsOf(world)).toEqual([]);
    expect(await world.api.inquireTransaction(uuid)).toMatchObject(pending);
  });
});
