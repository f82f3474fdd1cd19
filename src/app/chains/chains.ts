import type { EthereumConfig } from '../../chains/ethereum.ts';
import { OWN_FUNDING } from '../../chains/own-funding.ts';
import { type Chain, ChainUnreachable } from '../../chains/port.ts';
import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import type { EthereumNode } from '../../devnet/ethereum.ts';
import { elapsedMs, systemClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import type { WalletSettings } from '../../robot/deps.ts';
import type { Config } from '../config/config.ts';
import { ethereumNetwork, isPublicNetwork, xrplNetwork } from '../config/networks.ts';
import { besideDatabase } from '../storage/beside-database.ts';

/** Both chains, embedded or reached by URL. Adapters and nodes are loaded and started for their first use. */
export type AppChains = ReturnType<typeof createChains>;

/** Above 1024, so that its transactions are valid on no other network. */
const EMBEDDED_XRPL_NETWORK_ID = 21_117;
const EMBEDDED_CHAIN_ID = 31_337;
/** A kill of program and node loses the chain's last second: hundreds of blocks under load. */
const EMBEDDED_REORG_WINDOW = 1_024;
/** The node tells of its blocks. This is for the case that it does not. */
const EMBEDDED_POLLING_MS = 5_000;
const EMBEDDED_RECONCILE_MS = 1_000;
/** Every minute at the default interval: one call for all accounts. */
const RECONCILE_EVERY_POLLS = 15;
/** Of no user: the last index of all. */
const TREASURY_INDEX = 0x7fff_ffff;
/** Polling intervals between two looks for missing money. */
const LOW_FUNDS_POLLS = 5;
const EMBEDDED_STUCK_AFTER_MS = 10_000;
const EMBEDDED_TRACK_MS = 100;
/** A node without a block time puts each transaction into a block at once. */
const MINED_AT_ONCE = { trackEveryMs: 25, trackFirstMs: 1 };
const MOST_RECONNECT_MS = 1_000;
const FAILURE_KEPT_MS = 200;
export const ROBOT_XRP_DROPS = 1_000_000_000n;
const WEI_PER_GWEI = 1_000_000_000n;

export function createChains(config: Config, log: Log) {
  const { ethereum, xrpl } = config;
  const open: string[] = [];
  let spawned = () => {};
  const isSpawned = new Promise<void>(resolve => {
    spawned = resolve;
  });
  // Chosen before the node starts. An adapter needs no ledger for the users' addresses, so the other ledger works meanwhile.
  const address = once(async () => (await import('../../devnet/ethereum.ts')).freeAddress());
  const node = once(async () => {
    const { startEthereumNode } = await import('../../devnet/ethereum.ts');
    return startEthereumNode({
      port: (await address()).port,
      statePath: besideDatabase(config, '.ethereum.json'),
      chainId: ethereum.chainId ?? EMBEDDED_CHAIN_ID,
      blockTimeSeconds: ethereum.blockTimeMs / 1000,
      ...(ethereum.faucetMnemonic ? { faucetMnemonic: ethereum.faucetMnemonic } : {}),
      onSpawned: spawned,
      log: log.child({ chain: 'ETH' }),
    }).catch(unreachable);
  });
  const ledger = once(async () => {
    const { startXrplLedger } = await import('../../devnet/xrpl/ledger.ts');
    const { xrplWallet: ownAccount } = await import('../../chains/xrpl/wallet.ts');
    const path = besideDatabase(config, '.xrpl.sqlite');
    const started = await startXrplLedger({
      databasePath: path ?? ':memory:',
      networkId: xrpl.networkId ?? EMBEDDED_XRPL_NETWORK_ID,
      closeIntervalMs: xrpl.closeIntervalMs,
      baseFeeDrops: 10n,
      reserveBaseDrops: 1_000_000n,
      reserveIncrementDrops: 200_000n,
      // The account must exist before it can receive less than the reserve.
      endowed: new Map([[ownAccount(xrpl.seed).address, ROBOT_XRP_DROPS]]),
      ...(xrpl.faucetSeed ? { faucetSeed: xrpl.faucetSeed } : {}),
      clock: systemClock,
      log: log.child({ chain: 'XRP' }),
      listen: { host: '127.0.0.1', port: 0 },
    }).catch(unreachable);
    if (path !== undefined) open.push(path);
    return started;
  });
  const chains: Record<AssetSymbol, Once<Chain>> = {
    ETH: once(async () => {
      const { ethereumChain } = await import('../../chains/ethereum.ts');
      const { ethereumWallet } = await import('../../chains/ethereum/wallet.ts');
      const isByUrl = ethereum.urls.length > 0;
      const isPublic = isByUrl && isPublicNetwork(ethereum.chainId);
      // Kept by the wallet. Of a phrase of one's own the first address takes 30 ms, which pass while the node starts.
      ethereumWallet(ethereum.mnemonic, ethereum.chainId ?? EMBEDDED_CHAIN_ID).address(0);
      return ethereumChain({
        urls: isByUrl ? ethereum.urls : [(await address()).url],
        chainId: ethereum.chainId ?? EMBEDDED_CHAIN_ID,
        networkName:
          ethereum.networkName ??
          (isByUrl ? (ethereumNetwork(ethereum.chainId)?.name ?? 'Ethereum testnet') : 'Ethereum (embedded)'),
        confirmations: ethereum.confirmations,
        mnemonic: ethereum.mnemonic,
        maxFeePerGas: BigInt(ethereum.maxFeeGwei) * WEI_PER_GWEI,
        timeoutMs: config.chainTimeoutMs,
        pollingIntervalMs: isByUrl ? config.chainPollMs : EMBEDDED_POLLING_MS,
        // A development node goes back by `evm_revert`, whatever its block time is.
        pollsByBlockTime: isByUrl && isPublic,
        ...(isPublic ? {} : { lowerHeadLastsMs: 0 }),
        ...(isByUrl
          ? { callsPerMinute: ethereum.callsPerMinute }
          : {
              reorgWindow: EMBEDDED_REORG_WINDOW,
              ...embeddedEthereum(node),
            }),
      });
    }),
    XRP: once(async () => {
      const { xrplChain } = await import('../../chains/xrpl.ts');
      return xrplChain({
        url: xrpl.url ?? (async () => (await ledger()).url!),
        networkId: xrpl.networkId ?? EMBEDDED_XRPL_NETWORK_ID,
        networkName: xrpl.url
          ? (xrplNetwork(xrpl.networkId)?.name ?? 'XRP Ledger testnet')
          : 'XRP Ledger (embedded)',
        seed: xrpl.seed,
        maxFeeDrops: BigInt(xrpl.maxFeeDrops),
        timeoutMs: config.chainTimeoutMs,
        reconnectMs: Math.min(MOST_RECONNECT_MS, config.chainRetryMs),
        rereadMs: config.chainRereadMs,
      });
    }),
  };
  const fund: Record<AssetSymbol, NonNullable<WalletSettings['fund']>> = {
    ETH: async (account, units) => (await node()).fund(account, units, OWN_FUNDING),
    XRP: async (account, units) => (await ledger()).fund(account, units),
  };
  const isEmbedded = (symbol: AssetSymbol) =>
    symbol === 'ETH' ? ethereum.urls.length === 0 : xrpl.url === undefined;
  return {
    chain: (symbol: AssetSymbol) => chains[symbol](),
    /** Undefined: the chain is reached by URL. */
    ethereumNode: () => (isEmbedded('ETH') ? node() : undefined),
    xrplLedger: () => (isEmbedded('XRP') ? ledger() : undefined),
    isEmbedded,
    /** Resolves when the process of the embedded Ethereum node runs. Never throws: the first use meets the failure. */
    async startEthereumEarly(): Promise<void> {
      if (!isEmbedded('ETH')) return;
      node().then(spawned, spawned);
      await isSpawned;
    },
    paying: (symbol: AssetSymbol) => ({
      retryMs: config.chainRetryMs,
      ...(isEmbedded(symbol)
        ? {
            trackEveryMs: EMBEDDED_TRACK_MS,
            ...(symbol === 'ETH' && ethereum.blockTimeMs === 0 ? MINED_AT_ONCE : {}),
            stuckAfterMs: EMBEDDED_STUCK_AFTER_MS,
            lowFundsRetryMs: config.chainRetryMs,
            fund: fund[symbol],
          }
        : {
            trackEveryMs: config.chainPollMs,
            stuckAfterMs: ethereum.stuckAfterMs,
            lowFundsRetryMs: config.chainPollMs * LOW_FUNDS_POLLS,
            ...(symbol === 'ETH' ? { treasuryIndex: TREASURY_INDEX } : {}),
          }),
    }),
    /** D-26: how often balances are compared with the known payments. */
    reconcileMs: (symbol: AssetSymbol) =>
      isEmbedded(symbol) ? EMBEDDED_RECONCILE_MS : config.chainPollMs * RECONCILE_EVERY_POLLS,
    /** Paths of the databases that the embedded ledgers have open. A ledger may move its file away before. */
    openDatabases: () => open,
    async stop(): Promise<void> {
      for (const symbol of ASSET_SYMBOLS) await (await chains[symbol].started())?.close();
      await Promise.all([(await node.started())?.close(), (await ledger.started())?.close()]);
    },
  };
}

const unreachable = (cause: Error): never => {
  throw new ChainUnreachable(cause.message, { cause });
};

/** The adapter's view of a node that starts late, or not at all. */
function embeddedEthereum(
  node: () => Promise<EthereumNode>,
): Required<Pick<EthereumConfig, 'onBlock' | 'pass'>> {
  return {
    onBlock(wake) {
      let isOver = false;
      let stop = () => {
        isOver = true;
      };
      node().then(
        ({ onBlock }) => {
          if (!isOver) stop = onBlock(wake);
        },
        () => {},
      );
      return () => stop();
    },
    pass: async (method, call) => (await node()).pass(method, call),
  };
}

interface Once<T> {
  (): Promise<T>;
  /** The result, if the part is configured and has started. */
  started(): Promise<T | undefined>;
}

/** Made on first use. A failure is kept for a moment, so that many users of it cost one attempt. */
function once<T>(make: () => Promise<T>): Once<T> {
  let made: Promise<T> | undefined;
  let failedAt: number | undefined;
  const get = () => {
    if (failedAt !== undefined && elapsedMs() - failedAt >= FAILURE_KEPT_MS) {
      failedAt = undefined;
      made = undefined;
    }
    made ??= make().catch(error => {
      failedAt = elapsedMs();
      throw error;
    });
    return made;
  };
  return Object.assign(get, { started: async () => made?.catch(() => undefined) });
}

/** The users' addresses come from the adapters, which are loaded when somebody asks for the first of them. */
export async function loadedChains({ chain }: AppChains): Promise<Record<AssetSymbol, Chain>> {
  const [ETH, XRP] = await Promise.all([chain('ETH'), chain('XRP')]);
  return { ETH, XRP };
}
