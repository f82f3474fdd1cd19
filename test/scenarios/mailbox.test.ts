import { afterEach, describe, expect, test } from 'vitest';
import { verificationOf } from '../support/requests/from-tested-vasp.ts';
import { createWorld, type World } from '../support/world/world.ts';

let world: World;
afterEach(() => world.close());

describe('PROD-4: the mailbox', () => {
  test('without a callback endpoint the callbacks wait there, and are never tried', async () => {
    world = await createWorld({ endpoints: ['verifyUser', 'verifyAccount', 'transactionStatus'] });
    const { api } = world;
    const { verificationUuid } = await api.verifyUser(verificationOf(world));
    await world.advance('1h');
    const { callbacks } = await api.callbacks();
    expect(callbacks).toMatchObject([{ status: 'MAILBOX', verificationUuid, attempts: [] }]);
    expect(world.vasp.received('callback')).toEqual([]);

    const first = await api.mailbox();
    expect(first.callbacks).toMatchObject([
      { callbackType: 'VERIFICATION_RESULT', data: { verificationUuid, verificationResult: 'VERIFIED' } },
    ]);
    expect(await api.mailbox({ after: first.next })).toEqual({ callbacks: [], next: first.next });
  });

  test('a long poll that came before the callback answers when the callback comes', async () => {
    world = await createWorld({ endpoints: [] });
    const { api } = world;
    let isAnswered = false;
    const poll = api.mailbox({ wait: '30s' }).then(answer => {
      isAnswered = true;
      return answer;
    });
    await api.clock();
    expect(isAnswered).toBe(false);
    const { verificationUuid } = await api.verifyUser(verificationOf(world));
    expect((await poll).callbacks).toMatchObject([{ data: { verificationUuid } }]);
  });

  test('with a callback endpoint the same callbacks can be read there, filtered by type and verification', async () => {
    world = await createWorld();
    const { api, vasp } = world;
    const one = await api.verifyUser(verificationOf(world));
    await vasp.ordinary.callbackOf(one.verificationUuid, 'VERIFICATION_RESULT');
    const two = await api.verifyUser(verificationOf(world, { user: 'ethan-cook' }));
    await vasp.ordinary.callbackOf(two.verificationUuid, 'VERIFICATION_RESULT');
    const read = await api.mailbox({ verificationUuid: two.verificationUuid, type: 'VERIFICATION_RESULT' });
    expect(read.callbacks.map(({ callbackType, data }) => ({ callbackType, data }))).toEqual(
      vasp.callbacks(two.verificationUuid),
    );
    expect((await api.mailbox({ type: 'TX_REPORT' })).callbacks).toEqual([]);
    expect((await api.mailbox({ after: read.next, wait: '10ms' })).callbacks).toEqual([]);
  });
});
