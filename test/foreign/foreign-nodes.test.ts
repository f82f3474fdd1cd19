import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { ledgerAt } from '../support/chains/on-chain.ts';
import { type RpcProxy, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { FOREIGN_CHAIN_ID, type Found, findGanache, findGeth } from '../support/foreign/find-nodes.ts';
import { type ForeignNode, startForeignNode } from '../support/foreign/foreign-node.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import { createWorld, type World } from '../support/world/world.ts';

const ETHER = 10n ** 18n;
const found = await Promise.all([findGeth(), findGanache()]);
for (const { name, missing } of found) if (missing) process.stderr.write(`${name}: not tested. ${missing}\n`);
const nodes = found.flatMap(each => (each.missing === undefined ? [each] : []));

test('at least one foreign node could be got', () => expect(nodes).not.toEqual([]));

describe.each(nodes)('$name', ({ kind }: Extract<Found, { missing?: undefined }>) => {
  let node: ForeignNode;
  let proxy: RpcProxy;
  let world: World;
  let treasury: string;
  beforeAll(async () => {
    node = await startForeignNode(kind);
    proxy = await startRpcProxy(node.url);
    world = await createWorld({
      clock: movingClock,
      chains: {
        ETH: { url: node.url, fund: node.fund },
        // Embedded: these tests are about Ethereum.
        XRP: { url: '', fund: async () => {} },
        env: {
          ETH_RPC_URL: proxy.url,
          ETH_CHAIN_ID: String(FOREIGN_CHAIN_ID),
          ROBOT_MNEMONIC: EXTERNAL.mnemonic,
          CHAIN_POLL_INTERVAL: '100ms',
          CHAIN_REREAD_INTERVAL: '250ms',
          ETH_STUCK_AFTER: '3s',
        },
        close: async () => {
          await proxy.close();
          await node.close();
        },
      },
    });
    treasury = world.info.treasury.ETH!;
    await node.fund(treasury, ETHER);
  });
  afterAll(() => world?.close());

  const ledger = () => ledgerAt('ETH', node.url);

  test('withdrawal test: the tested VASP pays and reports, the robot credits', async () => {
    const amount = await received(world);
    expect(await balanceAt(world, 'ETH', world.user('taylor-robbins').accounts.ETH)).toBe(amount);
  });

  test('deposit test: the treasury pays the fees, the robot pays once', async () => {
    const amount = await received(world, { user: 'risk-low' });
    const { uuid, to, from } = await verifiedForRobot(world, { user: 'risk-low', amount });
    await world.api.letRobotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledger().balanceOf(to)).toBe(amount);
    expect([await ledger().sent(from), await ledger().sent(treasury)]).toEqual([1, 1]);
    expect(await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toHaveProperty('txHash');
  });

  test('a node that restarts: reading and paying go on, paid once', async () => {
    const amount = await received(world, { user: 'risk-medium' });
    const { uuid, to, from } = await verifiedForRobot(world, { user: 'risk-medium', amount });
    await node.stop();
    await world.api.letRobotWithdraw(uuid);
    await until(async () => (await world.api.call('GET', '/readyz')).status === 503);
    await node.start();
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledger().balanceOf(to)).toBe(amount);
    expect(await ledger().sent(from)).toBe(1);
  });

  test('a fee that is too low: a higher bid, with money from the treasury, replaces it, paid once', async () => {
    const amount = await received(world, { user: 'risk-high' });
    const { uuid, to, from } = await verifiedForRobot(world, { user: 'risk-high', amount });
    // Enough for a bid of a few wei, and for no higher one.
    await node.fund(from, 1_000_000n);
    // The node's prices as they never are: bids of a few wei.
    let cheap = 0;
    proxy.rule(async ({ method, params }, answered) => {
      if (method === 'eth_maxPriorityFeePerGas') return { body: { ...(await answered()), result: '0x1' } };
      if (method !== 'eth_getBlockByNumber' || params[0] !== 'latest') return undefined;
      const answer = (await answered()) as { result: object };
      cheap += 1;
      return { body: { ...answer, result: { ...answer.result, baseFeePerGas: '0x1' } } };
    });
    await world.api.letRobotWithdraw(uuid);
    await until(async () => {
      const { transfers } = await world.api.transfers({ verificationUuid: uuid });
      return (transfers[0]?.transactions.length ?? 0) > 0;
    });
    expect(cheap).toBeGreaterThan(0);
    proxy.rule(undefined);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledger().balanceOf(to)).toBe(amount);
    expect(await ledger().sent(from)).toBe(1);
  });

  test('a reorganisation: a payment that is gone is never credited, and the next one is', async () => {
    const verification = await verified(world, { user: 'risk-several' });
    let lost = '';
    await node.reorganise(async () => {
      const wallet = await world.wallet('ETH');
      lost = await wallet.pay(verification.to, verification.amount);
      await until(async () => (await depositOf(world, lost)) !== undefined);
    });
    await until(async () => (await depositOf(world, lost))?.status !== 'CREDITED');
    await until(async () => (await world.api.call('GET', '/readyz')).status === 200);
    const before = toUnits(await balanceAt(world, 'ETH', world.user('monitoring-fails').accounts.ETH), 18);
    const amount = await received(world, { user: 'monitoring-fails' });
    const after = toUnits(await balanceAt(world, 'ETH', world.user('monitoring-fails').accounts.ETH), 18);
    expect(after - before).toBe(toUnits(amount, 18));
    expect((await depositOf(world, lost))?.status).not.toBe('CREDITED');
  });
});
