import { beforeAll, describe, expect, test } from 'vitest';
import { type Ledger, ledgerOf } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** REF-2.4, SEND-5, D-34: what a status query answers is where the transfer really stands. A block is needed for a report. */

const rpc = (world: World, method: string, ...params: unknown[]) =>
  world.api.call('POST', '/devnet/ethereum', { jsonrpc: '2.0', id: 1, method, params });

async function reachesEvent(world: World, uuid: string, event: string): Promise<void> {
  await until(async () =>
    (await world.api.timeline(uuid)).timeline.some(each => each.what === 'transfer' && each.event === event),
  );
}

// The chain controls are those of the embedded chains.
describe.skipIf(BY_URL)('REF-2.4, Ethereum with three confirmations', async () => {
  const world = await forFile(createWorld({ clock: movingClock, env: { ETH_CONFIRMATIONS: '3' } }));
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = ledgerOf(world, 'ETH');
    const mining = setInterval(() => void ledger.close(), 50);
    await received(world, { amount: '50' });
    clearInterval(mining);
  });

  test('PENDING, PROCESSING with the hash, WAIT-CONFIRM in a block, CONFIRMED after the third', async () => {
    const { uuid } = await verifiedForRobot(world);
    const statusOf = () => world.api.inquireTransaction(uuid);
    expect(await statusOf()).toEqual({ verificationUuid: uuid, transactionStatus: 'PENDING' });
    await rpc(world, 'evm_setAutomine', false);
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'PROCESSING');
    const { txHash } = await statusOf();
    expect(await statusOf()).toEqual({ verificationUuid: uuid, transactionStatus: 'PROCESSING', txHash });
    expect(txHash).toMatch(/^0x/);
    expect(world.vasp.callbacks(uuid)).toEqual([]);
    await ledger.close();
    await reaches(world, uuid, 'WAIT-CONFIRM');
    expect(await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toMatchObject({ txHash });
    await ledger.close();
    expect(await statusOf()).toEqual({ verificationUuid: uuid, transactionStatus: 'WAIT-CONFIRM', txHash });
    await ledger.close();
    await reaches(world, uuid, 'CONFIRMED');
    expect(await statusOf()).toEqual({ verificationUuid: uuid, transactionStatus: 'CONFIRMED', txHash });
    await rpc(world, 'evm_setAutomine', true);
    const states = (await world.api.timeline(uuid)).timeline
      .filter(each => each.what === 'transfer')
      .map(each => each.to);
    expect(states).toEqual(['PENDING', 'PROCESSING', 'WAIT-CONFIRM', 'CONFIRMED']);
  });

  test('a reorganisation moves WAIT-CONFIRM back to PROCESSING, is shown, and pays once all the same', async () => {
    const { uuid, to, amount } = await verifiedForRobot(world);
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'WAIT-CONFIRM');
    await rpc(world, 'evm_setAutomine', false);
    await world.api.setControl('ETH', 'reorg', { depth: 1 });
    await reachesEvent(world, uuid, 'reorged');
    await rpc(world, 'evm_setAutomine', true);
    await until(async () => {
      await ledger.close();
      return (await world.api.inquireTransaction(uuid)).transactionStatus === 'CONFIRMED';
    });
    expect(await ledger.balanceOf(to)).toBe(amount);
    await world.idle();
    expect(world.vasp.callbacks(uuid)).toHaveLength(1);
  });
});

describe.skipIf(BY_URL)('REF-2.4, XRP Ledger that closes when told to', async () => {
  const world = await forFile(createWorld({ clock: movingClock, env: { XRPL_CLOSE_INTERVAL: '1h' } }));
  let ledger: Ledger;
  beforeAll(async () => {
    ledger = ledgerOf(world, 'XRP');
    const closing = setInterval(() => void ledger.close(), 50);
    await received(world, { symbol: 'XRP', amount: '50' });
    clearInterval(closing);
  });

  test('PROCESSING with the hash until a ledger is validated, then CONFIRMED', async () => {
    const { uuid, to, amount } = await verifiedForRobot(world, { symbol: 'XRP' });
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'PROCESSING');
    const { txHash } = await world.api.inquireTransaction(uuid);
    const processing = { verificationUuid: uuid, transactionStatus: 'PROCESSING', txHash };
    expect(await world.api.inquireTransaction(uuid)).toEqual(processing);
    expect(await ledger.balanceOf(to)).toBe('0');
    expect(world.vasp.callbacks(uuid)).toEqual([]);
    await ledger.close();
    await reaches(world, uuid, 'CONFIRMED');
    expect(await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toMatchObject({ txHash });
    expect(await ledger.balanceOf(to)).toBe(amount);
  });
});
