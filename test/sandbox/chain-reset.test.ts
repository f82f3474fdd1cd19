import { afterEach, beforeEach, expect, test } from 'vitest';
import { received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { createWorld, type World } from '../support/world/world.ts';

let world: World;
beforeEach(async () => {
  world = await createWorld({ file: true });
});
afterEach(() => world?.close());

interface Readiness {
  status: string;
  missing?: string[];
}
const readiness = () => world.api.call<Readiness>('GET', '/readyz');
const startOver = () => world.api.call('POST', '/sandbox/v1/chains/XRP/start-over');

/** Something is missing, and it is the chain that was reset. */
async function reset(): Promise<Readiness> {
  await until(async () => /another|beginning/.test((await readiness()).body.missing?.join() ?? ''));
  const { status, body } = await readiness();
  expect(status).toBe(503);
  return body;
}

test('RECV-5: after the ledger started over the robot says so, credits nothing more there, and keeps running', async () => {
  const { to, uuid, amount } = await verified(world, { symbol: 'XRP', user: 'garrit-studio' });
  await paid(world, { symbol: 'XRP', to, amount });
  expect(await startOver()).toMatchObject({ status: 200, body: { symbol: 'XRP', knob: 'start-over' } });
  const { missing } = await reset();
  expect(missing).toHaveLength(1);
  expect(missing?.[0]).toMatch(/^XRP: .*(beginning|another)/);

  // A payment on the new ledger that would fit: the robot must not take it for the old one's.
  const { txHash } = await world.api.faucet('XRP', to, '5');
  await world.api.reportTransaction(uuid, txHash);
  await world.idle();
  await world.advance('3h');
  expect(await depositOf(world, txHash)).toBeUndefined();
  expect(await balanceAt(world, 'XRP', to)).toBe('0');
  await reset();
  expect((await world.api.call('GET', '/healthcheck')).status).toBe(200);
});

test('RECV-5: the other chain goes on, and verifications too', async () => {
  await startOver();
  await reset();
  const { uuid, to, amount } = await verified(world, { symbol: 'ETH' });
  const txHash = await paid(world, { symbol: 'ETH', to, amount });
  await world.api.reportTransaction(uuid, txHash);
  await world.idle();
  expect(await balanceAt(world, 'ETH', to)).toBe(amount);
});

test('RECV-5: a new ledger that has grown past the place where the robot stood is still another one, also after a restart', async () => {
  const { chains } = await world.api.info();
  const { head } = chains.find(({ symbol }) => symbol === 'XRP')!;
  await startOver();
  await until(async () => {
    const answer = await world.api.call<{ head: { height: number } | null }>(
      'POST',
      '/sandbox/v1/chains/XRP/close',
    );
    return (answer.body.head?.height ?? 0) > head! + 5;
  });
  await reset();
  await world.restart();
  await reset();
});

test('RECV-5: on a ledger that started over the robot pays nothing: what was paid cannot be known there', async () => {
  await received(world, { symbol: 'XRP', amount: '5' });
  const { uuid } = await verifiedForRobot(world, { symbol: 'XRP', amount: '2' });
  await startOver();
  await reset();
  await world.api.letRobotWithdraw(uuid);
  // Time enough for a wallet to be funded, and a payment to be sent and validated.
  for (let ledger = 0; ledger < 5; ledger++) {
    await world.api.call('POST', '/sandbox/v1/chains/XRP/close');
    await world.api.advance('0s');
  }
  expect(await world.api.inquireTransaction(uuid)).toEqual({
    verificationUuid: uuid,
    transactionStatus: 'PENDING',
  });
});
