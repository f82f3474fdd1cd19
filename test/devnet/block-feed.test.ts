import { expect, onTestFinished, test } from 'vitest';
import { startEthereumNode } from '../../src/devnet/ethereum.ts';
import { silentLog } from '../../src/kernel/log.ts';
import { until } from '../support/until.ts';

async function startNode() {
  const node = await startEthereumNode({
    statePath: undefined,
    chainId: 20_260_731,
    blockTimeSeconds: 0,
    log: silentLog,
  });
  onTestFinished(() => node.close());
  let woken = 0;
  const stop = node.onBlock(() => {
    woken += 1;
  });
  /** Resolves when `act` has led to a call of the listener. */
  const wakes = async (act: () => Promise<unknown>) => {
    const before = woken;
    await act();
    await until(() => woken > before);
  };
  await wakes(async () => {});
  return { node, stop, wakes, count: () => woken };
}

test('a new block, a reorganisation and a restart of the node wake the listener', async () => {
  const { node, wakes } = await startNode();
  await wakes(() => node.controls.mine(1));
  await wakes(() => node.controls.reorg(1));
  await wakes(() => node.controls.startOver());
  await wakes(() => node.controls.mine(1));
});

test('a listener that has stopped is not called', async () => {
  const { node, stop, count } = await startNode();
  stop();
  const before = count();
  let other = 0;
  node.onBlock(() => {
    other += 1;
  });
  await node.controls.mine(1);
  await until(() => other > 0);
  expect(count()).toBe(before);
});
