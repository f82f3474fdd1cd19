import { type Chain, ChainUnreachable } from '../../chains/port.ts';
import type { AssetSymbol } from '../../contract/assets.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { WalletSettings } from '../../robot/deps.ts';
import type { Network } from '../../sandbox/deps.ts';
import type { Config } from '../config/config.ts';

export interface Devnet {
  activeControls(): Promise<readonly string[]>;
  readonly stateBytes: number;
  readonly controls: unknown;
  /** Why the newest state cannot be saved, so that nothing is sent. */
  readonly unsaved?: string | undefined;
  /** Resolves when a block holds every transaction that was sent so far. */
  allMined?(): Promise<void>;
  /** The answer to a call that moves the head back waits until `follow` has resolved. */
  onMovedBack?(follow: () => Promise<void>): void;
  close(): Promise<void>;
}

type Faucet = NonNullable<Network['fund']>;

interface LedgerParts<N extends Devnet> {
  symbol: AssetSymbol;
  /** Undefined: it is embedded. */
  url: string | undefined;
  devnetPath: string;
  /** Address of a transaction's page, of a ledger reached by URL. */
  explorer: string | null | undefined;
  transactionTypes?: readonly string[];
  chain(): Promise<Chain>;
  start(): Promise<N>;
  pay(node: N, ...payment: Parameters<Faucet>): Promise<{ hash: string }>;
  fund(node: N, account: string, units: bigint): Promise<unknown>;
  /** Comes before the first reading of an embedded ledger. */
  prepare?(node: N, chain: Chain): Promise<void>;
  paying: { embedded?: Partial<WalletSettings>; byUrl?: Partial<WalletSettings> };
}

export type Ledger<N extends Devnet = Devnet> = ReturnType<typeof ledger<N>>;

const EMBEDDED_RECONCILE_MS = 1_000;
/** Every minute at the default interval: one call for all accounts. */
const RECONCILE_EVERY_POLLS = 15;
/** Polling intervals between two looks for missing money. */
const LOW_FUNDS_POLLS = 5;
const IN_A_DEVNET = { trackEveryMs: 100, stuckAfterMs: 10_000 };
const FAILURE_KEPT_MS = 200;

/** One ledger, embedded or reached by URL. Its adapter and its node are loaded and started for their first use. */
export function ledger<N extends Devnet>(config: Config, parts: LedgerParts<N>) {
  const { symbol, url, devnetPath, explorer, transactionTypes } = parts;
  const { chainPollMs, chainRetryMs } = config;
  const isEmbedded = url === undefined;
  const chain = once(parts.chain);
  const started = once(() => parts.start().catch(unreachable));
  const embedded: WalletSettings = {
    ...IN_A_DEVNET,
    retryMs: chainRetryMs,
    lowFundsRetryMs: chainRetryMs,
    fund: async (account, units) => parts.fund(await started(), account, units),
    ...parts.paying.embedded,
  };
  const byUrl: WalletSettings = {
    trackEveryMs: chainPollMs,
    stuckAfterMs: config.ethereum.stuckAfterMs,
    retryMs: chainRetryMs,
    lowFundsRetryMs: chainPollMs * LOW_FUNDS_POLLS,
    ...parts.paying.byUrl,
  };
  return {
    symbol,
    isEmbedded,
    /** For the tested VASP: a path of this program, or the configured address. */
    publicUrl: isEmbedded ? devnetPath : withoutSecrets(url),
    /** An embedded ledger has none, whatever network id it was given. */
    explorer: isEmbedded ? null : (explorer ?? null),
    ...(isEmbedded && transactionTypes ? { transactionTypes } : {}),
    chain,
    /** Undefined: the ledger is reached by URL. */
    node: () => (isEmbedded ? started() : undefined),
    prepare: async (adapter: Chain) => isEmbedded && (await parts.prepare?.(await started(), adapter)),
    pay: async (...payment: Parameters<Faucet>) => parts.pay(await started(), ...payment),
    paying: isEmbedded ? embedded : byUrl,
    /** D-26: how often balances are compared with the known payments. */
    reconcileMs: isEmbedded ? EMBEDDED_RECONCILE_MS : chainPollMs * RECONCILE_EVERY_POLLS,
    async stop(): Promise<void> {
      await (await chain.started())?.close();
      await (await started.started())?.close();
    },
  };
}

const unreachable = (cause: Error): never => {
  throw new ChainUnreachable(cause.message, { cause });
};

/** A configured address may carry a key in its path or query. */
const withoutSecrets = (url: string): string => {
  const { protocol, host } = new URL(url);
  return `${protocol}//${host}`;
};

/** Made on first use. A failure is kept for a moment, so that many users of it cost one attempt. */
export function once<T>(make: () => Promise<T>) {
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
  /** The result, if it is wanted and has started. */
  return Object.assign(get, { started: async () => made?.catch(() => undefined) });
}
