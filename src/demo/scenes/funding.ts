import type { Story } from '../story.ts';
import { expectEqual } from '../story.ts';
import type { SceneSet } from './set.ts';

export async function funding(story: Story, { api, symbol, wallet }: SceneSet): Promise<void> {
  await story.step(
    `the faucet pays 100 ${symbol} to our own wallet`,
    async () => {
      const { txHash } = await api.faucet(symbol, wallet.address, '100');
      expectEqual('the form of the hash', /^(0x[0-9a-f]{64}|[0-9A-F]{64})$/.test(txHash), true);
      return txHash;
    },
    txHash => `to ${wallet.address}\ntransaction ${txHash}`,
  );
}
