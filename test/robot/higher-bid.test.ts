import { expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { ledgerAt } from '../support/chains/on-chain.ts';
import { movingClock, reaches, received, verifiedForRobot, withdrawn } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { startChainProcesses } from '../support/world/external-chains.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** D-31: a chain by URL, where the robot's accounts own what they were paid and nothing for fees. */

const ETHER = 10n ** 18n;
const GWEI = 10n ** 9n;
const chains = await startChainProcesses({ poor: true });
const rpc = await forFile(jsonRpc(chains.ETH.url, 30_000));
const env = { ...chains.env, ETH_STUCK_AFTER: '1s' };
const world = await forFile(createWorld({ chains: { ...chains, env }, clock: movingClock }));
await chains.ETH.fund(world.info.treasury.ETH!, ETHER);

const hex = (value: bigint) => `0x${value.toString(16)}`;

test('a higher bid that the account cannot pay: the treasury gives the money, and it is paid once', async () => {
  const amount = await received(world);
  const { uuid, to, from } = await verifiedForRobot(world, { amount });
  const treasury = world.info.treasury.ETH!;
  const pending = async (account: string) =>
    Number(await rpc.call<string>('eth_getTransactionCount', account, 'pending'));
  await rpc.call('evm_setAutomine', false);
  await world.api.robotWithdraw(uuid);
  await until(async () => (await pending(treasury)) === 1);
  await rpc.call('evm_mine');
  await until(async () => (await pending(from)) === 1);
  // The first bid is below the price of every block from now on.
  await rpc.call('anvil_setNextBlockBaseFeePerGas', hex(100n * GWEI));
  await rpc.call('evm_mine');
  await rpc.call('evm_setAutomine', true);
  await reaches(world, uuid, 'CONFIRMED');
  const ledger = ledgerAt('ETH', new URL(world.info.chains[0]!.url, world.url).href);
  expect(await ledger.balanceOf(to)).toBe(amount);
  expect(await ledger.sent(from)).toBe(1);
  expect(await ledger.sent(treasury)).toBeGreaterThan(1);
});

test('SEND-5: a reorganisation removes a payment, and its account lacks the fee now: the treasury gives it', async () => {
  const amount = await received(world, { amount: '2.5' });
  const { uuid, to, from } = await withdrawn(world, { amount });
  await rpc.call('anvil_rollback', 1);
  await rpc.call('anvil_setBalance', from, hex(toUnits(amount, 18)));
  await rpc.call('anvil_mine', '0x2');
  const ledger = ledgerAt('ETH', new URL(world.info.chains[0]!.url, world.url).href);
  await until(async () => (await ledger.balanceOf(to)) === amount);
  await reaches(world, uuid, 'CONFIRMED');
});
