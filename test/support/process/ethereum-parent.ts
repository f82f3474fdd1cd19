import { startEthereumNode } from '../../../src/devnet/ethereum.ts';
import { silentLog } from '../../../src/kernel/log.ts';

/** A process that runs the embedded node until it is killed. An empty path: in memory. It has made `payments`. */
const [statePath, chainId, payments = '0'] = process.argv.slice(2);
const node = await startEthereumNode({
  statePath: statePath || undefined,
  chainId: Number(chainId),
  blockTimeSeconds: 0,
  log: silentLog,
});
const hashes: string[] = [];
for (let n = 0; n < Number(payments); n++) hashes.push((await node.fund(`0x${'5b'.repeat(20)}`, 1n)).hash);
console.log(JSON.stringify({ url: node.url, pid: node.pid, hashes }));
