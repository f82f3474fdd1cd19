import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ASSET_SYMBOLS } from '../../src/contract/assets.ts';
import { ledgerOf } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { EXTERNAL, startChainProcesses } from '../support/world/external-chains.ts';
import { createWorld, type World } from '../support/world/world.ts';

/** A part of `npm run test:url`: a node and a ledger as processes of their own, with their own ids and keys. */
let world: World;
beforeAll(async () => {
  world = await createWorld({ chains: await startChainProcesses(), clock: movingClock, file: true });
});
afterAll(() => world.close());

test('what a tester is told are the given networks, and no faucet', async () => {
  const { mode, chains } = await world.api.info();
  expect(mode).toBe('testnet');
  expect(chains).toMatchObject([
    { symbol: 'ETH', id: EXTERNAL.chainId, embedded: false },
    { symbol: 'XRP', id: EXTERNAL.networkId, embedded: false },
  ]);
  const refused = world.api.faucet('ETH', world.user('taylor-robbins').accounts.ETH, '1');
  await expect(refused).rejects.toMatchObject({ status: 409, code: 'EMBEDDED-ONLY' });
});

describe.each(ASSET_SYMBOLS)('%s', symbol => {
  test('both tests, with a restart between them: received, credited, paid back once, reported', async () => {
    const amount = await received(world, { symbol });
    await world.restart();
    const verification = await verifiedForRobot(world, { symbol, amount });
    const { uuid, to, from } = verification;
    await world.api.letRobotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledgerOf(world, symbol).balanceOf(to)).toBe(amount);
    expect(await balanceAt(world, symbol, from)).toBe('0');
    const { txHash } = await world.api.inquireTransaction(uuid);
    expect(await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toMatchObject({ txHash });
  });
});
