import { startEthereumNode } from '../../../src/devnet/ethereum.ts';
import { silentLog } from '../../../src/kernel/log.ts';

/** A process that runs the embedded node until it is killed. An empty path: in memory. */
const [statePath, chainId] = process.argv.slice(2);
const node = await startEthereumNode({
  statePath: statePath || undefined,
  chainId: Number(chainId),
  blockTimeSeconds: 0,
  log: silentLog,
});
console.log(JSON.stringify({ url: node.url, pid: node.pid }));
