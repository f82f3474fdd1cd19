import { type Balance, type Chain, ChainUnreachable, FeeTooHigh } from '../chains/port.ts';
import { ASSETS, type AssetSymbol } from '../contract/assets.ts';
import { formatUnits, toUnits } from '../kernel/decimal.ts';
import { createLoop } from '../timers/loop.ts';
import type { RobotDeps } from './deps.ts';

/**
 * Chains given by URL: whether each own account can pay what it owes and some fees, asked before a test needs it.
 */
export interface FundsWatch {
  /** What is short, for people; empty: nothing, or nothing known yet. */
  shortages(): string[];
  /** As last heard, in base units. */
  balances(): ReadonlyMap<string, Balance>;
  stop(): Promise<void>;
}

/** Fees of so many transfers should always be there. */
const TRANSFERS_AHEAD = 3n;

export function watchFunds(deps: RobotDeps, chain: Chain, everyMs: number): FundsWatch {
  const balances = new Map<string, Balance>();
  let shortages: string[] = [];
  let isStopped = false;
  async function look(): Promise<void> {
    try {
      shortages = await lookAtAll(deps, chain, balances, () => isStopped);
    } catch (error) {
      if (error instanceof FeeTooHigh) shortages = [error.message];
      else if (!(error instanceof ChainUnreachable))
        deps.log.warn({ chain: chain.symbol, err: String(error) }, 'looking at the funds failed');
    }
    if (!isStopped) loop.within(everyMs);
  }
  let looking: Promise<void> | undefined;
  const loop = createLoop(() => {
    looking = look();
  });
  loop.soon();
  return {
    shortages: () => shortages,
    balances: () => balances,
    async stop() {
      isStopped = true;
      loop.stop();
      await looking;
    },
  };
}

async function lookAtAll(
  deps: RobotDeps,
  chain: Chain,
  balances: Map<string, Balance>,
  isStopped: () => boolean,
): Promise<string[]> {
  const accounts = [...(await deps.users()).watched(chain.symbol)];
  const fees = chain.costOf(await chain.quoteFee(accounts[0]!)) * TRANSFERS_AHEAD;
  const short: string[] = [];
  for (const account of accounts) {
    const balance = await chain.balanceOf(account);
    if (isStopped()) return [];
    balances.set(account, balance);
    const needed = owedAt(deps, chain.symbol, account) + fees;
    if (balance.spendable < needed) short.push(`${account} lacks ${text(chain, needed - balance.spendable)}`);
  }
  return short.length === 0 ? [] : [`low funds: ${short.join(', ')}`];
}

/** Received for somebody, and not yet paid out. */
function owedAt(deps: RobotDeps, symbol: AssetSymbol, account: string): bigint {
  const sum = (amounts: string[]) =>
    amounts.reduce((total, amount) => total + toUnits(amount, ASSETS[symbol].decimals), 0n);
  return sum(deps.deposits.creditedAt(symbol, account)) - sum(deps.transfers.paidFrom({ symbol, account }));
}

const text = ({ symbol }: Chain, units: bigint): string =>
  `${formatUnits(units, ASSETS[symbol].decimals)} ${symbol}`;

/** Transfers that wait for money or for lower fees, by what they say. */
export const waitingTransfers = (deps: RobotDeps, symbol: AssetSymbol): string[] =>
  deps.transfers.waitingToBeSent(symbol).map(note => `transfers wait: ${note}`);
