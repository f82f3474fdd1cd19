import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formatUnits, toUnits } from '../../src/kernel/decimal.ts';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { CONTRACTS, deploy, sendTransaction, word } from '../support/chains/contracts.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** D-25, D-26: payments out of contracts, through the whole program. */

interface Place {
  world: World;
  rpc: JsonRpc;
  hold(on: boolean): Promise<unknown>;
  close(): Promise<void>;
}

async function embedded(): Promise<Place> {
  const world = await createWorld({ clock: movingClock });
  const rpc = jsonRpc(`${world.url}/devnet/ethereum`, 30_000);
  return {
    world,
    rpc,
    hold: on => world.api.call('POST', '/sandbox/v1/chains/ETH/hold', { on }),
    async close() {
      await rpc.close();
      await world.close();
    },
  };
}

/** As a provider that does not offer debug_*. */
async function withoutTracing(): Promise<Place> {
  const chains = await startProxiedEthereum();
  const { node, proxy } = chains;
  const refused = { body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'not available' } } };
  proxy.rule(({ method }) => (method.startsWith('debug_') ? refused : undefined));
  const world = await createWorld({ clock: movingClock, chains });
  const rpc = jsonRpc(node.url, 30_000);
  return {
    world,
    rpc,
    hold: node.controls.hold,
    async close() {
      await rpc.close();
      await world.close();
    },
  };
}

const PLACES = [
  ['a node that traces', embedded, true],
  ['a node without debug_*', withoutTracing, false],
] as const;

const wei = (amount: string) => toUnits(amount, 18);
const depositsOf = async (world: World, txHash: string) =>
  (await world.api.receivedPayments()).payments.filter(deposit => deposit.txHash === txHash);
/** A chain by URL is read when its next block is due: `idle` reads it at once. */
const seen = (world: World, holds: () => Promise<boolean>) =>
  until(async () => {
    await world.idle();
    return holds();
  });
const creditedTo = (world: World, address: string, amount: string) =>
  seen(world, async () => (await balanceAt(world, 'ETH', address)) === amount);

describe.skipIf(BY_URL).each(PLACES)('D-26: %s', (_, open, traces) => {
  let place: Place;
  let world: World;
  let rpc: JsonRpc;
  const pay = async (code: string, amount: string, words: (string | bigint)[]) => {
    const to = await deploy(rpc, code);
    const data = `0x${words.map(word).join('')}`;
    return (await sendTransaction(rpc, { to, value: wei(amount), data })).transactionHash;
  };
  beforeAll(async () => {
    place = await open();
    ({ world, rpc } = place);
  });
  afterAll(() => place?.close());

  test('a forwarder pays, and its hash is reported: credited', async () => {
    const { uuid, to, amount } = await verified(world, { user: 'taylor-robbins' });
    const txHash = await pay(CONTRACTS.forwarder, amount, [to]);
    await world.api.reportTransaction(uuid, txHash);
    await creditedTo(world, to, amount);
    expect(await depositsOf(world, txHash)).toMatchObject([
      { amount, address: to, via: 'contract', vout: traces ? '1' : null, verificationUuid: uuid },
    ]);
  });

  test('a contract leaves its money without any report: shown with its amount, credited by the report', async () => {
    const { uuid, to, amount } = await verified(world, { user: 'garrit-studio' });
    const txHash = await pay(CONTRACTS.selfDestructor, amount, [to]);
    await seen(world, async () => (await depositsOf(world, txHash)).length > 0);
    expect(await depositsOf(world, txHash)).toMatchObject([{ amount, address: to, status: 'CONFIRMED' }]);
    expect(await balanceAt(world, 'ETH', to)).toBe('0');
    await world.api.reportTransaction(uuid, txHash);
    await creditedTo(world, to, amount);
  });

  test('a payout inside a reverted call is none; a later one in the same way is', async () => {
    const to = world.user('not-allowed').accounts.ETH;
    const reverter = await deploy(rpc, CONTRACTS.reverter);
    const forwarder = await deploy(rpc, CONTRACTS.forwarder);
    const reverted = await pay(CONTRACTS.relay, '0.3', [reverter, to]);
    const paid = await pay(CONTRACTS.relay, '0.4', [forwarder, to]);
    await seen(world, async () => (await depositsOf(world, paid)).length > 0);
    expect(await depositsOf(world, paid)).toMatchObject([{ amount: '0.4', vout: traces ? '2' : null }]);
    expect(await depositsOf(world, reverted)).toEqual([]);
  });

  test('one transaction pays two users: each verification gets its own transfer', async () => {
    const [one, other] = [await verified(world, { user: 'risk-low' }), await verified(world, { user: 'risk-high' })];
    const payouts = [one, other].flatMap(({ to, amount }) => [to, wei(amount)]);
    const total = String(Number(one.amount) + Number(other.amount));
    const txHash = await pay(CONTRACTS.multisend, total, payouts);
    await world.api.reportTransaction(one.uuid, txHash, '1');
    await world.api.reportTransaction(other.uuid, txHash, '2');
    await creditedTo(world, one.to, one.amount);
    await creditedTo(world, other.to, other.amount);
  });

  test('two contracts pay in one block without a report: nothing is lost, and each report finds its own', async () => {
    const [one, other] = [
      await verified(world, { user: 'taylor-robbins' }),
      await verified(world, { user: 'garrit-studio' }),
    ];
    const before = await Promise.all([one, other].map(({ to }) => balanceAt(world, 'ETH', to)));
    const forwarder = await deploy(rpc, CONTRACTS.forwarder);
    const [from] = await rpc.call<string[]>('eth_accounts');
    await place.hold(true);
    // One after the other: the node gives two parallel ones the same nonce.
    const hashes: string[] = [];
    for (const { to, amount } of [one, other])
      hashes.push(
        await rpc.call<string>('eth_sendTransaction', {
          from,
          to: forwarder,
          gas: '0x100000',
          value: `0x${wei(amount).toString(16)}`,
          data: `0x${word(to)}`,
        }),
      );
    await place.hold(false);
    const unexplained = async () =>
      (await world.api.health()).attention.filter(({ what }) => what === 'money-unexplained');
    const lines = async () => [
      ...(await unexplained()).map(({ text }) => text),
      ...(await world.api.receivedPayments()).payments.map(({ txHash, amount }) => `${amount} in ${txHash}`),
    ];
    for (const { amount } of [one, other])
      await seen(world, async () => (await lines()).some(line => line.includes(amount)));
    expect(await unexplained()).toHaveLength(traces ? 0 : 2);
    for (const [i, { uuid, to, amount }] of [one, other].entries()) {
      await world.api.reportTransaction(uuid, hashes[i]!);
      await creditedTo(world, to, formatUnits(wei(before[i]!) + wei(amount), 18));
    }
    expect(await unexplained()).toEqual([]);
  });
});
