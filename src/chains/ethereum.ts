import { AsyncLocalStorage } from 'node:async_hooks';
import { accountProblem } from '../contract/assets.ts';
import { elapsedMs, repeat } from '../kernel/clock.ts';
import type { PassCall } from '../kernel/json-rpc.ts';
import { shareNext } from '../kernel/turns.ts';
import { readIncoming } from './ethereum/incoming.ts';
import { lookup, stateOf } from './ethereum/lookup.ts';
import { callBudget, ethereumNode, ethereumNodes } from './ethereum/node.ts';
import {
  beginning,
  type Confirmations,
  createReadBlocks,
  finalityText,
  genesisHash,
  headOf,
  isInChain,
  newReading,
  type Reading,
} from './ethereum/reading.ts';
import { contractPayouts, ethereumSending } from './ethereum/sending.ts';
import { ethereumWallet, marketOf } from './ethereum/wallet.ts';
import type { AddressForm } from './payments.ts';
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
   * embedded node needs more: it makes a block for every transaction, and those of the last second anew after a kill.
   */
  reorgWindow?: number;
  /** As in `ReadPolicy`. Default: a minute. */
  lowerHeadLastsMs?: number;
  pass?: PassCall;
  /** Cap of a bid, in wei per gas. */
  maxFeePerGas: bigint;
  /** Most calls in a minute, to all addresses together. Default: no limit. */
  callsPerMinute?: number | undefined;
  /** Limit of every call to the node. */
  timeoutMs: number;
}

const REORG_WINDOW = 64;
const LOWER_HEAD_LASTS_MS = 60_000;

export function ethereumChain(config: EthereumConfig): Chain {
  const { confirmations, chainId, maxFeePerGas, callsPerMinute } = config;
  const calls = new Map<string, number>();
  const budget = callsPerMinute === undefined ? undefined : callBudget(callsPerMinute);
  const payer = new AsyncLocalStorage<string>();
  const nodes = openNodes(config, async method => {
    await budget?.take(payer.getStore());
    calls.set(method, (calls.get(method) ?? 0) + 1);
  });
  const own = ethereumWallet(config.mnemonic, chainId);
  const polling = (config.pollsByBlockTime ? blockPolling : fixedPolling)(config.pollingIntervalMs);
  const watch = headWatch(polling, config.onBlock);
  let seenHead: Head | undefined;
  return {
    symbol: 'ETH',
    label: config.networkName,
    networkId: chainId,
    finality: finalityText(confirmations),
    calls,
    callBudget: budget,
    connect: () => nodes.ask(node => node.check()),
    head: () => nodes.ask(headOf),
    get seenHead() {
      return seenHead;
    },
    // Node.js 20 watches each promise of the process once a store is used, so one without a budget uses none.
    onBehalfOf: (vaspId, work) => (budget ? payer.run(vaspId, work) : work()),
    isInChain: block => nodes.ask(node => isInChain(node, block)),
    genesis: () => nodes.ask(genesisHash),
    beginning() {
      seenHead = undefined;
      return nodes.ask(beginning);
    },
    parseAddress: parseEthereumAddress,
    otherForm: ethereumForm,
    ownAccount: own.address,
    async incoming(cursor, accounts, stored) {
      let reading: Reading | undefined;
      try {
        return await nodes.decide(async candidate => {
          ({ reading } = candidate);
          const page = await readIncoming(reading, cursor, accounts, stored);
          ({ seenHead } = reading);
          if (!seenHead) return page;
          polling.seen(seenHead);
          await nodes.compareHeads(candidate, seenHead.height, polling.isOverdue());
          return page;
        });
      } catch (error) {
        throw withWait(error, reading?.pacer.waitMs() ?? 0);
      }
    },
    stateOf: txHash => nodes.ask(node => stateOf(node, confirmations, txHash)),
    lookup: (txHash, account) => nodes.ask(node => lookup(node, confirmations, txHash, account)),
    payouts: {
      balances: (at, accounts) => nodes.decide(({ payouts }) => payouts.balances(at, accounts)),
      inBlock: (height, account) => nodes.decide(({ payouts }) => payouts.inBlock(height, account)),
    },
    onHead: watch.onHead,
    ...ethereumSending(nodes, own, confirmations, maxFeePerGas),
    async close() {
      watch.close();
      await nodes.close();
    },
  };
}

function openNodes(config: EthereumConfig, onCall: (method: string) => Promise<void>) {
  const { chainId, confirmations, timeoutMs, pass } = config;
  const { reorgWindow = REORG_WINDOW, lowerHeadLastsMs = LOWER_HEAD_LASTS_MS } = config;
  const readBlocks = createReadBlocks();
  return ethereumNodes(
    config.urls.map(url => {
      const node = ethereumNode(url, chainId, timeoutMs, onCall, pass);
      return {
        node,
        reading: newReading(node, readBlocks, { confirmations, reorgWindow, lowerHeadLastsMs }),
        market: shareNext(() => marketOf(node)),
        payouts: contractPayouts(node, confirmations),
      };
    }),
  );
}

/** Without a wait of its own a failure is tried again when the reader is ready. */
function withWait(error: unknown, waitMs: number): unknown {
  const isWithout = error instanceof ChainUnreachable && error.retryAfterMs === undefined && waitMs > 0;
  return isWithout ? new ChainUnreachable(error.message, { cause: error, retryAfterMs: waitMs }) : error;
}

/** D-08: without regard to case; a wrong mixed-case checksum is not an address. */
export function parseEthereumAddress(text: string): ChainAddress | undefined {
  return accountProblem('ETH', text) === undefined ? { account: text.toLowerCase() } : undefined;
}

const FORMS: readonly [name: string, form: RegExp][] = [
  ['a CAIP-10 account', /^eip155:\d{1,32}:(0x[0-9a-f]{40})$/i],
  ['an EIP-681 address', /^ethereum:(?:pay-)?(0x[0-9a-f]{40})(?:@\d{1,32})?(?:[?#].*)?$/i],
  ['an ERC-3770 address', /^[a-z0-9-]{1,32}:(0x[0-9a-f]{40})$/i],
  ['an address without 0x', /^([0-9a-f]{40})$/i],
  ['an address in a word of 32 bytes', /^0x0{24}([0-9a-f]{40})$/i],
];
const ADDRESS = /(?<![0-9a-z])0x[0-9a-f]{40}(?![0-9a-z])/gi;

/** As `Chain.otherForm`. */
function ethereumForm(text: string): AddressForm | undefined {
  const trimmed = text.trim();
  for (const [name, form] of FORMS) {
    const address = form.exec(trimmed)?.[1];
    if (address) return { name, address: address.toLowerCase().replace(/^(?!0x)/, '0x') };
  }
  const [address, ...others] = new Set(trimmed.toLowerCase().match(ADDRESS));
  const isAlone = address === undefined || others.length > 0 || address.length === trimmed.length;
  return isAlone ? undefined : { name: 'an address inside another text', address };
}

/** After a call that found a new block at once, the next one is made earlier by this part of the block time. */
const EARLIER = 1 / 40;
const SAMPLE_BLOCKS = 32;
const OVERDUE_BLOCKS = 2.5;
/** A chain that makes blocks rarely or irregularly is asked at least this often. */
const LONGEST_MS = 15_000;
/** Timers fire this much too early. */
const TOLERANCE_MS = 20;

type BlockPolling = ReturnType<typeof blockPolling>;

/**
 * When the next block is worth a call: as soon as it can be there, and rarely on a chain that makes none. Learns the moment at which blocks arrive, whatever the clock of the node and the time in the headers say: one block
 * time after the last arrival. `shortestMs`: at least this long between two calls.
 */
function blockPolling(shortestMs: number) {
  const heads: Head[] = [];
  let arrivedAt = 0;
  let askedAt = 0;
  let isEarly = false;
  const blockTimeMs = (): number | undefined => {
    const [first, last] = [heads[0], heads.at(-1)];
    if (!first || !last || last.height === first.height) return undefined;
    return (last.at - first.at) / (last.height - first.height);
  };
  /** Until the next call. Not positive: it is due. */
  const waitMs = (): number => {
    const blockTime = blockTimeMs();
    if (blockTime === undefined) return 0;
    const now = elapsedMs();
    const isSlow = now - arrivedAt > 3 * blockTime;
    const dueAt = isSlow ? askedAt + blockTime : arrivedAt + blockTime;
    return Math.min(dueAt, askedAt + LONGEST_MS) - now;
  };
  return {
    /** The newest block of a reading. */
    seen(head: Head): void {
      askedAt = elapsedMs();
      const last = heads.at(-1);
      if (last && head.height <= last.height) {
        isEarly = true;
        return;
      }
      // It may have been there before the call.
      arrivedAt = elapsedMs() - (isEarly ? 0 : (blockTimeMs() ?? 0) * EARLIER);
      isEarly = false;
      heads.push(head);
      while (heads.length > 2 && head.height - heads[0]!.height > SAMPLE_BLOCKS) heads.shift();
    },
    /** Until it should be asked again whether a call is due: a call that runs now may bring a new block. */
    delayMs: () => Math.max(shortestMs, waitMs()),
    isDue: () => waitMs() <= TOLERANCE_MS,
    /** True: the next block should have been there long ago. */
    isOverdue: () => elapsedMs() - arrivedAt > OVERDUE_BLOCKS * (blockTimeMs() ?? Number.POSITIVE_INFINITY),
  };
}

/** For the embedded node: always the same interval. */
const fixedPolling = (intervalMs: number): BlockPolling => ({
  seen() {},
  delayMs: () => intervalMs,
  isDue: () => true,
  isOverdue: () => false,
});

/** Wakes a reader when a call may bring a new block, or when the node tells of one. */
function headWatch(
  polling: BlockPolling,
  onBlock?: (wake: () => void) => () => void,
): { onHead: Chain['onHead']; close(): void } {
  const pollings = new Set<() => void>();
  return {
    onHead(wake) {
      const stop = repeat(polling.delayMs, () => {
        if (polling.isDue()) wake();
      });
      const stopListening = onBlock?.(wake);
      pollings.add(stop);
      return () => {
        stop();
        stopListening?.();
        pollings.delete(stop);
      };
    },
    close() {
      for (const stop of pollings) stop();
    },
  };
}
