import { type Balance, type Chain, ChainUnreachable, FeeTooHigh } from '../../chains/port.ts';
import { type AssetSymbol, toBaseUnits } from '../../contract/assets.ts';
import { write } from '../../db/transaction.ts';
import { createLoop } from '../../timers/loop.ts';
import type { RobotDeps } from '../deps.ts';
import { wakeUnsigned } from '../transfer/lifecycle.ts';
import { treasuryOf } from '../transfer/send.ts';
import * as transfers from '../transfer/store.ts';
import { owedAt } from './store.ts';

export type FundsWatch = ReturnType<typeof watchFunds>;

/** Base units. `lacks`: what is missing to pay what the account owes, and some fees. */
interface Funds extends Balance {
  account: string;
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

/**
 * For chains reached by URL: can the one account of the robot that needs money pay what it owes, and some fees? On
 * Ethereum it is the treasury, which only pays into the robot's other accounts; on the XRP Ledger the robot's only account.
 * D-31
 */
export function watchFunds(deps: RobotDeps, chain: Chain, everyMs: number) {
  const { symbol } = chain;
  const treasury = treasuryOf(deps, chain);
  const account = treasury ?? chain.ownAccount(0);
  let funds: Funds | undefined;
  let isStopped = false;
  /** One reading at a time. */
  let reading = Promise.resolve();
  let isAsked = false;
  /** A loop sleeps for a minute at the most. */
  let rests = 0;
  const owes = () => (treasury === undefined ? owedAt(deps, symbol, account) : toTopUp(deps, symbol, account));
  const isLow = () => (funds?.lacks ?? 1n) > 0n;
  const rest = () => {
    if (isStopped) return;
    rests = isLow() ? RESTS.low : RESTS.enough;
    loop.within(everyMs);
  };
  const loop = createLoop(() => {
    rests -= 1;
    if (rests > 0) loop.within(everyMs);
    else reading = reading.then(read).then(rest);
  });
  loop.soon();

  async function read(): Promise<void> {
    try {
      const owed = owes();
      const fee = await feeOf(chain, account);
      const balance = await chain.balanceOf(account);
      const needed = owed + fee * TRANSFERS_AHEAD * (treasury === undefined ? 1n : FEES_PER_TOP_UP);
      const lacks = needed > balance.spendable ? needed - balance.spendable : 0n;
      const before = funds;
      funds = { ...balance, account, owes: owed, lacks };
      if (before && balance.total > before.total) write(deps.db, tx => wakeUnsigned(deps, tx, { symbol, account }));
    } catch (error) {
      noteFailure(error);
    }
  }

  async function hasChanged(): Promise<boolean> {
    try {
      const isSame = funds?.owes === owes() && (await chain.balanceOf(account)).total === funds.total;
      return !isSame && !isStopped;
    } catch (error) {
      noteFailure(error);
      return false;
    }
  }

  function noteFailure(error: unknown): void {
    if (!(error instanceof ChainUnreachable) && !(error instanceof FeeTooHigh))
      deps.log.warn({ chain: symbol, err: String(error) }, 'reading the balance failed');
  }

  return {
    /** The account as last read. Undefined: it was not read yet. */
    last: (): Funds | undefined => funds,
    /** To call after each new block: it may have brought what is missing, or what the account owes has changed. */
    blockRead(): void {
      if (isAsked || isStopped || !(isLow() || funds?.owes !== owes())) return;
      isAsked = true;
      reading = reading.then(async () => {
        isAsked = false;
        if (await hasChanged()) await read().then(rest);
      });
    },
    async stop() {
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

const toTopUp = (deps: RobotDeps, symbol: AssetSymbol, account: string): bigint =>
  transfers.unsentFrom(deps.db, { symbol, account }).reduce((sum, amount) => sum + toBaseUnits(symbol, amount), 0n);
