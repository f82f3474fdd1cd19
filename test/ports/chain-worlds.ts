import { type EthereumConfig, ethereumChain } from '../../src/chains/ethereum.ts';
import type { Chain } from '../../src/chains/port.ts';
import { type EthereumNode, startEthereumNode } from '../../src/devnet/ethereum.ts';
import { silentLog } from '../../src/kernel/log.ts';

/** A chain adapter with its real node, and a stranger with money on that chain. */
export interface ChainWorld<Node = unknown> {
  chain: Chain;
  node: Node;
  /** A second adapter on the same node. */
  again(changes?: { url?: string; networkId?: number; timeoutMs?: number }): Chain;
  /** The stranger pays to an address as people write it; answers the hash, without waiting for a block. */
  pay(address: string, amount: bigint): Promise<string>;
  /** New blocks or ledgers. */
  advance(count: number): Promise<void>;
  /** While true nothing gets into a block. */
  hold(on: boolean): Promise<void>;
  /** One of the robot's own, and one that is a stranger's. */
  ours: string;
  theirs: string;
  close(): Promise<void>;
}

export const ETHEREUM_CHAIN_ID = 20_260_730;
/** Of the tests alone. */
const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

export const ethereumConfig = (url: string): EthereumConfig => ({
  url,
  chainId: ETHEREUM_CHAIN_ID,
  networkName: 'Ethereum (embedded)',
  confirmations: 1,
  mnemonic: MNEMONIC,
  pollingIntervalMs: 20,
});

export async function ethereumWorld(
  changes: Partial<EthereumConfig> = {},
): Promise<ChainWorld<EthereumNode>> {
  const node = await startEthereumNode({
    statePath: undefined,
    chainId: ETHEREUM_CHAIN_ID,
    blockTimeSeconds: 0,
    log: silentLog,
  });
  const chain = ethereumChain({ ...ethereumConfig(node.url), ...changes });
  const opened = [chain];
  return {
    chain,
    node,
    again({ networkId, ...others } = {}) {
      const other = ethereumChain({
        ...ethereumConfig(node.url),
        ...others,
        ...(networkId === undefined ? {} : { chainId: networkId }),
      });
      opened.push(other);
      return other;
    },
    pay: async (address, amount) => (await node.fund(address, amount)).hash,
    advance: node.knobs.mine,
    hold: node.knobs.hold,
    ours: chain.ownAccount(0),
    theirs: `0x${'7e'.repeat(20)}`,
    async close() {
      await Promise.all(opened.map(each => each.close()));
      await node.close();
    },
  };
}
