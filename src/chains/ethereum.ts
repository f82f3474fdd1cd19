import { getAddress } from 'ethers/address';
import { coalesce } from '../kernel/coalesce.ts';
import { interval } from '../kernel/interval.ts';
import { broadcastEthereum } from './ethereum/broadcast.ts';
import { marketOf, partsOf, quoteFee } from './ethereum/fees.ts';
import { type Confirmations, finalHeight, headBlock } from './ethereum/finality.ts';
import { findTransactionByNonce } from './ethereum/find-transaction-by-nonce.ts';
import { genesisHash, readIncoming } from './ethereum/incoming.ts';
import { type EthereumNode, ethereumNode, hex } from './ethereum/node.ts';
import { stateOf } from './ethereum/state.ts';
import { ethereumWallet } from './ethereum/wallet.ts';
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
  /**
   * Number of blocks that are read again after a reorganisation. Default 64. The embedded node needs more: it makes a
   * block for every transaction and may lose its last second.
   */
  reorgWindow?: number;
  /** Cap of a bid, in wei per gas. Default: 500 gwei. */
  maxFeePerGas?: bigint;
  /** Limit of every call to the node. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const REORG_WINDOW = 64;
const MAX_FEE_PER_GAS = 500_000_000_000n;

/** Plain transfers of ether. Payments out of contracts are not seen. */
export function ethereumChain(config: EthereumConfig): Chain {
  const node = ethereumNode(config.url, config.chainId, config.timeoutMs ?? TIMEOUT_MS);
  const own = ethereumWallet(config.mnemonic, config.chainId);
  const policy = {
    confirmations: config.confirmations,
    reorgWindow: config.reorgWindow ?? REORG_WINDOW,
  };
  const feeCap = config.maxFeePerGas ?? MAX_FEE_PER_GAS;
  const market = coalesce(() => marketOf(node));
  const countOf = async (account: string, block: string) =>
    Number(await node.call<string>('eth_getTransactionCount', account, block));
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
    ownAccount: own.address,
    incoming: (cursor, accounts) => readIncoming(node, policy, cursor, accounts),
    stateOf: txHash => stateOf(node, config.confirmations, txHash),
    onHead(wake) {
      const stop = watchHead(node, config.pollingIntervalMs, wake);
      pollings.add(stop);
      return () => {
        stop();
        pollings.delete(stop);
      };
    },
    async balanceOf(account) {
      const total = BigInt(await node.call<string>('eth_getBalance', account, 'latest'));
      return { total, spendable: total };
    },
    nextSequence: account => countOf(account, 'pending'),
    async finalizedSequence(account) {
      const head = Number((await headBlock(node)).number);
      const final = await finalHeight(node, config.confirmations, head);
      return final < 0 ? 0 : countOf(account, hex(final));
    },
    async findTransactionByNonce(account, number) {
      const head = Number((await headBlock(node)).number);
      const final = await finalHeight(node, config.confirmations, head);
      return findTransactionByNonce(node, account, number, { head, final });
    },
    quoteFee: (account, replaced) => quoteFee(node, market(), feeCap, account, replaced),
    costOf: fee => partsOf(fee).maxFeePerGas * partsOf(fee).gasLimit,
    sign: async order => own.sign(order),
    broadcast: bytes => broadcastEthereum(node, bytes),
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
  return interval(intervalMs, () => void look());
}

/** D-08: without regard to case; a wrong mixed-case checksum is not an address. */
export function parseEthereumAddress(text: string): ChainAddress | undefined {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return undefined;
  const [lower, upper] = [text.toLowerCase(), `0x${text.slice(2).toUpperCase()}`];
  if (text === lower || text === upper) return { account: lower };
  try {
    return { account: getAddress(text).toLowerCase() };
  } catch {
    return undefined;
  }
}
