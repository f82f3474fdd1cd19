import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import { toUnits } from '../../src/kernel/decimal.ts';
import { jsonRpc } from '../../src/kernel/json-rpc.ts';
import { verified } from '../support/requests/from-tested-vasp.ts';
import { forFile } from '../support/world/for-file.ts';
import { BY_URL, createWorld } from '../support/world/world.ts';

/** PROD-4: `advance 0s` waits for the blocks of what was sent before, and reads them. */

/** ROUNDS sets another number, for a long run. */
const ROUNDS = Number(process.env.ROUNDS ?? 30);

// Only the embedded node makes a block for every transaction.
describe.skipIf(BY_URL)('advance 0s', async () => {
  const world = await forFile(createWorld());
  const rpc = await forFile(jsonRpc(`${world.url}/devnet/ethereum`, 5_000));

  test(
    `a payment whose receipt nobody has awaited is credited, ${ROUNDS} times beside a busy process`,
    async () => {
      const busy = spawn(process.execPath, ['-e', 'for (;;) {}'], { stdio: 'ignore' });
      const ended = once(busy, 'exit');
      try {
        const [from] = await rpc.call<string[]>('eth_accounts');
        const verdicts: (string | undefined)[] = [];
        for (let round = 0; round < ROUNDS; round++) {
          const { uuid, to, amount } = await verified(world);
          const value = `0x${toUnits(amount, 18).toString(16)}`;
          const txHash = await rpc.call<string>('eth_sendTransaction', { from, to, value });
          await world.api.call('POST', '/v1/verifications/tx', { verificationUuid: uuid, txHash });
          await world.api.advance('0s');
          const { verifications } = await world.api.verifications({ search: uuid });
          verdicts.push(verifications[0]?.report?.verdict);
        }
        expect(verdicts.filter(verdict => verdict !== 'CREDITED')).toEqual([]);
      } finally {
        busy.kill('SIGKILL');
        await ended;
      }
    },
    ROUNDS * 1_500,
  );

  test('a transaction that no block can hold delays it by two seconds at most, and once', async () => {
    const [from, to] = await rpc.call<string[]>('eth_accounts');
    await world.api.setControl('ETH', 'fee-spike', { baseFee: '1000000000000' });
    const cheap = { from, to, value: '0x1', maxFeePerGas: '0x4a817c800', maxPriorityFeePerGas: '0x1' };
    await rpc.call('eth_sendTransaction', cheap).catch(() => {});
    const took = async () => {
      const began = performance.now();
      await world.api.advance('0s');
      return performance.now() - began;
    };
    expect(await took()).toBeLessThan(5_000);
    expect(await took()).toBeLessThan(1_500);
  });

  test('a chain that is held, or makes no blocks by itself, is not waited for', async () => {
    const [from, to] = await rpc.call<string[]>('eth_accounts');
    await rpc.call('evm_setAutomine', false);
    await rpc.call('eth_sendTransaction', { from, to, value: '0x1' });
    const began = performance.now();
    await world.api.advance('0s');
    expect(performance.now() - began).toBeLessThan(1_500);
    await rpc.call('evm_setAutomine', true);
  });
});
