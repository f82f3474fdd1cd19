import { Wallet } from 'ethers';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { CONTRACTS, deploy, sendTransaction, word } from '../support/chains/contracts.ts';
import { ledgerAt } from '../support/chains/on-chain.ts';
import { type RpcProxy, type RpcRule, startRpcProxy } from '../support/chains/rpc-proxy.ts';
import { ANVIL, FOREIGN_CHAIN_ID, type Found, findGanache, findGeth } from '../support/foreign/find-nodes.ts';
import { type ForeignNode, startForeignNode } from '../support/foreign/foreign-node.ts';
import { noteOutcomes, type Outcome } from '../support/foreign/note-outcomes.ts';
import { movingClock, reaches, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { type Verified, verified } from '../support/requests/from-tested-vasp.ts';
import { balanceAt, depositOf } from '../support/requests/inquiries.ts';
import { until } from '../support/until.ts';
import { EXTERNAL } from '../support/world/external-chains.ts';
import { createWorld, type World } from '../support/world/world.ts';

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
/** For each node. */
const TESTS = 10;
const found = [...(await Promise.all([findGeth('Amsterdam'), findGanache()])), ANVIL];
const missing = found.flatMap(each => (each.missing === undefined ? [] : [each]));
const nodes = found.flatMap(each => (each.missing === undefined ? [each] : []));

test('at least one foreign node could be got', () => expect(nodes.length).toBeGreaterThan(1));
for (const { name, missing: why } of missing) test.skip(`${name} is not tested. ${why}`, () => {});

/** A test that a node cannot run says so in its title. */
const unless = (limit: string | undefined) => (title: string, body: () => Promise<void>) =>
  limit === undefined ? test(title, body) : test.skip(`${title}. Left out: ${limit}`, () => {});

/** As providers answer that do not trace. */
const NO_TRACING: RpcRule = ({ method }) =>
  method.startsWith('debug_')
    ? { body: { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'the method does not exist' } } }
    : undefined;

describe.each(nodes)('$name', ({ name, kind, limits = {} }: Extract<Found, { missing?: undefined }>) => {
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
  const outcomes: Outcome[] = [];
  afterEach(({ task }) => {
    outcomes.push({ name: task.name, passed: task.result?.state !== 'fail' });
  });
  afterAll(async () => {
    const version = await node?.rpc.call<string>('web3_clientVersion').catch(() => 'unknown');
    await world?.close();
    const notRun = TESTS - outcomes.length - Object.keys(limits).length;
    if (notRun === 0) await noteOutcomes(name, version ?? 'unknown', outcomes, Object.values(limits));
    else process.stderr.write(`${name}: the guide keeps its row, because ${notRun} tests were not run\n`);
  });

  const reportOf = async (uuid: string) => (await world.api.verifications({ search: uuid })).verifications[0]?.report;
  async function report({ uuid }: Verified, txHash: string, vout: string): Promise<void> {
    await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash, vout });
    await until(async () => (await reportOf(uuid))?.verdict === 'CREDITED');
  }
  const ledger = () => ledgerAt('ETH', node.url);

  test('withdrawal test: the tested VASP pays and reports, the robot credits', async () => {
    const amount = await received(world);
    expect(await balanceAt(world, 'ETH', world.user('taylor-robbins').accounts.ETH)).toBe(amount);
  });

  test('deposit test: the treasury pays the fees, the robot pays once', async () => {
    const amount = await received(world, { user: 'risk-low' });
    const { uuid, to, from } = await verifiedForRobot(world, { user: 'risk-low', amount });
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(await ledger().balanceOf(to)).toBe(amount);
    expect([await ledger().sent(from), await ledger().sent(treasury)]).toEqual([1, 1]);
    expect(await world.vasp.ordinary.callbackOf(uuid, 'TX_REPORT')).toHaveProperty('txHash');
  });

  test('a payout to an account that exists already', async () => {
    const amount = await received(world, { user: 'risk-low' });
    const { uuid, to } = await verifiedForRobot(world, { user: 'risk-low', amount });
    await node.fund(to, 1n);
    await world.api.robotWithdraw(uuid);
    await reaches(world, uuid, 'CONFIRMED');
    expect(Number(await ledger().balanceOf(to))).toBeCloseTo(Number(amount), 10);
  });

  test.each([
    ['a node that traces', undefined],
    ['a node that does not trace', NO_TRACING],
  ])('payments out of a contract, %s', async (_, rule) => {
    const contract = await deploy(node.rpc, CONTRACTS.multisend);
    const verification = await verified(world, { user: 'taylor-robbins' });
    proxy.rule(rule);
    const wei = toUnits(verification.amount, 18);
    const other = `0x${'b0'.repeat(20)}`;
    const data = `0x${word(other)}${word(3n)}${word(verification.to)}${word(wei)}`;
    const { transactionHash } = await sendTransaction(node.rpc, { to: contract, value: wei + 3n, data });
    // The value of the transaction itself is at position 0.
    await report(verification, transactionHash, '2');
    expect(await depositOf(world, transactionHash)).toMatchObject({ status: 'CREDITED', amount: verification.amount });
    proxy.rule(undefined);
  });

  unless(limits.twoPayouts)(
    'two payouts of a contract to one address are two where the node logs or traces them',
    async () => {
      const contract = await deploy(node.rpc, CONTRACTS.multisend);
      const verification = await verified(world, { user: 'taylor-robbins' });
      if (name.startsWith('geth')) proxy.rule(NO_TRACING);
      const wei = toUnits(verification.amount, 18);
      const data = `0x${word(verification.to)}${word(5n)}${word(verification.to)}${word(wei)}`;
      const { transactionHash } = await sendTransaction(node.rpc, { to: contract, value: wei + 5n, data });
      await report(verification, transactionHash, '2');
      const { payments: deposits } = await world.api.receivedPayments();
      const own = deposits.filter(({ txHash }) => txHash === transactionHash);
      expect(own.map(({ amount }) => amount).sort()).toEqual(['0.000000000000000005', verification.amount].sort());
      proxy.rule(undefined);
    },
  );

  test('a reported transaction that another one replaced', async () => {
    const { uuid, to, amount } = await verified(world, { user: 'taylor-robbins' });
    const wallet = Wallet.createRandom();
    await node.fund(wallet.address, 10n * ETHER);
    const send = async (nonce: number, gwei: bigint, payment: { to: string; value: bigint }) => {
      const fees = { maxFeePerGas: gwei * GWEI, maxPriorityFeePerGas: gwei * GWEI };
      const signed = { type: 2, chainId: FOREIGN_CHAIN_ID, nonce, gasLimit: 300_000n, ...fees, ...payment };
      return node.rpc.call<string>('eth_sendRawTransaction', await wallet.signTransaction(signed));
    };
    const isJudged = (verdict: string) => until(async () => (await reportOf(uuid))?.verdict === verdict);
    const nothing = { to: wallet.address, value: 0n };
    // No block takes the number 1 before the number 0.
    const first = await send(1, 10n, { to, value: toUnits(amount, 18) });
    await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash: first });
    await isJudged('NOT-FINAL');
    const second = await send(1, 30n, nothing);
    await send(0, 30n, nothing);
    await isJudged('REPLACED');
    const { got } = (await reportOf(uuid))!;
    expect(got).toContain(second);
    expect(got).toContain('the payment was cancelled');
    expect(await node.rpc.call('eth_getTransactionReceipt', first)).toBeNull();
  });

  unless(limits.restart)('a node that restarts: reading and paying go on, paid once', async () => {
    const amount = await received(world, { user: 'risk-medium' });
    const { uuid, to, from } = await verifiedForRobot(world, { user: 'risk-medium', amount });
    await node.stop();
    await world.api.robotWithdraw(uuid);
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
    await world.api.robotWithdraw(uuid);
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
