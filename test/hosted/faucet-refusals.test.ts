import { expect, test } from 'vitest';
import { forFile } from '../support/world/for-file.ts';
import { createHostedWorld } from '../support/world/hosted-world.ts';

/** Payments of the faucet that the chain refuses. They cost the node its time. */

/** A contract of the network itself, which takes no payment. */
const TAKES_NOTHING = '0x000000000000000000000000000000000000000a';
const TAKES_ALL = `0x${'7e'.repeat(20)}`;

const world = await forFile(createHostedWorld());

test('count to the gas of the day, and not to the ether', async () => {
  const tenant = await world.register();
  await world.operator.changeTenant(tenant.vaspId, { quotas: { chainGasPerDay: 2_500_000 } });
  const pay = (address: string) =>
    tenant.api.call('POST', '/sandbox/v1/faucet', { symbol: 'ETH', address, amount: '1' });
  expect((await pay(TAKES_ALL)).status).toBe(200);
  const refused = [];
  for (let n = 0; n < 4; n++) refused.push((await pay(TAKES_NOTHING)).status);
  expect(refused).toEqual([400, 400, 400, 429]);
  const { quotas } = await tenant.api.usage();
  expect(quotas.faucetEth.used).toBe(1);
  const other = await world.register();
  expect(Number((await other.api.faucet('ETH', TAKES_ALL, '1')).txHash)).toBeGreaterThan(0);
});

test('a payment of an unknown asset or to no address costs nothing', async () => {
  const { api } = await world.register();
  const wrong = { symbol: 'ETH', address: 'nowhere', amount: '1' };
  expect((await api.call('POST', '/sandbox/v1/faucet', wrong)).status).toBe(400);
  expect((await api.usage()).quotas.chainGasPerDay.used).toBe(0);
});
