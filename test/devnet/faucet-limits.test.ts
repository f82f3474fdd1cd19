import type { ChildProcess } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JsonRpc, jsonRpc } from '../../src/kernel/json-rpc.ts';
import { sendTransaction } from '../support/chains/contracts.ts';
import { freshAddress } from '../support/chains/on-chain.ts';
import { BY_URL, createWorld, type World } from '../support/world/world.ts';

/** A creation that leaves `JUMPDEST; PUSH1 0; JUMP`: it takes whatever gas it gets. */
const ENDLESS = '0x635b6000566000526004601cf3';

describe.skipIf(BY_URL)('the faucet of the embedded Ethereum chain', () => {
  let world: World;
  let rpc: JsonRpc;
  beforeAll(async () => {
    world = await createWorld();
    rpc = jsonRpc(`${world.url}/devnet/ethereum`, 30_000);
  });
  afterAll(async () => {
    await rpc.close();
    await world.close();
  });
  const pay = (address: string) =>
    world.api.call<{ code?: string; message?: string }>('POST', '/sandbox/v1/faucet', {
      symbol: 'ETH',
      address,
      amount: '0.1',
    });

  test('gives a contract at most 1,000,000 gas, and refuses one that needs more', async () => {
    const { contractAddress } = await sendTransaction(rpc, { data: ENDLESS });
    const blocks = await rpc.call('eth_blockNumber');
    expect(await pay(contractAddress)).toMatchObject({ status: 400, body: { code: 'CHAIN-REFUSED' } });
    expect(await rpc.call('eth_blockNumber')).toBe(blocks);
  });

  test('answers 503 while the node restarts, and pays again afterwards', async () => {
    // The node is a child of this process, as the world is this process.
    const { children } = globalThis as unknown as { children: Set<ChildProcess> };
    const nodes = [...children].filter(({ spawnargs }) => spawnargs.includes('--port'));
    expect(nodes).toHaveLength(1);
    nodes[0]!.kill('SIGKILL');
    const seen: number[] = [];
    while (seen.at(-1) !== 200) {
      const { status, body } = await pay(freshAddress('ETH'));
      if (status !== 200) expect([status, body.code]).toEqual([503, 'CHAIN-UNREACHABLE']);
      seen.push(status);
    }
    expect(seen).toContain(503);
  });
});
