import { expect } from 'vitest';
import type { AssetSymbol } from '../../../src/contract/assets.ts';
import type { EthereumNode } from '../../../src/devnet/ethereum.ts';
import { startXrplLedger, XRPL_DEFAULTS, type XrplLedger } from '../../../src/devnet/xrpl/ledger.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { silentLog } from '../../../src/kernel/log.ts';
import { type Ledger, ledgerAt } from '../chains/on-chain.ts';
import { startRpcProxy } from '../chains/rpc-proxy.ts';
import { startTcpProxy } from '../chains/tcp-proxy.ts';
import { startXrplProxy } from '../chains/xrpl-proxy.ts';
import {
  movingClock,
  type RobotVerification,
  type RobotWish,
  reaches,
  received,
  verifiedForRobot,
} from '../requests/from-robot.ts';
import { balanceAt } from '../requests/inquiries.ts';
import { until } from '../until.ts';
import { EXTERNAL, endow, externalChainsEnv, startNode } from './external-chains.ts';
import { createWorld, type World } from './world.ts';

/** The program on two chains given by URL, each behind something that can fail. Its clock is the machine's. */
export interface TroubledWorld {
  world: World;
  node: EthereumNode;
  ledger: XrplLedger;
  /** Past everything that fails. */
  onChain: Record<AssetSymbol, Ledger>;
  close(): Promise<void>;
}

export interface Fronts {
  ethereum: string;
  xrpl: string;
  close(): Promise<unknown>;
}

/** The time limit of every question in these tests: what is later than that has not been answered. */
export const LIMIT_MS = 1_500;

export async function createTroubledWorld<F extends Fronts>(
  front: (node: EthereumNode, ledger: XrplLedger) => Promise<F>,
  env: Record<string, string> = {},
  closeIntervalMs?: number,
): Promise<TroubledWorld & { fronts: F }> {
  const [node, ledger] = await Promise.all([startNode(), startLedger(EXTERNAL.networkId, closeIntervalMs)]);
  const url = ledger.url!;
  const chains = { ETH: { url: node.url, fund: node.fund }, XRP: { url, fund: ledger.fund } };
  await endow(chains);
  const fronts = await front(node, ledger);
  const world = await createWorld({
    clock: movingClock,
    chains: {
      ...chains,
      env: externalChainsEnv(fronts.ethereum, fronts.xrpl),
      async close() {
        await Promise.all([fronts.close(), node.close(), ledger.close()]);
      },
    },
    env: { CHAIN_TIMEOUT: `${LIMIT_MS}ms`, ...env },
  });
  return {
    world,
    node,
    ledger,
    fronts,
    onChain: { ETH: ledgerAt('ETH', node.url), XRP: ledgerAt('XRP', url.replace(/^ws/, 'http')) },
    close: world.close,
  };
}

export const startLedger = (networkId = EXTERNAL.networkId, closeIntervalMs = 50) =>
  startXrplLedger({
    ...XRPL_DEFAULTS,
    networkId,
    databasePath: ':memory:',
    closeIntervalMs,
    clock: systemClock,
    log: silentLog,
    listen: { host: '127.0.0.1', port: 0 },
  });

/** Both chains behind a network that can fail. */
export const overTcp = async (node: EthereumNode, ledger: XrplLedger) => {
  const [ETH, XRP] = await Promise.all([node.url, ledger.url!].map(startTcpProxy));
  return {
    ETH: ETH!,
    XRP: XRP!,
    ethereum: ETH!.url,
    xrpl: XRP!.url,
    close: () => Promise.all([ETH!.close(), XRP!.close()]),
  };
};

/** Both chains behind a proxy that answers what a test says. */
export const behindProxies = async (node: EthereumNode, ledger: XrplLedger) => {
  const [ETH, XRP] = [await startRpcProxy(node.url), await startXrplProxy(ledger.url!)];
  return { ETH, XRP, ethereum: ETH.url, xrpl: XRP.url, close: () => Promise.all([ETH.close(), XRP.close()]) };
};
export type ProxiedWorld = TroubledWorld & { fronts: Awaited<ReturnType<typeof behindProxies>> };

/** Received and VERIFIED, so that the robot may pay it; nothing has been sent yet. */
export async function payable(stage: TroubledWorld, wish: RobotWish): Promise<RobotVerification> {
  const amount = wish.amount ?? stage.world.amount();
  await whileBlocksCome(stage, received(stage.world, { ...wish, amount }));
  return verifiedForRobot(stage.world, { ...wish, amount });
}

/** With more than one confirmation a payment is final only when others follow it. */
export async function whileBlocksCome<T>({ node }: TroubledWorld, work: Promise<T>): Promise<T> {
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  await until(async () => {
    await node.controls.mine(1);
    return isDone;
  });
  return done;
}

export const withdraw = ({ world }: TroubledWorld, { uuid }: RobotVerification) => world.api.robotWithdraw(uuid);

export const statusOf = async ({ world }: TroubledWorld, { uuid }: RobotVerification) =>
  (await world.api.inquireTransaction(uuid)).transactionStatus;

export const confirmed = (stage: TroubledWorld, { uuid }: RobotVerification): Promise<void> =>
  whileBlocksCome(stage, reaches(stage.world, uuid, 'CONFIRMED'));

/** On chain exactly once, by the hash that was reported last, and the book says the same. */
export async function paidOnce(stage: TroubledWorld, verification: RobotVerification): Promise<void> {
  const { uuid, symbol, amount, to } = verification;
  await confirmed(stage, verification);
  expect(await stage.onChain[symbol].balanceOf(to)).toBe(amount);
  const { txHash } = await stage.world.api.inquireTransaction(uuid);
  const { vasp } = stage.world;
  await until(() => reports(vasp.callbacks(uuid)).at(-1) === txHash);
  expect(await stage.onChain[symbol].transaction(txHash!)).toBeDefined();
}

/** The hashes that the tested VASP was told, in order. */
export const reportsOf = async ({ world }: TroubledWorld, { uuid }: RobotVerification) =>
  reports(world.vasp.callbacks(uuid));

/** The texts of `attention`, as one. */
export const attentionOf = async ({ world }: TroubledWorld): Promise<string> =>
  (await world.api.health()).attention.map(({ text }) => text).join('\n');

export const readyz = async ({ world }: TroubledWorld): Promise<string> => (await fetch(`${world.url}/readyz`)).text();

const reports = (callbacks: ReturnType<World['vasp']['callbacks']>): unknown[] =>
  callbacks.flatMap(each => (each.callbackType === 'TX_REPORT' ? [each.data.txHash] : []));

/** Number of transactions that the account sends on chain while `work` runs. */
export async function sentDuring(
  stage: TroubledWorld,
  { symbol, from }: RobotVerification,
  work: () => Promise<unknown>,
): Promise<number> {
  const before = await stage.onChain[symbol].sent(from);
  await work();
  return (await stage.onChain[symbol].sent(from)) - before;
}

/** Withdrawn, and paid once, whatever is done meanwhile. `sent`: of its account, on chain. */
export async function paysOnce(
  stage: TroubledWorld,
  verification: RobotVerification,
  meanwhile: () => unknown = () => {},
): Promise<void> {
  const counted = await sentDuring(stage, verification, async () => {
    await withdraw(stage, verification);
    await meanwhile();
    await paidOnce(stage, verification);
  });
  expect(counted).toBe(1);
  await nothingLeft(stage, verification);
}

/** Everything that was received has been paid: received − paid = balance. */
export const nothingLeft = async ({ world }: TroubledWorld, { symbol, from }: RobotVerification) =>
  expect(await balanceAt(world, symbol, from)).toBe('0');
