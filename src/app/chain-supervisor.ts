import { ASSET_SYMBOLS, type AssetSymbol } from '../contract/assets.ts';
import type { XrplLedger } from '../devnet/xrpl/ledger.ts';
import type { Log } from '../kernel/log.ts';
import { type FundsWatch, waitingTransfers, watchFunds } from '../robot/balance/watch-funds.ts';
import { type Watcher, type WatcherState, watchDeposits } from '../robot/deposit/watch.ts';
import type { RobotDeps } from '../robot/deps.ts';
import type { ChainFigures, Funded, Network, SandboxDeps } from '../sandbox/deps.ts';
import { pause } from '../timers/loop.ts';
import { type AppChains, ROBOT_XRP_DROPS } from './chains.ts';
import type { Config } from './config.ts';

/** Starts both chains and their readers, each by itself: one that cannot be reached never holds up the other. */
export interface ChainSupervisor {
  networks: SandboxDeps['networks'];
  missing(): string[];
  /** What is known by now; a chain that does not answer holds nobody up. */
  figures(): Promise<ChainFigures[]>;
  start(): void;
  ready(): Promise<void>;
  stop(): Promise<void>;
}

const RETRY_MS = 2_000;
const HEAD_WITHIN_MS = 1_000;
const FUNDING_STEP_MS = 10;
/** The funds change slowly: they are looked at once in so many turns. */
const FUNDS_EVERY = 15;

export function superviseChains(
  networks: AppChains,
  deps: RobotDeps,
  config: Config,
  log: Log,
): ChainSupervisor {
  const watchers = new Map<AssetSymbol, Watcher>();
  const funds = new Map<AssetSymbol, FundsWatch>();
  const failures = new Map<AssetSymbol, string>();
  const stopping = new AbortController();
  let started: Promise<unknown> = Promise.resolve();

  async function open(symbol: AssetSymbol): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        const chain = await networks.chain(symbol);
        await chain.connect();
        if (symbol === 'XRP') await fundRobot(networks, chain.ownAccount(0));
        const watcher = await watchDeposits(deps, symbol);
        watchers.set(symbol, watcher);
        if (!networks.isEmbedded(symbol))
          funds.set(symbol, watchFunds(deps, chain, config.chainPollMs * FUNDS_EVERY));
        return watcher.sync();
      } catch (error) {
        const why = (error as Error).message;
        if (failures.get(symbol) !== why) log.warn({ chain: symbol, err: why }, 'the chain is not there yet');
        failures.set(symbol, why);
        await pause(RETRY_MS, stopping.signal);
      }
    }
  }

  const state = (symbol: AssetSymbol): WatcherState =>
    watchers.get(symbol)?.state() ?? { ok: false, why: failures.get(symbol) ?? 'is starting' };

  return {
    networks: {
      ETH: {
        symbol: 'ETH',
        isEmbedded: networks.isEmbedded('ETH'),
        publicUrl: config.ethereum.url ? withoutSecrets(config.ethereum.url) : '/devnet/ethereum',
        state: () => state('ETH'),
        sync: async () => watchers.get('ETH')?.sync(),
        ...(networks.isEmbedded('ETH')
          ? {
              fund: fundEthereum(networks, watchers),
              knobs: async () => (await networks.ethereumNode()!).knobs,
            }
          : {}),
      },
      XRP: {
        symbol: 'XRP',
        isEmbedded: networks.isEmbedded('XRP'),
        publicUrl: config.xrpl.url ? withoutSecrets(config.xrpl.url) : '/devnet/xrpl',
        state: () => state('XRP'),
        sync: async () => watchers.get('XRP')?.sync(),
        ...(networks.isEmbedded('XRP')
          ? { fund: fundXrp(networks, watchers), knobs: async () => (await networks.xrplLedger()!).knobs }
          : {}),
      },
    },
    missing: () =>
      ASSET_SYMBOLS.flatMap(symbol => {
        const now = state(symbol);
        const reading = now.ok ? [] : [now.why];
        const lacking = [...(funds.get(symbol)?.shortages() ?? []), ...waitingTransfers(deps, symbol)];
        return [...reading, ...lacking].map(why => `${symbol}: ${why}`);
      }),
    figures: () =>
      Promise.all(
        ASSET_SYMBOLS.map(async symbol => ({
          symbol,
          isRead: state(symbol).ok,
          head: watchers.has(symbol) ? await within((await networks.chain(symbol)).head()) : undefined,
          funds: funds.get(symbol)?.accounts() ?? new Map(),
        })),
      ),
    start() {
      started = Promise.all(ASSET_SYMBOLS.map(open));
    },
    ready: async () => void (await started),
    async stop() {
      stopping.abort();
      await started;
      await Promise.all([...watchers.values(), ...funds.values()].map(each => each.stop()));
    },
  };
}

/** Undefined: it failed, or has not come in time. */
async function within<T>(answer: Promise<T>): Promise<T | undefined> {
  const done = new AbortController();
  const result = await Promise.race([
    answer.catch(() => undefined),
    pause(HEAD_WITHIN_MS, done.signal).then(() => undefined),
  ]);
  done.abort();
  return result;
}

/** A configured address may carry a key in its path or query. */
const withoutSecrets = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

type Fund = NonNullable<Network['fund']>;

/** How the embedded chains say that they will not pay; whatever else they throw is a failure. */
const NODE_SAYS = /^eth_sendTransaction: (.*)/;
const LEDGER_SAYS = /^faucet: (t\w+)|.*(is an illegal amount)/;

const asFunded = ({ hash }: { hash: string }): Funded => ({ txHash: hash });

function refusedOr(error: Error, says: RegExp): Funded {
  const [, ...said] = says.exec(error.message) ?? [];
  const refused = said.find(text => text !== undefined);
  if (refused === undefined) throw error;
  return { refused };
}

const fundEthereum =
  (networks: AppChains, watchers: Map<AssetSymbol, Watcher>): Fund =>
  async (account, _tag, amount) => {
    const node = await networks.ethereumNode()!;
    const funded = await node.fund(account, amount).then(asFunded, error => refusedOr(error, NODE_SAYS));
    await watchers.get('ETH')?.sync();
    return funded;
  };

const fundXrp =
  (networks: AppChains, watchers: Map<AssetSymbol, Watcher>): Fund =>
  async (account, tag, amount) => {
    const ledger = await networks.xrplLedger()!;
    const funded = await ledger
      .fund(account, amount, tag)
      .then(asFunded, error => refusedOr(error, LEDGER_SAYS));
    await watchers.get('XRP')?.sync();
    return funded;
  };

/**
 * For a ledger that was begun with another seed. Closes ledgers itself meanwhile, so that readiness does not wait for
 * the ledger's own pace.
 */
async function fundRobot(networks: AppChains, account: string): Promise<void> {
  const ledger = await networks.xrplLedger();
  if (!ledger || (await exists(ledger, account))) return;
  let isDone = false;
  const funded = ledger.fund(account, ROBOT_XRP_DROPS).finally(() => {
    isDone = true;
  });
  while (!isDone) {
    await Promise.race([funded, pause(FUNDING_STEP_MS)]);
    if (!isDone) ledger.knobs.close();
  }
}

async function exists(ledger: XrplLedger, account: string): Promise<boolean> {
  const call = { method: 'account_info', params: [{ account, ledger_index: 'validated' }] };
  const request = new Request('http://localhost/', { method: 'POST', body: JSON.stringify(call) });
  const answer = await ledger.handleRequest(request, { remoteAddress: undefined });
  return ((await answer.json()) as { result: { status: string } }).result.status === 'success';
}
