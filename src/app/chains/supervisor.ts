import { ChainUnreachable } from '../../chains/port.ts';
import { ASSET_SYMBOLS, type AssetSymbol, addressText } from '../../contract/assets.ts';
import { hasRole } from '../../contract/tenancy.ts';
import { FaucetClosed, FaucetRefusal } from '../../devnet/access.ts';
import type { EthereumNode } from '../../devnet/ethereum.ts';
import type { XrplLedger } from '../../devnet/xrpl/ledger.ts';
import { RpcUnreachable } from '../../kernel/json-rpc.ts';
import type { Log } from '../../kernel/log.ts';
import { StorageUnavailable } from '../../kernel/storage-trouble.ts';
import { type FundsWatch, watchFunds } from '../../robot/balance/watch-funds.ts';
import { type Watcher, type WatcherState, watchDeposits } from '../../robot/deposit/watch.ts';
import type { RobotDeps } from '../../robot/deps.ts';
import { treasuryOf } from '../../robot/transfer/send.ts';
import type { ChainFigures, Funded, Network } from '../../sandbox/deps.ts';
import { pause } from '../../timers/loop.ts';
import type { Config } from '../config/config.ts';
import type { AppChains } from './chains.ts';
import type { Devnet, Ledger } from './ledger.ts';

export type ChainSupervisor = ReturnType<typeof superviseChains>;

/** Funds change slowly: they are read once in this many polling intervals. */
const FUNDS_EVERY = 15;

/** A ledger with its readers, as far as they have come. */
interface Supervised<N extends Devnet = Devnet> {
  readonly ledger: Ledger<N>;
  watcher?: Watcher;
  funds?: FundsWatch;
  /** Embedded, once it runs. */
  node?: N | undefined;
  failure?: string;
  /** Resolves when it was read up to its head for the first time; false: it stopped before that. */
  opened?: Promise<boolean>;
}

/** Starts both chains and their readers. An unreachable one never delays the other. Without a robot: none. */
export function superviseChains(chains: AppChains, robot: RobotDeps, config: Config, log: Log) {
  const stopping = new AbortController();
  const { signal } = stopping;
  const ETH: Supervised<EthereumNode> = { ledger: chains.ETH };
  const XRP: Supervised<XrplLedger> = { ledger: chains.XRP };
  const all: Record<AssetSymbol, Supervised> = { ETH, XRP };
  const read = hasRole(config.roles, 'robot') ? ASSET_SYMBOLS : [];

  async function open(supervised: Supervised): Promise<boolean> {
    const { ledger } = supervised;
    const { symbol } = ledger;
    while (!signal.aborted) {
      try {
        const chain = await ledger.chain();
        await chain.connect();
        supervised.node = await ledger.node();
        await ledger.prepare(chain);
        const watcher = await watchDeposits(robot, symbol, () => supervised.funds?.blockRead());
        supervised.watcher = watcher;
        supervised.node?.onMovedBack?.(watcher.sync);
        if (!ledger.isEmbedded) supervised.funds = watchFunds(robot, chain, config.chainPollMs * FUNDS_EVERY);
        await watcher.sync();
        return !signal.aborted;
      } catch (error) {
        const why = (error as Error).message;
        if (supervised.failure !== why) log.warn({ chain: symbol, err: why }, 'the chain is not ready yet');
        supervised.failure = why;
        await pause(config.chainRetryMs, signal);
      }
    }
    return false;
  }

  return {
    networks: { ETH: networkOf(ETH, robot), XRP: networkOf(XRP, robot) },
    /** D-31: missing money does not count. */
    missing: () =>
      read.flatMap(symbol => {
        const now = stateOf(all[symbol]);
        return now.ok ? [] : [`${symbol}: ${now.why}`];
      }),
    /** The figures that are there now; a chain that does not answer delays nobody. */
    figures: () => Promise.all(read.map(symbol => figuresOf(all[symbol]))),
    start(): void {
      for (const symbol of read) all[symbol].opened = open(all[symbol]);
    },
    /** Resolves when the chains were read up to their heads for the first time; false: it stopped before that. */
    ready: async (symbols: readonly AssetSymbol[] = read) =>
      (await Promise.all(symbols.map(symbol => all[symbol].opened))).every(isReady => isReady),
    async stop(): Promise<void> {
      stopping.abort();
      await Promise.all([ETH.opened, XRP.opened]);
      await Promise.all([ETH, XRP].flatMap(({ watcher, funds }) => [watcher?.stop(), funds?.stop()]));
    },
  };
}

function stateOf({ node, watcher, failure = 'is starting' }: Supervised): WatcherState {
  if (node?.unsaved) return { ok: false, why: `${node.unsaved}: nothing is sent until there is some space` };
  return watcher?.state() ?? { ok: false, why: failure };
}

async function figuresOf(supervised: Supervised): Promise<ChainFigures> {
  const { ledger, funds } = supervised;
  const { seenHead: head, calls, callBudget } = await ledger.chain();
  return {
    symbol: ledger.symbol,
    isRead: stateOf(supervised).ok,
    head,
    calls,
    callBudget: callBudget && { perMinute: callBudget.perMinute, lastMinute: callBudget.lastMinute() },
    funds: funds?.last(),
  };
}

function networkOf<N extends Devnet>(supervised: Supervised<N>, robot: RobotDeps): Network<N['controls']> {
  const { ledger } = supervised;
  const node = async () => ledger.node()?.catch(() => undefined);
  const activeControls = async () => (await (await node())?.activeControls()) ?? [];
  const sync = async () => {
    if (!supervised.opened) return;
    // A transaction that was just sent may wait for its block.
    await node()
      .then(running => running?.allMined?.())
      .catch(() => {});
    await supervised.watcher?.sync();
  };
  return {
    ...ledger,
    activeControls,
    isHeld: async () => (await activeControls()).includes('hold'),
    stateBytes: async () => (await node())?.stateBytes ?? null,
    async treasury() {
      if (ledger.isEmbedded) return undefined;
      const adapter = await ledger.chain();
      return addressText(treasuryOf(robot, adapter) ?? adapter.ownAccount(0));
    },
    state: () => stateOf(supervised),
    sync,
    whileNotRead: async work => supervised.watcher?.whileNotRead(work) ?? work(),
    ...(ledger.isEmbedded
      ? { fund: faucetOf(ledger, sync), controls: async () => (await ledger.node()!).controls }
      : {}),
  };
}

/** The faucet of an embedded ledger. `sync` reads the ledger up to the payment. */
const faucetOf =
  ({ pay, node }: Ledger, sync: () => Promise<void>): NonNullable<Network['fund']> =>
  async (...payment) => {
    const funded = await pay(...payment).then(
      ({ hash }): Funded => ({ txHash: hash }),
      async (error): Promise<Funded> => {
        const running = await node()?.catch(() => undefined);
        if (running?.unsaved) throw new StorageUnavailable(running.unsaved, false, error);
        if (error instanceof FaucetClosed) return { refused: error.message, isClosed: true };
        if (error instanceof FaucetRefusal || error instanceof ChainUnreachable) return { refused: error.message };
        if (error instanceof RpcUnreachable) return { refused: error.message, isUnreachable: true };
        throw error;
      },
    );
    await sync();
    return funded;
  };
