import { expect, test } from 'vitest';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** POST /reset while transfers are under way: money that is on its way arrives, and is nobody's loss afterwards. */

const USER = 'risk-low';
const world = await forFile(createWorld({ clock: movingClock }));

/** The same tests can be played again, as if for the first time. */
async function expectFreshStart(user: string) {
  const address = world.user(user).accounts.XRP;
  expect(await balanceAt(world, 'XRP', address)).toBe('0');
  const income = await received(world, { user, symbol: 'XRP' });
  expect(await balanceAt(world, 'XRP', address)).toBe(income);
  const { uuid, to } = await verifiedForRobot(world, { user, symbol: 'XRP', amount: income });
  await world.api.robotWithdraw(uuid);
  if (user === 'transfer-pending') return;
  await reaches(world, uuid, 'CONFIRMED');
  expect(await ledgerOf(world, 'XRP').balanceOf(to)).toBe(income);
  expect(await balanceAt(world, 'XRP', address)).toBe('0');
}

test('a transfer that is under way arrives once; it burdens no later balance, and nobody is told of it', async () => {
  await received(world, { user: USER, symbol: 'XRP' });
  const { uuid, to, amount } = await verifiedForRobot(world, { user: USER, symbol: 'XRP', amount: '1' });
  await world.api.robotWithdraw(uuid, true);
  await until(async () => (await world.api.inquireTransaction(uuid)).txHash !== undefined);
  await world.api.reset();
  await until(async () => (await ledgerOf(world, 'XRP').balanceOf(to)) === amount);
  await expect(world.api.inquireTransaction(uuid)).rejects.toMatchObject({ code: 'VERIFICATION-NOT-FOUND' });
  await expect(world.api.robotWithdraw(uuid)).rejects.toMatchObject({ status: 404 });
  await expectFreshStart(USER);
  expect(await ledgerOf(world, 'XRP').balanceOf(to)).toBe(amount);
  expect(world.vasp.callbacks(uuid)).toEqual([]);
});

test('one that was only reserved', async () => {
  await received(world, { user: USER, symbol: 'XRP' });
  const { uuid } = await verifiedForRobot(world, { user: USER, symbol: 'XRP', amount: '1' });
  await world.api.robotWithdraw(uuid);
  await world.api.reset();
  await expectFreshStart(USER);
});

test('one that stays PENDING by its user’s behaviour', async () => {
  const user = 'transfer-pending';
  const income = await received(world, { user, symbol: 'XRP' });
  const { uuid } = await verifiedForRobot(world, { user, symbol: 'XRP', amount: income });
  await world.api.robotWithdraw(uuid);
  await world.api.reset();
  await expectFreshStart(user);
});

test('one that is CONFIRMED', async () => {
  await received(world, { user: USER, symbol: 'XRP' });
  const { uuid } = await verifiedForRobot(world, { user: USER, symbol: 'XRP', amount: '1' });
  await world.api.robotWithdraw(uuid);
  await reaches(world, uuid, 'CONFIRMED');
  await world.api.reset();
  await expectFreshStart(USER);
});
