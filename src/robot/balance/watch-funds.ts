import { type Balance, type Chain, ChainUnreachable, FeeTooHigh } from '../../chains/port.ts';
import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { formatUnits } from '../../kernel/decimal.ts';
import { createLoop } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';
import { owedAt } from './amounts.ts';

/**
 * For chains reached by URL. Warns before a test needs the money: can each account of the robot pay the transfers that
 * it owes, and some fees?
 */
export interface FundsWatch {
  /** What is missing, for people. Empty: nothing is missing, or no balance was read yet. */
  shortages(): string[];
  /** The robot's accounts as last read. */
  accounts(): ReadonlyMap<string, Funds>;
  stop(): Promise<void>;
}

/** Base units. `lacks`: what is missing to pay what the account owes, and some fees. */
export interface Funds extends Balance {
  lacks: bigint;
}

/** The fees of this many transfers should always be there. */
const TRANSFERS_AHEAD = 3n;

export function watchFunds(deps: RobotDeps, chain: Chain, everyMs: number): FundsWatch {
  const accounts = new Map<string, Funds>();
  let shortages: string[] = [];
  let isStopped = false;
  async function read(): Promise<void> {
    try {
      shortages = await readBalances(deps, chain, accounts, () => isStopped);
    } catch (error) {
      if (error instanceof FeeTooHigh) shortages = [error.message];
      else if (!(error instanceof ChainUnreachable))
        deps.log.warn({ chain: chain.symbol, err: String(error) }, 'reading the balances failed');
    }
    if (!isStopped) loop.within(everyMs);
  }
  let reading: Promise<void> | undefined;
  const loop = createLoop(() => {
    reading = read();
  });
  loop.soon();
  return {
    shortages: () => shortages,
    accounts: () => accounts,
    async stop() {
      isStopped = true;
      loop.stop();
      await reading;
    },
  };
}

async function readBalances(
  deps: RobotDeps,
  chain: Chain,
  read: Map<string, Funds>,
  isStopped: () => boolean,
): Promise<string[]> {
  const { accounts, ownerOf } = await deps.users.watched(chain.symbol);
  const fees = chain.costOf(await chain.quoteFee(chain.ownAccount(0))) * TRANSFERS_AHEAD;
  const missing: string[] = [];
  for (const account of accounts) {
    const owed = owedAt(deps, chain.symbol, account);
    // A user that a VASP added pays nothing before it has received something, and there may be hundreds of them.
    if (owed === 0n && ownerOf({ account })) continue;
    const balance = await chain.balanceOf(account);
    if (isStopped()) return [];
    const needed = owed + fees;
    const lacks = needed > balance.spendable ? needed - balance.spendable : 0n;
    read.set(account, { ...balance, lacks });
    if (lacks > 0n) missing.push(`${account} lacks ${amountText(chain, lacks)}`);
  }
  return missing.length === 0 ? [] : [`low funds: ${missing.join(', ')}`];
}

const amountText = ({ symbol }: Chain, units: bigint): string =>
  `${formatUnits(units, ASSETS[symbol].decimals)} ${symbol}`;

/** Why transfers that are not signed yet have to wait: too little money, or too high fees. */
export const waitingTransfers = (deps: RobotDeps, symbol: AssetSymbol): string[] =>
  deps.transfers.waitingToBeSent(symbol).map(note => `transfers wait: ${note}`);
