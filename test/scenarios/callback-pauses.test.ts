import { describe, expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import type { Reply } from '../support/vasp/tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

const refusing = (status: number, headers: Record<string, string> = {}) => ({ status, body: {}, headers }) as const;

/** Opens a verification whose callback is answered like this. */
async function callbackAfter(time: string, ...replies: Reply[]) {
  world.vasp.script('callback', undefined, ...replies);
  const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
  await world.advance(time);
  const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
  expect(callbacks).toHaveLength(1);
  const { status, attempts } = callbacks[0]!;
  const times = attempts.map(({ at }) => Date.parse(at));
  const pauses = times.slice(1).map((at, index) => (at - times[index]!) / 1_000);
  return { uuid, status, attempts, pauses };
}

describe('D-40: Retry-After', () => {
  test.each([429, 503])('%i: the next attempt comes no earlier than the header says', async status => {
    const { pauses, status: end } = await callbackAfter(
      '5m',
      refusing(status, { 'retry-after': '90' }),
      refusing(status),
      'ordinary',
    );
    expect(end).toBe('DELIVERED');
    expect(pauses[0]).toBe(90);
    expect(pauses[1]).toBeGreaterThanOrEqual(5);
    expect(pauses[1]).toBeLessThanOrEqual(5.6);
  });

  test('an HTTP date is a time of the machine', async () => {
    const date = new Date(Date.now() + 60_000).toUTCString();
    const { pauses } = await callbackAfter('5m', refusing(503, { 'retry-after': date }), 'ordinary');
    expect(pauses[0]).toBeGreaterThan(50);
    expect(pauses[0]).toBeLessThanOrEqual(60);
  });

  test.each(['99999999999999999999', '86400', 'Fri, 31 Dec 9999 23:59:59 GMT'])('at most an hour: %s', async text => {
    const { pauses } = await callbackAfter('2h', refusing(503, { 'retry-after': text }), 'ordinary');
    expect(pauses).toEqual([3_600]);
  });

  test.each(['-5', '0', '1', '1.5', 'soon', '', 'Sun, 06 Nov 1994 08:49:37 GMT', '2999-01-01', '5 minutes'])(
    'a shorter, past or unreadable time changes nothing: %j',
    async text => {
      const { pauses } = await callbackAfter('1m', refusing(503, { 'retry-after': text }), 'ordinary');
      expect(pauses[0]).toBeGreaterThanOrEqual(1);
      expect(pauses[0]).toBeLessThanOrEqual(1.101);
    },
  );

  test('it makes no more attempts than planned', async () => {
    const { status, pauses } = await callbackAfter('24h', refusing(429, { 'retry-after': '7200' }));
    expect(status).toBe('GIVEN-UP');
    expect(pauses).toEqual(Array.from({ length: 7 }, () => expect.closeTo(3_600, -3)));
    expect(Math.min(...pauses)).toBeGreaterThanOrEqual(3_600);
  });

  test('with 200 it has no meaning', async () => {
    const answer = { ...refusing(200, { 'retry-after': '90' }), body: { result: true } };
    expect(await callbackAfter('1m', answer)).toMatchObject({ status: 'DELIVERED', pauses: [] });
  });

  test('the pause is shown among the timers, with its reason', async () => {
    world.vasp.script('callback', undefined, refusing(503, { 'retry-after': '600' }));
    const { verificationUuid: uuid } = await world.api.verifyUser(verificationOf(world));
    await world.idle();
    const { pending } = await world.api.timeline(uuid);
    expect(pending).toContainEqual(
      expect.objectContaining({
        why: 'attempt 2 of the callback, because attempt 1 failed, and the VASP asks to wait',
      }),
    );
  });
});

describe('D-40: 410 Gone', () => {
  test('ends the delivery, with its reason, and can be replayed by hand', async () => {
    const { uuid, status, attempts } = await callbackAfter('4h', refusing(503), refusing(410));
    expect(status).toBe('GIVEN-UP');
    expect(attempts.map(each => each.status)).toEqual([503, 410]);
    const { timeline } = await world.api.timeline(uuid);
    expect(JSON.stringify(timeline)).toContain('answered with status 410 (Gone), so it is not sent again');

    world.vasp.script('callback', undefined, 'ordinary');
    const { callbacks } = await world.api.callbacks({ verificationUuid: uuid });
    await world.api.replay(callbacks[0]!.id);
    await world.idle();
    expect((await world.api.callbacks({ verificationUuid: uuid })).callbacks[0]).toMatchObject({ status: 'DELIVERED' });
  });
});
