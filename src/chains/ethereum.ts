import { getAddress } from 'ethers/address';
import { HDNodeWallet } from 'ethers/wallet';
import { every } from '../kernel/every.ts';
import { type Confirmations, headBlock } from './ethereum/finality.ts';
import { type EthereumNode, ethereumNode } from './ethereum/node.ts';
import { genesisHash, scan } from './ethereum/scan.ts';
import { stateOf } from './ethereum/state.ts';
import type { Chain, ChainAddress } from './port.ts';

export interface EthereumConfig {
  url: string;
  chainId: number;
  /** As shown to people, e.g. `Ethereum (embedded)`. */
  networkName: string;
  confirmations: Confirmations;
  /** Of the robot's accounts, m/44'/60'/0'/0/index. */
  mnemonic: string;
  pollingIntervalMs: number;
  /** Limit of every call to the node. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;

/** Plain transfers of ether; what a contract pays from within is not seen. */
export function ethereumChain(config: EthereumConfig): Chain {
  const node = ethereumNode(config.url, config.chainId, config.timeoutMs ?? TIMEOUT_MS);
  const root = HDNodeWallet.fromPhrase(config.mnemonic, '', "m/44'/60'/0'/0");
  const pollings = new Set<() => void>();
  return {
    symbol: 'ETH',
    label: config.networkName,
    networkId: config.chainId,
    connect: node.check,
    async head() {
      const block = await headBlock(node);
      return { height: Number(block.number), hash: block.hash, at: Number(block.timestamp) * 1000 };
    },
    genesis: () => genesisHash(node),
    parseAddress: parseEthereumAddress,
    ownAccount: index => root.deriveChild(index).address.toLowerCase(),
    incoming: (cursor, accounts) => scan(node, config.confirmations, cursor, accounts),
    stateOf: txHash => stateOf(node, config.confirmations, txHash),
    onHead(wake) {
      const stop = watchHead(node, config.pollingIntervalMs, wake);
      pollings.add(stop);
      return () => {
        stop();
        pollings.delete(stop);
      };
    },
    async close() {
      for (const stop of pollings) stop();
      await node.close();
    },
  };
}

function watchHead(node: EthereumNode, intervalMs: number, wake: () => void): () => void {
  let last: string | undefined;
  let looking = false;
  const look = async () => {
    if (looking) return;
    looking = true;
    const block = await node.block('latest').catch(() => null);
    looking = false;
    if (!block || block.hash === last) return;
    last = block.hash;
    wake();
  };
  return every(intervalMs, () => void look());
}

/** D-08: without regard to case; mixed case is a checksum, and a wrong one is no address. */
export function parseEthereumAddress(text: string): ChainAddress | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  try {
    return { account: getAddress(text).toLowerCase() };
  } catch {
    return undefined;
  }
}
