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
});
