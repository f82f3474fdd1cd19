import { type Balance, type Chain, ChainUnreachable, FeeTooHigh } from '../../chains/port.ts';
import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { formatUnits, toUnits } from '../../kernel/decimal.ts';
import { createLoop } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';

/**
 * Chains given by URL: whether each own account can pay what it owes and some fees, asked before a test needs it.
 */
export interface FundsWatch {
  /** What is short, for people; empty: nothing, or nothing known yet. */
  shortages(): string[];
  /** The own accounts, as last heard. */
  accounts(): ReadonlyMap<string, Funds>;
  stop(): Promise<void>;
}

/** Base units. `lacks`: what an account is short of to pay what it owes, with some fees. */
export interface Funds extends Balance {
  lacks: bigint;
}

/** Fees of so many transfers should always be there. */
const TRANSFERS_AHEAD = 3n;

export function watchFunds(deps: RobotDeps, chain: Chain, everyMs: number): FundsWatch {
  const known = new Map<string, Funds>();
  let shortages: string[] = [];
  let isStopped = false;
  async function look(): Promise<void> {
    try {
      shortages = await lookAtAll(deps, chain, known, () => isStopped);
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
    accounts: () => known,
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
  known: Map<string, Funds>,
  isStopped: () => boolean,
): Promise<string[]> {
  const { accounts, ownerOf } = await deps.users.watched(chain.symbol);
  const fees = chain.costOf(await chain.quoteFee(chain.ownAccount(0))) * TRANSFERS_AHEAD;
  const short: string[] = [];
  for (const account of accounts) {
    const owed = owedAt(deps, chain.symbol, account);
    // A tester adds users by the dozen: one that has received nothing never pays.
    if (owed === 0n && ownerOf({ account })) continue;
    const balance = await chain.balanceOf(account);
    if (isStopped()) return [];
    const needed = owed + fees;
    const lacks = needed > balance.spendable ? needed - balance.spendable : 0n;
    known.set(account, { ...balance, lacks });
    if (lacks > 0n) short.push(`${account} lacks ${text(chain, lacks)}`);
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
