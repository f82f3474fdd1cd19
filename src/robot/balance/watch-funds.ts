import { type Balance, type Chain, ChainUnreachable, FeeTooHigh } from '../../chains/port.ts';
import { ASSETS } from '../../contract/assets.ts';
import { toUnits } from '../../kernel/decimal.ts';
import { createLoop } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';
import { treasuryOf } from '../transfer/top-up.ts';
import { owedAt } from './amounts.ts';

/**
 * For chains reached by URL: can the one account of the robot that needs money pay what it owes, and some fees? On
 * Ethereum it is the treasury, on the XRP Ledger the robot's only account. D-31
 */
export interface FundsWatch {
  /** The account as last read. Empty: it was not read yet. */
  accounts(): ReadonlyMap<string, Funds>;
  stop(): Promise<void>;
}

/** Base units. `lacks`: what is missing to pay what the account owes, and some fees. */
export interface Funds extends Balance {
  lacks: bigint;
}

/** The fees of this many transfers should always be there. */
const TRANSFERS_AHEAD = 3n;
/** A top-up costs a fee, and brings the fees of one transfer twice. */
const FEES_PER_TOP_UP = 3n;
/** The first payment to an account may cost more than later ones. */
const UNUSED_INDEX = 2 ** 31 - 1;
/** Too little money is read again after three rests, enough money after five: a public node limits the calls of a day. */
const RESTS = { low: 3, enough: 5 };

export function watchFunds(deps: RobotDeps, chain: Chain, everyMs: number): FundsWatch {
  const account = treasuryOf(deps, chain) ?? chain.ownAccount(0);
  const accounts = new Map<string, Funds>();
  let isStopped = false;
  async function read(): Promise<void> {
    try {
      const funds = await fundsOf(deps, chain, account);
      accounts.set(account, funds);
    } catch (error) {
      if (!(error instanceof ChainUnreachable) && !(error instanceof FeeTooHigh))
        deps.log.warn({ chain: chain.symbol, err: String(error) }, 'reading the balance failed');
    }
    const isLow = (accounts.get(account)?.lacks ?? 1n) > 0n;
    if (!isStopped) rest(isLow ? RESTS.low : RESTS.enough);
  }
  /** A loop sleeps for a minute at the most. */
  let rests = 0;
  const rest = (count: number) => {
    rests = count;
    loop.within(everyMs);
  };
  let reading: Promise<void> | undefined;
  const loop = createLoop(() => {
    rests -= 1;
    if (rests > 0) loop.within(everyMs);
    else reading = read();
  });
  loop.soon();
  return {
    accounts: () => accounts,
    async stop() {
      isStopped = true;
      loop.stop();
      await reading;
    },
  };
}

async function fundsOf(deps: RobotDeps, chain: Chain, account: string): Promise<Funds> {
  const toNewAccount = { from: account, to: chain.ownAccount(UNUSED_INDEX), amount: 0n };
  const fee = chain.costOf(await chain.quoteFee(toNewAccount));
  const balance = await chain.balanceOf(account);
  const needed =
    treasuryOf(deps, chain) === undefined
      ? owedBy(deps, chain, account, fee)
      : toTopUp(deps, chain, account, fee);
  return { ...balance, lacks: needed > balance.spendable ? needed - balance.spendable : 0n };
}

const owedBy = (deps: RobotDeps, { symbol }: Chain, account: string, fee: bigint): bigint =>
  owedAt(deps, symbol, account) + fee * TRANSFERS_AHEAD;

const toTopUp = (deps: RobotDeps, { symbol }: Chain, account: string, fee: bigint): bigint =>
  deps.transfers
    .unsentFrom({ symbol, account })
    .reduce(
      (sum, amount) => sum + toUnits(amount, ASSETS[symbol].decimals),
      fee * FEES_PER_TOP_UP * TRANSFERS_AHEAD,
    );
