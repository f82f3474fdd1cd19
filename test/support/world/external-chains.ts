import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client, ECDSA, Wallet } from 'xrpl';
import { ethereumWallet } from '../../../src/chains/ethereum/wallet.ts';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import { startEthereumNode } from '../../../src/devnet/ethereum.ts';
import { GENESIS_SEED } from '../../../src/devnet/xrpl/genesis.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { startRpcProxy } from '../chains/rpc-proxy.ts';
import { startLedger } from '../xrpl-network/server.ts';

/** Both chains as somebody else's, reached by their addresses alone: their own ids, mnemonic and seed. */
export interface ExternalChains extends Record<AssetSymbol, ExternalChain> {
  /** The configuration of the program. */
  env: Record<string, string>;
  close(): Promise<void>;
}
export interface ChainProcesses extends ExternalChains {
  /** SIGKILL to both. Resolves when both are back, at their addresses and with their state. */
  killBoth(): Promise<void>;
}
export interface ExternalChain {
  url: string;
  /** A payment in base units, final when it resolves. */
  fund(account: string, units: bigint): Promise<unknown>;
}

export const EXTERNAL = {
  chainId: 20_260_731,
  networkId: 31_415,
  mnemonic: 'letter advice cage absurd amount doctor acoustic avoid letter advice cage above',
  seed: 'sEdSKaCy2JT7JaM7v95H9SxkhP9wS2r',
};
/** A development node in memory. It mines what it is sent. */
export const startNode = (chainId = EXTERNAL.chainId) =>
  startEthereumNode({ statePath: undefined, chainId, blockTimeSeconds: 0, log: silentLog });

/** The wallet indexes of all users. */
const USERS = 32;

const externalEthereumEnv = (url: string) => ({
  ETH_RPC_URL: url,
  ETH_CHAIN_ID: String(EXTERNAL.chainId),
  ROBOT_MNEMONIC: EXTERNAL.mnemonic,
  ETH_CONFIRMATIONS: '1',
});

/** The configuration for chains at these addresses, looked at and tried again often. */
export const externalChainsEnv = (ethereum: string, xrpl: string): Record<string, string> => ({
  ...externalEthereumEnv(ethereum),
  XRPL_URL: xrpl,
  XRPL_NETWORK_ID: String(EXTERNAL.networkId),
  XRPL_SEED: EXTERNAL.seed,
  ALLOW_NETWORK: `${EXTERNAL.chainId},${EXTERNAL.networkId}`,
  CHAIN_POLL_INTERVAL: '50ms',
  CHAIN_RETRY_INTERVAL: '100ms',
  CHAIN_REREAD_INTERVAL: '250ms',
});

/** The robot's own accounts can pay fees, unless they are `poor`, and the one on the XRP Ledger has `drops`. */
export async function endow(
  { ETH, XRP }: Record<AssetSymbol, ExternalChain>,
  { poor = false, drops = 1_000_000_000n } = {},
): Promise<void> {
  const own = ethereumWallet(EXTERNAL.mnemonic, EXTERNAL.chainId);
  const indexes = Array.from({ length: poor ? 0 : USERS }, (_, index) => index);
  await Promise.all(indexes.map(index => ETH.fund(own.address(index), 10n ** 18n)));
  await XRP.fund(Wallet.fromSeed(EXTERNAL.seed).classicAddress, drops);
}

/** A development node that a program reaches through a proxy. The XRP Ledger is the embedded one. */
export async function startProxiedEthereum() {
  const node = await startNode();
  const proxy = await startRpcProxy(node.url);
  return {
    node,
    proxy,
    ETH: { url: node.url, fund: node.fund },
    XRP: { url: '', fund: async () => {} },
    env: { ...externalEthereumEnv(proxy.url), ALLOW_NETWORK: String(EXTERNAL.chainId), CHAIN_POLL_INTERVAL: '20ms' },
    async close() {
      await proxy.close();
      await node.close();
    },
  };
}

/** A development node and a ledger as processes of their own. */
export async function startChainProcesses(robot: Parameters<typeof endow>[1] = {}): Promise<ChainProcesses> {
  const node = await startNode();
  const ledger = await ledgerProcess();
  const bank = await genesisBank(ledger.url);
  const chains = { ETH: { url: node.url, fund: node.fund }, XRP: { url: ledger.url, fund: bank.pay } };
  await endow(chains, robot);
  return {
    ...chains,
    env: externalChainsEnv(node.url, ledger.url),
    async killBoth() {
      const restarted = once(node.events, 'restart');
      process.kill(node.pid, 'SIGKILL');
      await Promise.all([restarted, ledger.killAndRestart()]);
    },
    async close() {
      await bank.close();
      await Promise.all([node.close(), ledger.close()]);
    },
  };
}

async function ledgerProcess() {
  const folder = mkdtempSync(join(tmpdir(), 'xrp-ledger-'));
  const network = ['--network-id', String(EXTERNAL.networkId), '--close-interval', '50'];
  const start = (port: string) => startLedger('--port', port, '--database', join(folder, 'ledger.sqlite'), ...network);
  let running = await start('0');
  return {
    url: running.url,
    async killAndRestart() {
      await running.end('SIGKILL');
      running = await start(new URL(running.url).port);
    },
    async close() {
      await running.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Pays out of the account that owns every coin at first, one payment after the other. */
async function genesisBank(url: string) {
  const client = new Client(url);
  await client.connect();
  await client.request({ command: 'subscribe', streams: ['ledger'] });
  const wallet = Wallet.fromSeed(GENESIS_SEED, { algorithm: ECDSA.secp256k1 });
  let last: Promise<unknown> = Promise.resolve();
  async function paid(account: string, drops: bigint): Promise<void> {
    const { tx_blob, hash } = wallet.sign(
      await client.autofill({
        TransactionType: 'Payment',
        Account: wallet.classicAddress,
        Destination: account,
        Amount: String(drops),
      }),
    );
    await client.submit(tx_blob);
    for (;;) {
      const closed = new Promise(resolve => client.once('ledgerClosed', resolve));
      if ((await client.request({ command: 'tx', transaction: hash })).result.validated) return;
      await closed;
    }
  }
  return {
    pay(account: string, drops: bigint): Promise<void> {
      const payment = last.then(() => paid(account, drops));
      last = payment.catch(() => {});
      return payment;
    },
    close: () => client.disconnect(),
  };
}
