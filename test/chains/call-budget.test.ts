import { expect, test } from 'vitest';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import { ethereumConfig, ethereumWorld } from '../support/chains/chain-world.ts';
import { until } from '../support/until.ts';
import { forFile } from '../support/world/for-file.ts';

const world = await forFile(ethereumWorld());

test('a call beyond the budget of the minute does not reach the node, and says when to try again', async () => {
  const chain = ethereumChain({ ...ethereumConfig(world.url), callsPerMinute: 2 });
  await chain.connect();
  const refused = await chain.head().catch(error => error);
  expect(refused.message).toContain('ETH_RPC_BUDGET=2');
  expect(refused.retryAfterMs).toBeGreaterThan(2_000);
  expect([...chain.calls.values()]).toEqual([1]);
  expect(chain.callBudget?.perMinute).toBe(2);
  expect(chain.callBudget?.lastMinute()).toBe(1);
  await chain.close();
});

test('calls on behalf of VASPs leave a half to the robot, and no VASP takes the share of another', async () => {
  const chain = ethereumChain({ ...ethereumConfig(world.url), callsPerMinute: 100 });
  await chain.connect();
  const callsOf = async (vaspId: string): Promise<number> => {
    for (let calls = 0; ; calls++) {
      const failed = await chain
        .onBehalfOf(vaspId, () => chain.head())
        .then(
          () => undefined,
          error => error,
        );
      if (failed) {
        expect(failed.message).toContain('ETH_RPC_BUDGET=100');
        expect(failed.retryAfterMs).toBeGreaterThan(0);
        return calls;
      }
    }
  };
  expect(await callsOf('greedy')).toBeGreaterThan(5);
  expect(await callsOf('greedy')).toBeLessThan(3);
  for (let own = 0; own < 8; own++) await chain.head();
  await until(async () => (await callsOf('other')) > 0);
  await chain.head();
  expect(chain.callBudget!.lastMinute()).toBeLessThanOrEqual(100);
  await chain.close();
});
