import { ASSET_SYMBOLS, type AssetSymbol, addressText } from '../../contract/assets.ts';
import { hasPart } from '../../contract/parts.ts';
import type { EthereumNode } from '../../devnet/ethereum.ts';
import { TRANSACTION_TYPES } from '../../devnet/xrpl/transaction-types.ts';
import type { Log } from '../../kernel/log.ts';
import { type FundsWatch, watchFunds } from '../../robot/balance/watch-funds.ts';
import { type Watcher, type WatcherState, watchDeposits } from '../../robot/deposit/watch.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import { treasuryOf } from '../../robot/transfer/top-up.ts';
import type { Network } from '../../sandbox/deps.ts';
import { pause } from '../../timers/loop.ts';
import type { Config } from '../config/config.ts';
import { ethereumNetwork, xrplNetwork } from '../config/networks.ts';
import type { AppChains } from './chains.ts';
import { chainFaucet, fundRobot } from './faucet.ts';

/**
 * Starts both chains and their readers, each by itself: an unreachable chain never delays the other. An enclave without a
 * robot has no chains.
 */
export type ChainSupervisor = ReturnType<typeof superviseChains>;

/** Funds change slowly: they are read once in this many polling intervals. */
const FUNDS_EVERY = 15;

export function superviseChains(networks: AppChains, deps: RobotDeps, config: Config, log: Log) {
  const watchers = new Map<AssetSymbol, Watcher>();
  const funds = new Map<AssetSymbol, FundsWatch>();
  const failures = new Map<AssetSymbol, string>();
  let node: EthereumNode | undefined;
  const stopping = new AbortController();
  const read = hasPart(config.parts, 'robot') ? ASSET_SYMBOLS : [];
  const opened = new Map<AssetSymbol, Promise<boolean>>();

  async function open(symbol: AssetSymbol): Promise<boolean> {
    while (!stopping.signal.aborted) {
      try {
        const chain = await networks.chain(symbol);
        await chain.connect();
        if (symbol === 'ETH') node = await networks.ethereumNode();
        if (symbol === 'XRP') await fundRobot(networks, chain.ownAccount(0));
        const watcher = await watchDeposits(deps, symbol, () => funds.get(symbol)?.blockRead());
        watchers.set(symbol, watcher);
        if (!networks.isEmbedded(symbol))
          funds.set(symbol, watchFunds(deps, chain, config.chainPollMs * FUNDS_EVERY));
        await watcher.sync();
        return !stopping.signal.aborted;
      } catch (error) {
        const why = (error as Error).message;
        if (failures.get(symbol) !== why) log.warn({ chain: symbol, err: why }, 'the chain is not ready yet');
        failures.set(symbol, why);
        await pause(config.chainRetryMs, stopping.signal);
      }
    }
    return false;
  }

  const state = (symbol: AssetSymbol): WatcherState => {
    const unsaved = symbol === 'ETH' ? node?.unsaved : undefined;
    if (unsaved) return { ok: false, why: `${unsaved}: nothing is sent until there is some space` };
    return watchers.get(symbol)?.state() ?? { ok: false, why: failures.get(symbol) ?? 'is starting' };
  };

  const urls = { ETH: config.ethereum.urls[0], XRP: config.xrpl.url };
  const devnets = { ETH: networks.ethereumNode, XRP: networks.xrplLedger };
  const devnetPaths = { ETH: '/devnet/ethereum', XRP: '/devnet/xrpl' };
  const network = <K>(symbol: AssetSymbol, knobs: () => Promise<K>): Network<K> => {
    const url = urls[symbol];
    const devnet = async () => devnets[symbol]()?.catch(() => undefined);
    const sync = async () => {
      if (read.length === 0) return;
      // A transaction that was just sent may wait for its block.
      if (symbol === 'ETH')
        await networks
          .ethereumNode()
          ?.then(node => node.allMined())
          .catch(() => {});
      await watchers.get(symbol)?.sync();
    };
    return {
      symbol,
      isEmbedded: networks.isEmbedded(symbol),
      publicUrl: url ? withoutSecrets(url) : devnetPaths[symbol],
      explorer: explorerOf(symbol, config),
      ...(symbol === 'XRP' && networks.isEmbedded(symbol) ? { transactionTypes: TRANSACTION_TYPES } : {}),
      isHeld: async () => (await devnet())?.isHeld ?? false,
      stateBytes: async () => (await devnet())?.stateBytes ?? null,
      async treasury() {
        if (networks.isEmbedded(symbol)) return undefined;
        const chain = await networks.chain(symbol);
        return addressText(treasuryOf(deps, chain) ?? chain.ownAccount(0));
      },
      chain: () => networks.chain(symbol),
      state: () => state(symbol),
      sync,
      async whileNotRead(work) {
        const watcher = watchers.get(symbol);
        return watcher ? watcher.whileNotRead(work) : work();
      },
      ...(networks.isEmbedded(symbol) ? { fund: chainFaucet(networks, symbol, sync), knobs } : {}),
    };
  };
  return {
    networks: {
      ETH: network('ETH', async () => (await networks.ethereumNode()!).knobs),
      XRP: network('XRP', async () => (await networks.xrplLedger()!).knobs),
    },
    /** D-31: missing money does not count. */
    missing: () =>
      read.flatMap(symbol => {
        const now = state(symbol);
        return now.ok ? [] : [`${symbol}: ${now.why}`];
      }),
    /** The figures that are there now; a chain that does not answer delays nobody. */
    figures: () =>
      Promise.all(
        read.map(async symbol => {
          const { seenHead: head, calls, callBudget } = await networks.chain(symbol);
          return {
            symbol,
            isRead: state(symbol).ok,
            head,
            calls,
            callBudget: callBudget && {
              perMinute: callBudget.perMinute,
              lastMinute: callBudget.lastMinute(),
            },
            funds: funds.get(symbol)?.accounts() ?? new Map(),
          };
        }),
      ),
    start(): void {
      for (const symbol of read) opened.set(symbol, open(symbol));
    },
    /** Resolves when the chains were read up to their heads for the first time; false: it stopped before that. */
    ready: async (symbols: readonly AssetSymbol[] = read) =>
      (await Promise.all(symbols.map(symbol => opened.get(symbol)))).every(isReady => isReady),
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all(opened.values());
      await Promise.all([...watchers.values(), ...funds.values()].map(each => each.stop()));
    },
  };
}

/** An embedded chain has no explorer, whatever network id it was given. */
function explorerOf(symbol: AssetSymbol, { ethereum, xrpl }: Config): string | null {
  if (symbol === 'ETH')
    return (ethereum.urls.length > 0 && ethereumNetwork(ethereum.chainId)?.explorer) || null;
  return (xrpl.url && xrplNetwork(xrpl.networkId)?.explorer) || null;
}

/** A configured address may carry a key in its path or query. */
const withoutSecrets = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};
