import { AsyncLocalStorage } from 'node:async_hooks';
import { accountProblem } from '../contract/assets.ts';
import type { PassCall } from '../kernel/json-rpc.ts';
import { shareNext } from '../kernel/turns.ts';
import { marketOf } from './ethereum/fees.ts';
import { readIncoming } from './ethereum/incoming.ts';
import { lookup, stateOf } from './ethereum/lookup.ts';
import { callBudget, ethereumNode, ethereumNodes } from './ethereum/node.ts';
import { blockPolling, fixedPolling, headWatch } from './ethereum/polling.ts';
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
import { ethereumWallet } from './ethereum/wallet.ts';
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
    beginning: () => nodes.ask(beginning),
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
