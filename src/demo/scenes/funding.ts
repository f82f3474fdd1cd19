import type { StepLog } from '../step-log.ts';
import { expectEqual } from '../step-log.ts';
import type { SceneContext } from './context.ts';

export async function funding(log: StepLog, { api, symbol, wallet }: SceneContext): Promise<void> {
  await log.step(
    `the faucet pays 100 ${symbol} to our own wallet`,
    async () => {
      const { txHash } = await api.faucet(symbol, wallet.address, '100');
      expectEqual('the form of the hash', /^(0x[0-9a-f]{64}|[0-9A-F]{64})$/.test(txHash), true);
      return txHash;
    },
    txHash => `to ${wallet.address}\ntransaction ${txHash}`,
  );
}
