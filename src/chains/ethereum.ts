import { accountFlaw } from '../contract/account-flaw.ts';
import { repeat } from '../kernel/interval.ts';
import type { PassCall } from '../kernel/json-rpc.ts';
import { shareNext } from '../kernel/share-next.ts';
import { broadcastEthereum } from './ethereum/broadcast.ts';
import { callBudget } from './ethereum/call-budget.ts';
import { marketOf, partsOf, quoteFee } from './ethereum/fees.ts';
import { type Confirmations, finalHeight, finalityText, headBlock } from './ethereum/finality.ts';
import { findTransactionByNonce } from './ethereum/find-transaction-by-nonce.ts';
import { type BlockReader, beginning, blockReader } from './ethereum/incoming.ts';
import { lookup } from './ethereum/lookup.ts';
import { type EthereumNode, ethereumNode, hex } from './ethereum/node.ts';
import { ethereumNodes } from './ethereum/nodes.ts';
import { ethereumForm } from './ethereum/other-forms.ts';
import { outgoing } from './ethereum/outgoing.ts';
import { contractPayouts } from './ethereum/payouts.ts';
import { blockPolling, fixedPolling } from './ethereum/polling.ts';
import { createReadBlocks } from './ethereum/read-blocks.ts';
import { genesisHash, isInChain } from './ethereum/start-of-reading.ts';
import { stateOf } from './ethereum/state.ts';
import { ethereumWallet } from './ethereum/wallet.ts';
import { type Chain, type ChainAddress, ChainUnreachable, type Head } from './port.ts';

export interface EthereumConfig {
  /** JSON-RPC addresses of one network, in order of preference. */
  urls: readonly string[];
  chainId: number;
  /** As shown to people, e.g. `Ethereum (embedded)`. */
  networkName: string;
  confirmations: Confirmations;
  /** Of the robot's accounts, m/44'/60'/0'/0/index. */
  mnemonic: string;
  pollingIntervalMs: number;
  /** Wakes the reader of a node that tells of its blocks. */
  onBlock?: (wake: () => void) => () => void;
  /** Waits for the next block by the chain's block time, with `pollingIntervalMs` as the shortest wait. */
  pollsByBlockTime?: boolean;
  /**
   * Number of blocks that are read again after a reorganisation whose beginning is not remembered. Default 64. The
   * embedded node needs more: it makes a block for every transaction and may lose its last second.
   */
  reorgWindow?: number;
  /** As in `ReadPolicy`. Default: a minute. */
  lowerHeadLastsMs?: number;
  /** Every call passes here. */
  pass?: PassCall;
  /** Cap of a bid, in wei per gas. Default: 500 gwei. */
  maxFeePerGas?: bigint;
  /** Most calls in a minute, to all addresses together. Default: no limit. */
  callsPerMinute?: number | undefined;
  /** Limit of every call to the node. */
  timeoutMs?: number;
}

const TIMEOUT_MS = 10_000;
const REORG_WINDOW = 64;
const LOWER_HEAD_LASTS_MS = 60_000;
const MAX_FEE_PER_GAS = 500_000_000_000n;

export function ethereumChain(config: EthereumConfig): Chain {
  const calls = new Map<string, number>();
  const budget = config.callsPerMinute === undefined ? undefined : callBudget(config.callsPerMinute);
  const count = (method: string) => void calls.set(method, (calls.get(method) ?? 0) + 1);
  const onCall = (method: string) => (budget ? budget.take().then(() => count(method)) : count(method));
  const policy = {
    confirmations: config.confirmations,
    reorgWindow: config.reorgWindow ?? REORG_WINDOW,
    lowerHeadLastsMs: config.lowerHeadLastsMs ?? LOWER_HEAD_LASTS_MS,
  };
  const readBlocks = createReadBlocks();
  const nodes = ethereumNodes(
    config.urls.map(url => {
      const node = ethereumNode(url, config.chainId, config.timeoutMs ?? TIMEOUT_MS, onCall, config.pass);
      return {
        node,
        reader: blockReader(node, readBlocks, policy),
        market: shareNext(() => marketOf(node)),
        payouts: contractPayouts(node, policy.confirmations),
      };
    }),
  );
  const ask = <T>(decision: (node: EthereumNode) => Promise<T>) => nodes.decide(({ node }) => decision(node));
  const own = ethereumWallet(config.mnemonic, config.chainId);
  const feeCap = config.maxFeePerGas ?? MAX_FEE_PER_GAS;
  const polling = config.pollsByBlockTime
    ? blockPolling(config.pollingIntervalMs)
    : fixedPolling(config.pollingIntervalMs);
  let seenHead: Head | undefined;
  const countOf = async (node: EthereumNode, account: string, block: string) =>
    Number(await node.call<string>('eth_getTransactionCount', account, block));
  const pollings = new Set<() => void>();
  return {
    symbol: 'ETH',
    label: config.networkName,
    networkId: config.chainId,
    finality: finalityText(config.confirmations),
    calls,
    callBudget: budget,
    connect: () => ask(node => node.check()),
    head: () => ask(headOf),
    get seenHead() {
      return seenHead;
    },
    isInChain: block => ask(node => isInChain(node, block)),
    genesis: () => ask(genesisHash),
    beginning: () => ask(beginning),
    parseAddress: parseEthereumAddress,
    otherForm: ethereumForm,
    ownAccount: own.address,
    async incoming(cursor, accounts, stored) {
      let reader: BlockReader | undefined;
      try {
        return await nodes.decide(async candidate => {
          ({ reader } = candidate);
          const page = await reader.incoming(cursor, accounts, stored);
          ({ seenHead } = reader);
          if (seenHead) {
            polling.seen(seenHead);
            await nodes.compareHeads(candidate, seenHead.height, polling.isOverdue());
          }
          return page;
        });
      } catch (error) {
        throw withWait(error, reader?.waitMs() ?? 0);
      }
    },
    stateOf: txHash => ask(node => stateOf(node, config.confirmations, txHash)),
    lookup: (txHash, account) => ask(node => lookup(node, config.confirmations, txHash, account)),
    payouts: {
      balances: (at, accounts) => nodes.decide(({ payouts }) => payouts.balances(at, accounts)),
      inBlock: (height, account) => nodes.decide(({ payouts }) => payouts.inBlock(height, account)),
    },
    onHead(wake) {
      const stop = repeat(polling.delayMs, () => {
        if (polling.isDue()) wake();
      });
      const stopListening = config.onBlock?.(wake);
      pollings.add(stop);
      return () => {
        stop();
        stopListening?.();
        pollings.delete(stop);
      };
    },
    balanceOf: account =>
      ask(async node => {
        const total = BigInt(await node.call<string>('eth_getBalance', account, 'latest'));
        return { total, spendable: total };
      }),
    nextSequence: account => ask(node => countOf(node, account, 'pending')),
    finalizedSequence: account =>
      ask(async node => {
        const { height } = await headOf(node);
        const final = await finalHeight(node, config.confirmations, height);
        return final < 0 ? 0 : countOf(node, account, hex(final));
      }),
    findTransactionByNonce: (sender, upTo = 'final') =>
      ask(async node => {
        const { height: head } = await headOf(node);
        const last = upTo === 'head' ? head : await finalHeight(node, config.confirmations, head);
        return findTransactionByNonce(node, sender, { head, last });
      }),
    outgoing: (account, fromSequence, after) =>
      ask(async node => {
        const { height } = await headOf(node);
        const final = await finalHeight(node, config.confirmations, height);
        return outgoing(node, { account, fromSequence, after }, final);
      }),
    quoteFee: (payment, replaced) =>
      nodes.decide(({ node, market }) => quoteFee(node, market(), feeCap, payment, replaced)),
    whyUnpayable: async () => undefined,
    isFor: () => true,
    costOf: fee => partsOf(fee).maxFeePerGas * partsOf(fee).gasLimit,
    sign: own.sign,
    broadcast: bytes => ask(node => broadcastEthereum(node, bytes)),
    async close() {
      for (const stop of pollings) stop();
      await nodes.close();
    },
  };
}

/** Without a wait of its own a failure is tried again when the reader is ready. */
function withWait(error: unknown, waitMs: number): unknown {
  const isWithout = error instanceof ChainUnreachable && error.retryAfterMs === undefined && waitMs > 0;
  return isWithout ? new ChainUnreachable(error.message, { cause: error, retryAfterMs: waitMs }) : error;
}

async function headOf(node: EthereumNode): Promise<Head> {
  const block = await headBlock(node);
  return { height: Number(block.number), hash: block.hash, at: Number(block.timestamp) * 1000 };
}

/** D-08: without regard to case; a wrong mixed-case checksum is not an address. */
export function parseEthereumAddress(text: string): ChainAddress | undefined {
  return accountFlaw('ETH', text) === undefined ? { account: text.toLowerCase() } : undefined;
}
