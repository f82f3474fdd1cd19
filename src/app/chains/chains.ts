import type { EthereumConfig } from '../../chains/ethereum.ts';
import { OWN_FUNDING } from '../../chains/payments.ts';
import type { Chain } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import type { EthereumNode } from '../../devnet/ethereum.ts';
import type { XrplLedger } from '../../devnet/xrpl/ledger.ts';
import { TRANSACTION_TYPES } from '../../devnet/xrpl/transaction-types.ts';
import { systemClock } from '../../kernel/clock.ts';
import type { Log } from '../../kernel/log.ts';
import { pause } from '../../timers/loop.ts';
import { type Config, ethereumNetwork, isPublicNetwork, xrplNetwork } from '../config/config.ts';
import { besideDatabase } from '../storage.ts';
import { type Ledger, ledger, once } from './ledger.ts';

export type AppChains = ReturnType<typeof createChains>;

export function createChains(config: Config, log: Log) {
  const [ETH, XRP] = [ethereumLedger(config, log), xrplLedger(config, log)];
  return { ETH, XRP, stop: () => Promise.all([ETH.stop(), XRP.stop()]) };
}

/** The users' addresses come from the adapters, which are loaded when somebody asks for the first of them. */
export async function loadedChains(chains: AppChains): Promise<Record<AssetSymbol, Chain>> {
  const [ETH, XRP] = await Promise.all([chains.ETH.chain(), chains.XRP.chain()]);
  return { ETH, XRP };
}

const EMBEDDED_CHAIN_ID = 31_337;
/** A kill of the node makes other blocks of the chain's last second: hundreds of them under load. */
const EMBEDDED_REORG_WINDOW = 1_024;
/** The node tells of its blocks. This is for the case that it does not. */
const EMBEDDED_POLLING_MS = 5_000;
/** Of no user: the last index of all. */
const TREASURY_INDEX = 0x7fff_ffff;
/** A node without a block time puts each transaction into a block at once. */
const INSTANT_MINING = { trackEveryMs: 25, trackFirstMs: 1 };
const WEI_PER_GWEI = 1_000_000_000n;

function ethereumLedger(config: Config, log: Log) {
  const { ethereum } = config;
  const { chainId = EMBEDDED_CHAIN_ID } = ethereum;
  let spawned = () => {};
  const isSpawned = new Promise<void>(resolve => {
    spawned = resolve;
  });
  // Chosen before the node starts. An adapter needs no ledger for the users' addresses, so the other ledger works meanwhile.
  const address = once(async () => (await import('../../devnet/ethereum.ts')).freeAddress());
  const made: Ledger<EthereumNode> = ledger(config, {
    symbol: 'ETH',
    url: ethereum.urls[0],
    devnetPath: '/devnet/ethereum',
    explorer: ethereumNetwork(ethereum.chainId)?.explorer,
    chain: () => openChain(config, async () => (await address()).url, made.node),
    async start() {
      const { startEthereumNode } = await import('../../devnet/ethereum.ts');
      return startEthereumNode({
        port: (await address()).port,
        statePath: besideDatabase(config, '.ethereum.json'),
        chainId,
        blockTimeSeconds: ethereum.blockTimeMs / 1000,
        ...(ethereum.faucetMnemonic ? { faucetMnemonic: ethereum.faucetMnemonic } : {}),
        onSpawned: spawned,
        log: log.child({ chain: 'ETH' }),
      });
    },
    fund: (node, account, units) => node.fund(account, units, { data: OWN_FUNDING }),
    pay(node, account, _, units, { fails, token, others, before } = {}) {
      if (others) return node.payTogether([{ account, amount: units }, ...others], { isReverted: fails, before });
      if (token) return node.payToken(account, units, before);
      return fails ? node.failToFund(account, units, before) : node.fund(account, units, { before });
    },
    paying: { embedded: ethereum.blockTimeMs === 0 ? INSTANT_MINING : {}, byUrl: { treasuryIndex: TREASURY_INDEX } },
  });
  return {
    ...made,
    /** Resolves when the process of the embedded node runs. Never throws: the first use meets the failure. */
    async startEarly(): Promise<void> {
      if (!made.isEmbedded) return;
      made.node()!.then(spawned, spawned);
      await isSpawned;
    },
  };
}

async function openChain(
  config: Config,
  embeddedUrl: () => Promise<string>,
  node: () => Promise<EthereumNode> | undefined,
) {
  const { ethereum } = config;
  const { urls, chainId = EMBEDDED_CHAIN_ID } = ethereum;
  const { ethereumChain } = await import('../../chains/ethereum.ts');
  const { ethereumWallet } = await import('../../chains/ethereum/wallet.ts');
  const isByUrl = urls.length > 0;
  const isPublic = isByUrl && isPublicNetwork(ethereum.chainId);
  // Kept by the wallet. Of a phrase of one's own the first address takes 30 ms, which pass while the node starts.
  ethereumWallet(ethereum.mnemonic, chainId).address(0);
  return ethereumChain({
    urls: isByUrl ? urls : [await embeddedUrl()],
    chainId,
    networkName:
      ethereum.networkName ??
      (isByUrl ? (ethereumNetwork(ethereum.chainId)?.name ?? 'Ethereum testnet') : 'Ethereum (embedded)'),
    confirmations: ethereum.confirmations,
    mnemonic: ethereum.mnemonic,
    maxFeePerGas: BigInt(ethereum.maxFeeGwei) * WEI_PER_GWEI,
    timeoutMs: config.chainTimeoutMs,
    pollingIntervalMs: isByUrl ? config.chainPollMs : EMBEDDED_POLLING_MS,
    // A development node goes back by `evm_revert`, whatever its block time is.
    pollsByBlockTime: isPublic,
    ...(isPublic ? {} : { lowerHeadLastsMs: 0 }),
    ...(isByUrl
      ? { callsPerMinute: ethereum.callsPerMinute }
      : { reorgWindow: EMBEDDED_REORG_WINDOW, ...ofLateNode(() => node()!) }),
  });
}

/** The adapter's view of a node that starts late, or not at all. */
function ofLateNode(node: () => Promise<EthereumNode>): Required<Pick<EthereumConfig, 'onBlock' | 'pass'>> {
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
    pass: async (call, send) => (await node()).pass(call, send),
  };
}

/** Above 1024, so that its transactions are valid on no other network. */
const EMBEDDED_NETWORK_ID = 21_117;
const ROBOT_DROPS = 1_000_000_000n;
const MAX_RECONNECT_MS = 1_000;
const FUNDING_STEP_MS = 10;
/** Runs and tests close the ledger at once. */
const CLOSED_ON_DEMAND = { trackFirstMs: 20 };

function xrplLedger(config: Config, log: Log) {
  const { xrpl } = config;
  const { networkId = EMBEDDED_NETWORK_ID } = xrpl;
  const open: string[] = [];
  const made: Ledger<XrplLedger> = ledger(config, {
    symbol: 'XRP',
    url: xrpl.url,
    devnetPath: '/devnet/xrpl',
    explorer: xrplNetwork(xrpl.networkId)?.explorer,
    transactionTypes: TRANSACTION_TYPES,
    async chain() {
      const { xrplChain } = await import('../../chains/xrpl.ts');
      return xrplChain({
        url: xrpl.url ?? (async () => (await made.node()!).url!),
        networkId,
        networkName: xrpl.url ? (xrplNetwork(xrpl.networkId)?.name ?? 'XRP Ledger testnet') : 'XRP Ledger (embedded)',
        seed: xrpl.seed,
        maxFeeDrops: BigInt(xrpl.maxFeeDrops),
        timeoutMs: config.chainTimeoutMs,
        reconnectMs: Math.min(MAX_RECONNECT_MS, config.chainRetryMs),
        rereadMs: config.chainRereadMs,
      });
    },
    async start() {
      const { startXrplLedger, XRPL_DEFAULTS } = await import('../../devnet/xrpl/ledger.ts');
      const { xrplWallet: ownAccount } = await import('../../chains/xrpl/wallet.ts');
      const path = besideDatabase(config, '.xrpl.sqlite');
      const started = await startXrplLedger({
        databasePath: path ?? ':memory:',
        networkId,
        closeIntervalMs: xrpl.closeIntervalMs,
        fees: XRPL_DEFAULTS.fees,
        // The account must exist before it can receive less than the reserve.
        endowed: new Map([[ownAccount(xrpl.seed).address, ROBOT_DROPS]]),
        ...(xrpl.faucetSeed ? { faucetSeed: xrpl.faucetSeed } : {}),
        clock: systemClock,
        log: log.child({ chain: 'XRP' }),
        listen: { host: '127.0.0.1', port: 0 },
      });
      if (path !== undefined) open.push(path);
      return started;
    },
    paying: { embedded: CLOSED_ON_DEMAND },
    prepare: (node, chain) => fundRobot(node, chain.ownAccount(0)),
    fund: (node, account, units) => node.fund(account, units),
    async pay(node, account, tag, units, { fails, delivered, before } = {}) {
      node.requireClosing();
      if (fails) return node.failToFund(account, units, tag, before);
      if (delivered !== undefined) return node.payInPart(account, units, delivered, tag, before);
      return node.fund(account, units, tag, before);
    },
  });
  /** Paths of the databases that it has open. A ledger may move its file away before. */
  return { ...made, openDatabases: () => open };
}

/**
 * Creates the robot's account on a ledger that began with another seed. Closes ledgers itself meanwhile, so that
 * readiness does not wait for the close interval.
 */
async function fundRobot(node: XrplLedger, account: string): Promise<void> {
  if (node.hasAccount(account)) return;
  let isDone = false;
  const funded = node
    .fund(account, ROBOT_DROPS)
    .catch(error => {
      throw error.message === 'terNO_ACCOUNT' ? new Error(OF_ANOTHER_DATABASE) : error;
    })
    .finally(() => {
      isDone = true;
    });
  while (!isDone) {
    await Promise.race([funded, pause(FUNDING_STEP_MS)]);
    if (!isDone) node.controls.close();
  }
}

const OF_ANOTHER_DATABASE =
  'the ledger beside the database belongs to another database, which had the keys of its coins. Restore that database, or make a new ledger: POST /sandbox/v1/chains/XRP/start-over';
