import { expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { movingClock } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { startProxiedEthereum } from '../support/world/external-chains.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** The node of the embedded chain answers so when a block is made at the moment of the call. */

const ethereum = await forFile(startProxiedEthereum());
const rpc = await forFile(jsonRpc(ethereum.node.url, 30_000));
const world = await forFile(createWorld({ clock: movingClock, env: ethereum.env }));

test('D-26: a node answers with the balances after the next block, in which the robot paid: nothing is unexplained', async () => {
  let comparisons = 0;
  let meanwhile: (() => Promise<void>) | undefined;
  ethereum.proxy.rule(async ({ method, params: [call, block] }) => {
    if (method !== 'eth_call' || typeof block !== 'object') return undefined;
    comparisons += 1;
    const happens = meanwhile;
    if (!happens) return undefined;
    meanwhile = undefined;
    await happens();
    return { body: { jsonrpc: '2.0', id: 1, result: await rpc.call('eth_call', call, 'latest') } };
  });
  const compared = async () => {
    const before = comparisons;
    await rpc.call('evm_mine');
    await until(async () => {
      await world.idle();
      return comparisons > before;
    });
  };
  const from = world.user('taylor-robbins').accounts.ETH;
  await ethereum.node.fund(from, 2n * 10n ** 18n);
  await compared();
  meanwhile = async () => {
    await rpc.call('anvil_impersonateAccount', from);
    const payment = { from, to: freshAddress('ETH'), value: '0xde0b6b3a7640000' };
    const hash = await rpc.call('eth_sendTransaction', payment);
    await until(async () => (await rpc.call('eth_getTransactionReceipt', hash)) !== null);
  };
  await compared();
  await compared();
  const { attention } = await world.api.health();
  expect(attention.filter(({ what }) => what === 'money-unexplained')).toEqual([]);
});
