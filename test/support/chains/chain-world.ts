import { Client, type Payment, Wallet } from 'xrpl';
import { type EthereumConfig, ethereumChain } from '../../../src/chains/ethereum.ts';
import type { PlannedPayment } from '../../../src/chains/payments.ts';
import type { Chain } from '../../../src/chains/port.ts';
import { type XrplConfig, xrplChain } from '../../../src/chains/xrpl.ts';
import type { EthereumNode } from '../../../src/devnet/ethereum.ts';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger } from '../../../src/devnet/xrpl/ledger.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { startNode } from '../world/external-chains.ts';

/** A chain adapter with its real node, and a stranger with money on that chain. */
export interface ChainWorld<Node = unknown> {
  chain: Chain;
  url: string;
  node: Node;
  /** A second adapter on the same node. */
  again(changes?: { url?: string; networkId?: number; timeoutMs?: number }): Chain;
  /** The stranger pays to an address as people write it; answers the hash, without waiting for a block. */
  pay(address: string, amount: bigint): Promise<string>;
  /** New blocks or ledgers. */
  advance(count: number): Promise<void>;
  /** While true nothing gets into a block. */
  hold(on: boolean): Promise<void>;
  /** One of the robot's own, and one that is a stranger's. */
  ours: string;
  theirs: string;
  /** Of the robot to the stranger. */
  payment: PlannedPayment;
  /** Of somebody who was never paid. */
  nobody: string;
  /** Enough for many payments and their fees. */
  riches: bigint;
  close(): Promise<void>;
}

export const ETHEREUM_CHAIN_ID = 20_260_730;
const ETHEREUM_THEIRS = `0x${'7e'.repeat(20)}`;
/** Of the tests alone. */
const MNEMONIC = 'legal winner thank year wave sausage worth useful legal winner thank yellow';

export const ethereumConfig = (url: string): EthereumConfig => ({
  urls: [url],
  chainId: ETHEREUM_CHAIN_ID,
  networkName: 'Ethereum (embedded)',
  confirmations: 1,
  mnemonic: MNEMONIC,
  pollingIntervalMs: 20,
  maxFeePerGas: 500_000_000_000n,
  timeoutMs: 10_000,
});

export async function ethereumWorld(changes: Partial<EthereumConfig> = {}): Promise<ChainWorld<EthereumNode>> {
  const node = await startNode(changes.chainId ?? ETHEREUM_CHAIN_ID);
  const chain = ethereumChain({ ...ethereumConfig(node.url), ...changes });
  const opened = [chain];
  return {
    chain,
    node,
    url: node.url,
    again({ networkId, url, ...others } = {}) {
      const other = ethereumChain({
        ...ethereumConfig(url ?? node.url),
        ...others,
        ...(networkId === undefined ? {} : { chainId: networkId }),
      });
      opened.push(other);
      return other;
    },
    pay: async (address, amount) => (await node.fund(address, amount)).hash,
    advance: node.controls.mine,
    hold: node.controls.hold,
    ours: chain.ownAccount(0),
    theirs: ETHEREUM_THEIRS,
    payment: { from: chain.ownAccount(0), to: ETHEREUM_THEIRS, amount: 1n },
    nobody: `0x${'d0'.repeat(20)}`,
    riches: 10n ** 18n,
    async close() {
      await Promise.all(opened.map(each => each.close()));
      await node.close();
    },
  };
}

const XRPL_THEIRS = 'rPT1Sjq2YGrBMTttX4GZHjKu9dyfzbpAYe';
const XRPL_SEED = 'sEdTM1uX8pu2do5XvTnutH6HsouMaM2';

export const xrplConfig = (url: string): XrplConfig => ({
  url,
  networkId: XRPL_DEFAULTS.networkId,
  networkName: 'Ripple (embedded)',
  seed: XRPL_SEED,
  maxFeeDrops: 2_000_000n,
  rereadMs: 5_000,
  timeoutMs: 10_000,
  reconnectMs: 1_000,
});

export interface XrplWorld extends ChainWorld<XrplLedger> {
  stranger: Wallet;
  client: Client;
  /** Signed and submitted by the stranger; answers the hash. A ledger is closed after it unless held. */
  send(payment: Partial<Payment>): Promise<string>;
}

/** A ledger that closes only when told to. */
export interface XrplServer {
  url: string;
  closeLedger(): unknown;
  fund(address: string, drops: bigint): Promise<unknown>;
  close(): Promise<unknown>;
}

export async function xrplWorld(changes: Partial<XrplConfig> = {}): Promise<XrplWorld> {
  const node = await startXrplLedger({
    ...XRPL_DEFAULTS,
    networkId: changes.networkId ?? XRPL_DEFAULTS.networkId,
    databasePath: ':memory:',
    closeIntervalMs: 0,
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
  });
  const { url = '', fund, close } = node;
  return { ...(await xrplWorldAt({ url, fund, close, closeLedger: node.controls.close }, changes)), node };
}

export async function xrplWorldAt(
  server: XrplServer,
  changes: Partial<XrplConfig> = {},
): Promise<Omit<XrplWorld, 'node'>> {
  const { url } = server;
  const chain = xrplChain({ ...xrplConfig(url), ...changes });
  const opened = [chain];
  const stranger = Wallet.generate();
  const client = new Client(url);
  await client.connect();
  await server.fund(stranger.classicAddress, 100_000_000_000n);
  let isHeld = false;
  const send = async (fields: Partial<Payment>) => {
    const payment = { TransactionType: 'Payment', Account: stranger.classicAddress, ...fields } as Payment;
    const { tx_blob, hash } = stranger.sign(await client.autofill(payment));
    await client.submit(tx_blob);
    if (!isHeld) await server.closeLedger();
    return hash;
  };
  return {
    chain,
    url,
    stranger,
    client,
    send,
    again(other = {}) {
      const another = xrplChain({ ...xrplConfig(url), ...other });
      opened.push(another);
      return another;
    },
    pay: (address, amount) => {
      const { account, tag } = chain.parseAddress(address) ?? { account: address };
      return send({
        Destination: account,
        Amount: amount.toString(),
        ...(tag === undefined ? {} : { DestinationTag: tag }),
      });
    },
    async advance(count) {
      for (let i = 0; i < count; i++) await server.closeLedger();
    },
    async hold(on) {
      isHeld = on;
      if (!on) await server.closeLedger();
    },
    ours: chain.ownAccount(0),
    theirs: XRPL_THEIRS,
    payment: { from: chain.ownAccount(0), to: XRPL_THEIRS, amount: 1n },
    nobody: Wallet.generate().classicAddress,
    riches: 1_000_000_000n,
    async close() {
      await Promise.all(opened.map(each => each.close()));
      await client.disconnect();
      await server.close();
    },
  };
}
