import { expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { askedDuring, balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

const world = await forFile(createWorld());

test.each(ASSET_SYMBOLS)(
  'D-15, %s: VERIFIED becomes ERROR in GET and list, and the robot asks no more',
  async symbol => {
    const { api } = world;
    const { uuid } = await verified(world, { symbol });
    world.vasp.ordinary.setStatus(uuid, 'PENDING');
    const isListed = async (result: string) =>
      (await api.list({ result, rpp: 100 })).verifications.some(each => each.verificationUuid === uuid);
    expect([await isListed('VERIFIED'), await isListed('ERROR')]).toEqual([true, false]);

    const answer = await api.reportError(uuid, 'DENIED', 'USER-CANCELED', 'User canceled');
    expect(answer).toEqual({ result: true });
    const failed = { result: 'ERROR', reason: 'USER-CANCELED', message: 'User canceled', txHash: null };
    expect(await api.verification(uuid)).toMatchObject(failed);
    expect([await isListed('VERIFIED'), await isListed('ERROR')]).toEqual([false, true]);

    await world.idle();
    expect((await api.timers()).timers.filter(timer => timer.key.includes(uuid))).toEqual([]);
    expect(await askedDuring(world, uuid, '3h')).toEqual([]);
    expect(world.vasp.received('transactionStatus', uuid)).toEqual([]);
  },
);

test('D-18: what is paid after an error report is kept as unattributed', async () => {
  const verification = await verified(world);
  await world.api.reportError(verification.uuid, 'ERROR', 'USER-CANCELED');
  await world.idle();
  const before = await balanceAt(world, 'ETH', verification.to);
  const txHash = await paid(world, verification);
  await world.advance('3h');
  expect(await depositOf(world, txHash)).toMatchObject({ status: 'UNATTRIBUTED', verificationUuid: null });
  expect(await balanceAt(world, 'ETH', verification.to)).toBe(before);
});
