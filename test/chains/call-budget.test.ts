import { afterAll, beforeAll, expect, test } from 'vitest';
import { ethereumChain } from '../../src/chains/ethereum.ts';
import type { EthereumNode } from '../../src/devnet/ethereum.ts';
import { type ChainWorld, ethereumConfig, ethereumWorld } from '../support/chains/chain-world.ts';

let world: ChainWorld<EthereumNode>;
beforeAll(async () => {
  world = await ethereumWorld();
});
afterAll(() => world.close());

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
