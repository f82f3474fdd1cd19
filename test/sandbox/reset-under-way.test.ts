import { expect, test } from 'vitest';
import { toRobot } from '../support/world/chainless-world.ts';
import { chainlessForFile } from '../support/world/for-file.ts';

/** A VASP is reset while its callback is under way. */

const world = await chainlessForFile();
const other = await world.register('7101');

test('D-13: an attempt that fails after the reset leaves nothing of its callback', async () => {
  other.vasp.script('callback', undefined, { status: 503, body: 'Zorblax' }, 'never');
  const { verificationUuid: uuid } = await other.api.verifyUser(toRobot(world));
  await other.vasp.arrived('callback', uuid, 1);
  await other.api.advance('0s');
  const { callbacks } = await other.api.callbacks({ verificationUuid: uuid });
  await other.api.replay(callbacks[0]!.id);
  await other.vasp.arrived('callback', uuid, 2);
  await other.api.reset();
  await other.vasp.down();
  // Waits for what is under way.
  await other.api.advance('1s');
  expect(world.rows()).toMatchObject({ enclave_callbacks: 0, enclave_callback_attempts: 0, runtime_timers: 0 });
  expect(world.sql('SELECT lines FROM runtime_history WHERE verification_uuid = ?', uuid)).toEqual([]);
  await other.vasp.up();
});
