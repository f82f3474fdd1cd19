import { describe, expect, test } from 'vitest';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { askedDuring, depositOf } from '../support/requests/inquiries.ts';
import { gate } from '../support/timers/test-timers.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** When the robot asks for the status of a transfer, while payments come. */

const world = await forFile(createWorld());

/** Meanwhile the status query that is due after `duration` is under way. */
async function duringQuery({ uuid }: Verified, duration: string, status: string, meanwhile: () => Promise<unknown>) {
  const earlier = world.vasp.received('transactionStatus', uuid).length;
  const { opened, open } = gate();
  world.vasp.ordinary.setStatus(uuid, status as 'PENDING');
  world.vasp.script('transactionStatus', uuid, opened, 'ordinary');
  const advanced = world.advance(duration);
  await world.vasp.arrived('transactionStatus', uuid, earlier + 1);
  await meanwhile();
  open();
  await advanced;
}

/** The last one of the window. */
async function duringLastQuery(verification: Verified, status: string, meanwhile: () => Promise<unknown>) {
  world.vasp.ordinary.setStatus(verification.uuid, 'PENDING');
  await world.advance('69m');
  await duringQuery(verification, '1m', status, meanwhile);
}

describe('D-17: a payment of somebody else', () => {
  test('every nine minutes delays no status query', async () => {
    const verification = await verified(world);
    world.vasp.ordinary.setStatus(verification.uuid, 'PENDING');
    const first = await paid(world, verification);
    const asked: number[] = [];
    for (let minute = 9; minute <= 45; minute += 9) {
      asked.push(...(await askedDuring(world, verification.uuid, '9m')));
      await paid(world, verification);
    }
    expect(asked).toEqual([10, 14, 19, 23, 28, 32, 37, 41]);
    expect(await depositOf(world, first)).toMatchObject({ status: 'CONFIRMED' });
  });

  test('extends the hour: the last query is 70 minutes after the last payment', async () => {
    const verification = await verified(world);
    world.vasp.ordinary.setStatus(verification.uuid, 'PENDING');
    await paid(world, verification);
    const before = await askedDuring(world, verification.uuid, '52m');
    await paid(world, verification);
    const after = await askedDuring(world, verification.uuid, '3h');
    expect(before).toEqual([10, 15, 20, 25, 30, 35, 40, 45, 50]);
    expect(after).toEqual([55, ...Array.from({ length: 14 }, (_, i) => 57 + 5 * i)]);
  });
});

describe('D-17: a payment during the last status query of the window', () => {
  test.each(['PENDING', 'CONFIRMED'])('has a window of its own after %s', async status => {
    const verification = await verified(world);
    let txHash = '';
    await duringLastQuery(verification, status, async () => {
      const wallet = await world.wallet('ETH');
      txHash = await wallet.pay(verification.to, verification.amount);
      await world.api.health();
      await expect.poll(() => depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED' });
    });
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED' });
    world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING', txHash);
    await world.advance('10m');
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'CREDITED', verificationUuid: verification.uuid });
  });

  test('is nobody’s after CANCELED, and no query follows', async () => {
    const verification = await verified(world);
    let txHash = '';
    await duringLastQuery(verification, 'CANCELED', async () => {
      const wallet = await world.wallet('ETH');
      txHash = await wallet.pay(verification.to, verification.amount);
      await expect.poll(() => depositOf(world, txHash)).toMatchObject({ status: 'CONFIRMED' });
    });
    expect(await depositOf(world, txHash)).toMatchObject({ status: 'UNATTRIBUTED' });
    expect(await askedDuring(world, verification.uuid, '3h')).toEqual([]);
  });

  test('a report during a query ends the queries', async () => {
    const verification = await verified(world);
    await duringLastQuery(verification, 'PENDING', () =>
      world.api.reportTransaction(verification.uuid, `0x${'34'.repeat(32)}`),
    );
    expect(await askedDuring(world, verification.uuid, '3h')).toEqual([]);
  });

  test('D-27: a report during a query is not what its answer, which names no transaction, is about', async () => {
    const verification = await verified(world);
    world.vasp.ordinary.setStatus(verification.uuid, 'PROCESSING', `0x${'56'.repeat(32)}`);
    await world.advance('11m');
    const other = `0x${'78'.repeat(32)}`;
    await duringQuery(verification, '4m', 'CONFIRMED', () => world.api.reportTransaction(verification.uuid, other));
    const [{ findings } = {}] = (await world.api.verifications({ search: verification.uuid })).verifications;
    expect(findings).toEqual([]);
  });
});
