import { expect, test } from 'vitest';
import { movingClock, received, withdrawn } from '../support/requests/from-robot.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ clock: movingClock }));

test('D-31: the money that an embedded chain gives the robot for a fee is no deposit', async () => {
  const amount = await received(world, { symbol: 'ETH' });
  await withdrawn(world, { amount });
  await world.idle();
  expect((await world.api.receivedPayments()).payments).toMatchObject([{ status: 'CREDITED', amount }]);
  const { attention } = await world.api.health();
  expect(attention.filter(({ what }) => /deposit|money/.test(what))).toEqual([]);
});
