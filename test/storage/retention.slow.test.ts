import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createProgramWorld } from '../support/world/program-world.ts';

/**
 * RETENTION: final verifications go with everything about them, and exchanges without one. Money stays. The first sweep
 * comes soon after a start.
 */

const world = await forFile(createProgramWorld({ RETENTION: '30d' }));

const status = async (uuid: string) => (await fetch(`${world.url}/v1/verifications/${uuid}`)).status;

test('an old credited verification goes; its deposit, the balance and a young verification stay', async () => {
  const old = await verified(world, { symbol: 'ETH' });
  const txHash = await paid(world, old);
  await world.api.reportTransaction(old.uuid, txHash);
  await world.idle();
  await until(async () => (await world.api.receivedPayments()).payments.some(each => each.status === 'CREDITED'));
  const balance = () => world.api.balance(world.vaspId, old.symbol, old.to);
  const before = await balance();
  expect(Number(before.value)).toBeGreaterThan(0);

  await world.api.advance('31d');
  const young = await verified(world, { symbol: 'ETH' });
  await world.stop();
  await world.start();
  await until(async () => (await status(old.uuid)) === 404);
  await delay(500);
  expect(await status(young.uuid)).toBe(200);
  expect(await balance()).toEqual(before);
  expect((await world.api.receivedPayments()).payments).toMatchObject([{ status: 'CREDITED', txHash }]);
  // Only the question of this test whether it is gone.
  const { exchanges } = await world.api.exchanges({ verificationUuid: old.uuid });
  expect(exchanges.filter(each => each.status !== 404)).toEqual([]);
});

test('an old refused request goes with the persons in its body, and a young one stays', async () => {
  const refused = async (mark: string) => {
    const answer = await fetch(`${world.url}/v1/verifications`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ivms101Originator: mark }),
    });
    expect(answer.status).toBe(400);
  };
  await refused('an old name');
  await world.api.advance('31d');
  await refused('a young name');
  await world.stop();
  await world.start();
  const bodies = async () => JSON.stringify((await world.api.exchanges({ limit: 500 })).exchanges);
  await until(async () => !(await bodies()).includes('an old name'));
  expect(await bodies()).toContain('a young name');
});
