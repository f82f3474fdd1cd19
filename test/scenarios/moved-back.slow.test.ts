import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { paid, type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** SEND-5, RECV-3: `evm_revert`, as `loadFixture` of Hardhat uses it, moves the head back and makes no new block. */

const POLL_MS = 200;

interface Place {
  world: World;
  rpc: JsonRpc;
}

async function embedded(): Promise<Place> {
  const world = await createWorld({ clock: movingClock });
  return { world, rpc: jsonRpc(`${world.url}/devnet/ethereum`, 5_000) };
}

async function byUrl(): Promise<Place> {
  const chains = await startProxiedEthereum();
  const env = { CHAIN_POLL_INTERVAL: `${POLL_MS}ms` };
  const world = await createWorld({ clock: movingClock, chains, env });
  await chains.node.fund(world.info.treasury.ETH!, 10n ** 18n);
  return { world, rpc: jsonRpc(chains.node.url, 5_000) };
}

describe.skipIf(BY_URL).each([
  ['embedded', embedded],
  ['by URL', byUrl],
] as const)('%s', (_, start) => {
  let world: World;
  let rpc: JsonRpc;
  beforeAll(async () => {
    ({ world, rpc } = await start());
  });
  afterAll(async () => {
    await rpc.close();
    await world.close();
  });

  async function reported(verification: Verified): Promise<string> {
    const txHash = await paid(world, verification);
    await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: verification.uuid, txHash });
    return txHash;
  }
  const balance = () => balanceAt(world, 'ETH', world.user('taylor-robbins').accounts.ETH);

  test('a credit and its balance are taken back by `advance 0s`, with no new block', async () => {
    await received(world);
    const before = await balance();
    const snapshot = await rpc.call<string>('evm_snapshot');
    const verification = await verified(world);
    const hash = await reported(verification);
    await world.idle();
    expect((await depositOf(world, hash))?.status).toBe('CREDITED');
    await rpc.call('evm_revert', snapshot);
    await world.advance('0s');
    expect((await depositOf(world, hash))?.status).not.toBe('CREDITED');
    expect(await balance()).toBe(before);
    expect((await world.api.call('GET', '/readyz')).status).toBe(200);
  });

  test('without any call the robot follows within the polling interval', async () => {
    const snapshot = await rpc.call<string>('evm_snapshot');
    const hash = await reported(await verified(world));
    await world.idle();
    expect((await depositOf(world, hash))?.status).toBe('CREDITED');
    await rpc.call('evm_revert', snapshot);
    const began = performance.now();
    await until(async () => (await depositOf(world, hash))?.status !== 'CREDITED');
    expect(performance.now() - began).toBeLessThan(POLL_MS + 3_000);
  });

  test('the same height with another hash is followed, too', async () => {
    const snapshot = await rpc.call<string>('evm_snapshot');
    const hash = await reported(await verified(world));
    await world.idle();
    await rpc.call('evm_revert', snapshot);
    await rpc.call('evm_increaseTime', 17);
    await rpc.call('evm_mine');
    await world.advance('0s');
    expect((await depositOf(world, hash))?.status).not.toBe('CREDITED');
  });

  test('a payout that was CONFIRMED is paid again on the chain that goes on, once', async () => {
    const amount = await received(world);
    const snapshot = await rpc.call<string>('evm_snapshot');
    const { uuid, to } = await verifiedForRobot(world, { amount });
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    await rpc.call('evm_revert', snapshot);
    await world.advance('0s');
    const { timeline } = await world.api.timeline(uuid);
    expect(timeline.map(({ event }) => event)).toContain('reorged');
    await reaches(world, uuid, 'CONFIRMED');
    expect(BigInt(await rpc.call<string>('eth_getBalance', to, 'latest'))).toBe(
      BigInt(Number(amount) * 1e6) * 10n ** 12n,
    );
  });
});
