import type { EthereumConfig } from '../../chains/ethereum.ts';
import { OWN_FUNDING } from '../../chains/own-funding.ts';
import type { EthereumNode } from '../../devnet/ethereum.ts';
import type { Log } from '../../kernel/log.ts';
import type { Config } from '../config/config.ts';
import { ethereumNetwork, isPublicNetwork } from '../config/networks.ts';
import { besideDatabase } from '../storage/files.ts';
import { type Ledger, ledger, once } from './ledger.ts';

const EMBEDDED_CHAIN_ID = 31_337;
/** A kill of the node makes other blocks of the chain's last second: hundreds of them under load. */
const EMBEDDED_REORG_WINDOW = 1_024;
/** The node tells of its blocks. This is for the case that it does not. */
const EMBEDDED_POLLING_MS = 5_000;
/** Of no user: the last index of all. */
const TREASURY_INDEX = 0x7fff_ffff;
/** A node without a block time puts each transaction into a block at once. */
const MINED_AT_ONCE = { trackEveryMs: 25, trackFirstMs: 1 };
const WEI_PER_GWEI = 1_000_000_000n;

export function ethereumLedger(config: Config, log: Log) {
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
    paying: { embedded: ethereum.blockTimeMs === 0 ? MINED_AT_ONCE : {}, byUrl: { treasuryIndex: TREASURY_INDEX } },
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
