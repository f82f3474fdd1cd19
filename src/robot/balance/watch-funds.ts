import { type Balance, type Chain, ChainUnreachable, FeeTooHigh } from '../../chains/port.ts';
import { ASSETS, type AssetSymbol } from '../../contract/assets.ts';
import { write } from '../../db/transaction.ts';
import { toUnits } from '../../kernel/decimal.ts';
import { createLoop } from '../../timers/loop.ts';
import type { RobotDeps, TopUpDeps } from '../deps.ts';
import { wakeUnsigned } from '../transfer/schedule-wallet.ts';
import * as transfers from '../transfer/store.ts';
import { treasuryOf } from '../transfer/top-up.ts';
import { owedAt } from './amounts.ts';

type Deps = TopUpDeps & Pick<RobotDeps, 'log'>;

/**
 * For chains reached by URL: can the one account of the robot that needs money pay what it owes, and some fees? On
 * Ethereum it is the treasury, on the XRP Ledger the robot's only account. D-31
 */
export type FundsWatch = ReturnType<typeof watchFunds>;

/** Base units. `lacks`: what is missing to pay what the account owes, and some fees. */
export interface Funds extends Balance {
  owes: bigint;
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

export function watchFunds(deps: Deps, chain: Chain, everyMs: number) {
  const { symbol } = chain;
  const treasury = treasuryOf(deps, chain);
  const account = treasury ?? chain.ownAccount(0);
  const feesAhead = TRANSFERS_AHEAD * (treasury === undefined ? 1n : FEES_PER_TOP_UP);
  const accounts = new Map<string, Funds>();
  const owes = () =>
    treasury === undefined ? owedAt(deps, symbol, account) : toTopUp(deps, symbol, account);
  let isStopped = false;

  async function read(): Promise<void> {
    try {
      const owed = owes();
      const fee = await feeOf(chain, account);
      const balance = await chain.balanceOf(account);
      const needed = owed + fee * feesAhead;
      const lacks = needed > balance.spendable ? needed - balance.spendable : 0n;
      const before = accounts.get(account);
      accounts.set(account, { ...balance, owes: owed, lacks });
      if (before && balance.total > before.total)
        write(deps.db, tx => wakeUnsigned(deps, tx, { symbol, account }));
    } catch (error) {
      noteFailure(error);
    }
    if (!isStopped) rest(isLow() ? RESTS.low : RESTS.enough);
  }
  const isLow = () => (accounts.get(account)?.lacks ?? 1n) > 0n;

  async function readIfChanged(): Promise<void> {
    const known = accounts.get(account);
    try {
      const isSame = known?.owes === owes() && (await chain.balanceOf(account)).total === known.total;
      if (!isSame && !isStopped) await read();
    } catch (error) {
      noteFailure(error);
    }
  }

  function noteFailure(error: unknown): void {
    if (!(error instanceof ChainUnreachable) && !(error instanceof FeeTooHigh))
      deps.log.warn({ chain: symbol, err: String(error) }, 'reading the balance failed');
  }

  /** A loop sleeps for a minute at the most. */
  let rests = 0;
  const rest = (count: number) => {
    rests = count;
    loop.within(everyMs);
  };
  /** One reading at a time. */
  let reading = Promise.resolve();
  let isAsked = false;
  const loop = createLoop(() => {
    rests -= 1;
    if (rests > 0) loop.within(everyMs);
    else reading = reading.then(read);
  });
  loop.soon();
  return {
    /** The account as last read. Empty: it was not read yet. */
    accounts: () => accounts,
    /** To call after each new block: it may have brought what is missing, or what the account owes has changed. */
    blockRead(): void {
      if (isAsked || isStopped) return;
      if (!isLow() && accounts.get(account)?.owes === owes()) return;
      isAsked = true;
      reading = reading.then(() => {
        isAsked = false;
        return readIfChanged();
      });
    },
    async stop(): Promise<void> {
      isStopped = true;
      loop.stop();
      await reading;
    },
  };
}

async function feeOf(chain: Chain, from: string): Promise<bigint> {
  const toNewAccount = { from, to: chain.ownAccount(UNUSED_INDEX), amount: 0n };
  return chain.costOf(await chain.quoteFee(toNewAccount));
}

const toTopUp = (deps: Deps, symbol: AssetSymbol, account: string): bigint =>
  transfers
    .unsentFrom(deps.db, { symbol, account })
    .reduce((sum, amount) => sum + toUnits(amount, ASSETS[symbol].decimals), 0n);
