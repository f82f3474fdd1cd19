import { expect, test } from 'vitest';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { confirmed, received, verifiedForRobot } from '../support/requests/from-robot.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';
import { createWorld } from '../support/world/world.ts';

/** hosted.md 3: an account that pays nothing stands in `attention`, with the reason, until it pays again. */

let aheadMs = 0;
const world = await forFile(createWorld({ clock: { now: () => Date.now() + aheadMs } }));
const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 30_000));

const stopped = async () =>
  (await world.api.health()).attention.filter(({ what }) => what === 'wallet-stopped').map(({ text }) => text);
/** The next block has this base fee, in wei. */
async function baseFee(wei: bigint): Promise<void> {
  await rpc.call('anvil_setNextBlockBaseFeePerGas', `0x${wei.toString(16)}`);
  await world.api.call('POST', '/sandbox/v1/chains/ETH/mine', { blocks: 1 });
}

test('an account that has paid nothing for a minute is shown with the reason, until it pays', async () => {
  await received(world, { symbol: 'ETH', amount: '100' });
  const { uuid, from } = await verifiedForRobot(world, { symbol: 'ETH' });
  await baseFee(10n ** 13n);
  await world.api.robotWithdraw(uuid);
  const transfer = async () => (await world.api.transfers({ verificationUuid: uuid })).transfers[0];
  await until(async () => Boolean((await transfer())?.why?.includes('the cap is')));
  expect(await transfer()).toMatchObject({ transactionStatus: 'PENDING' });
  expect(await stopped()).toEqual([]);
  aheadMs = 61_000;
  await until(async () => (await stopped()).length > 0);
  expect((await stopped()).join()).toMatch(new RegExp(`${from}.* pays nothing: .*cap`, 'i'));
  await baseFee(10n ** 9n);
  await confirmed(world, uuid);
  expect(await stopped()).toEqual([]);
});
