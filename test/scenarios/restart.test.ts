import { expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { askedDuring, balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld({ file: true }));

test('PROD-4: the VASP’s time, what is pending and what was said survive a restart', async () => {
  const { uuid } = await verified(world);
  world.vasp.ordinary.setStatus(uuid, 'PROCESSING');
  expect(await askedDuring(world, uuid, '16m')).toEqual([10, 15]);
  const before = {
    clock: await world.api.clock(),
    timers: await world.api.timers(),
    verification: await world.api.verification(uuid),
    callbacks: await world.api.callbacks(),
    mailbox: await world.api.mailbox(),
  };
  await world.restart();
  expect({
    clock: await world.api.clock(),
    timers: await world.api.timers(),
    verification: await world.api.verification(uuid),
    callbacks: await world.api.callbacks(),
    mailbox: await world.api.mailbox(),
  }).toEqual(before);
  expect(await askedDuring(world, uuid, '10m')).toEqual([20, 25]);
});

test.each(ASSET_SYMBOLS)('D-18, %s: what was paid before a restart is credited after it, and stays', async symbol => {
  const verification = await verified(world, { symbol });
  const before = await balanceAt(world, symbol, verification.to);
  expect(before).toBe('0');
  const txHash = await paid(world, verification);
  await world.restart();
  await world.api.reportTransaction(verification.uuid, txHash);
  await world.idle();
  await world.restart();
  expect(await balanceAt(world, symbol, verification.to)).toBe(verification.amount);
  expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED' });
});
