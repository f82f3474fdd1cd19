import { startEthereumNode } from '../../../src/devnet/ethereum.ts';
import { silentLog } from '../../../src/kernel/log.ts';

/** A process that runs the embedded node until it is killed. */
const [statePath, chainId] = process.argv.slice(2);
const node = await startEthereumNode({
  statePath,
  chainId: Number(chainId),
  blockTimeSeconds: 0,
  log: silentLog,
});
console.log(JSON.stringify({ url: node.url, pid: node.pid }));
