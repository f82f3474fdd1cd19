import { ASSETS } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { formatUnits, parseUnits, toUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import type { DriverOutcome } from '../driver.ts';
import { askDriver } from './driver-acts.ts';

/** The balance that the tested VASP shows its customer. Only its driver can answer. */

/** A credit that is wrong comes soon after the right one. */
const QUIET_MS = 60;
/** Embedded Ethereum gets blocks while a credit is awaited: most VASPs want 12 to 32 confirmations. They are few, because everybody reads them. */
const BLOCKS_AFTER_MS = [1_000, 2_000, 3_500];

const MOST_SHOWN = 100;

/** Base units; undefined: no driver tells. A failed call or an answer of another shape makes `word` fail, and ends the module. */
export async function balanceOf<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  customer: Customer,
): Promise<bigint | undefined> {
  const outcome = await askDriver(ctx, 'balance', { symbol: ctx.symbol, customer });
  if (outcome?.kind === 'failed') return noBalance(ctx, word, `the driver address ${outcome.why}`);
  return unitsIn(ctx, word, outcome);
}

/** Like `balanceOf`, for one of several looks: a call that failed tells nothing, and the next one may. */
export async function balanceNow<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  customer: Customer,
): Promise<bigint | undefined> {
  return unitsIn(ctx, word, await askDriver(ctx, 'balance', { symbol: ctx.symbol, customer }));
}

function unitsIn<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  outcome: DriverOutcome | undefined,
): bigint | undefined {
  if (outcome?.kind !== 'accepted') return undefined;
  const { value } = outcome;
  const { decimals } = ASSETS[ctx.symbol];
  const units = typeof value === 'string' ? parseUnits(withoutLastZeros(value), decimals) : undefined;
  if (typeof units === 'bigint') return units;
  const answered = JSON.stringify(value)?.slice(0, MOST_SHOWN);
  return noBalance(ctx, word, answered === undefined ? 'no `value`' : `the value ${answered}`);
}

function noBalance<W extends string>(ctx: ModuleContext<W>, word: NoInfer<W>, got: string): never {
  const { decimals } = ASSETS[ctx.symbol];
  ctx.check(word, false, {
    expected: `the driver answers \`balance\` with a \`value\` of decimal text with at most ${decimals} decimals, for example "0.5"`,
    got,
  });
  return ctx.stop();
}

/** `+0.5 ETH`, `-1 XRP` */
export const growthText = ({ symbol }: ModuleContext, units: bigint): string =>
  `${units < 0n ? '' : '+'}${formatUnits(units, ASSETS[symbol].decimals)} ${symbol}`;

/** `0.50` -> `0.5`, `1.00` -> `1` */
const withoutLastZeros = (text: string): string => text.replace(/\.0+$|(?<=\.\d*[1-9])0+$/, '');

export interface Credit {
  customer: Customer;
  before: bigint | undefined;
  /** Decimal text; '0': nothing. */
  amount: string;
  waitMs?: number;
}

/** The balance grows by exactly this amount, and stays there. Without a driver a person must look. */
export async function judgeCredit<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  { customer, before, amount, waitMs = waitOf(ctx) }: Credit,
): Promise<void> {
  const { symbol } = ctx;
  const { decimals } = ASSETS[symbol];
  const expected = `+${amount} ${symbol}`;
  if (before === undefined) {
    const what = amount === '0' ? 'must be unchanged' : `must have grown by ${amount} ${symbol}, once`;
    return ctx.review(word, `Look at the balance of customer ${customer.id}: it ${what}.`);
  }
  const wanted = before + toUnits(amount, decimals);
  const look = async () =>
    withoutLate(ctx, customer, await balanceNow(ctx, word, customer), [before, wanted]);
  let last: bigint | undefined;
  const start = elapsedMs();
  const blocksAfter = symbol === 'ETH' ? [...BLOCKS_AFTER_MS] : [];
  await ctx.until(waitMs, async () => {
    if (elapsedMs() - start >= (blocksAfter[0] ?? Number.POSITIVE_INFINITY)) {
      blocksAfter.shift();
      await ctx.world.moveLedgerOn(symbol);
    }
    last = await look();
    return last === wanted || undefined;
  });
  if (last === wanted) {
    await ctx.until(QUIET_MS, () => undefined);
    last = await look();
  }
  const got = last === undefined ? 'no balance' : growthText(ctx, last - before);
  if (!ctx.check(word, last === wanted, { expected, got }) && last === before)
    overdueOf(ctx, customer).push(wanted - before);
}

const overdueOf = ({ world, symbol }: ModuleContext, { id }: Customer): bigint[] => {
  const key = `${symbol} ${id}`;
  const overdue = world.overdue.get(key) ?? [];
  world.overdue.set(key, overdue);
  return overdue;
};

/**
 * The balance without a credit of an earlier module that comes only now: amounts are unique, so one that explains the
 * balance is that credit. The earlier module has judged it. `expected`: the balances without it.
 */
export function withoutLate(
  ctx: ModuleContext,
  customer: Customer,
  balance: bigint | undefined,
  expected: readonly bigint[],
): bigint | undefined {
  if (balance === undefined || expected.includes(balance)) return balance;
  const late = overdueOf(ctx, customer).find(units => expected.includes(balance - units));
  return late === undefined ? balance : balance - late;
}

/** Nothing is credited now; a payment that comes later must find the balance unchanged. */
export const judgeNoCredit = <W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  credit: Omit<Credit, 'amount'>,
): Promise<void> => judgeCredit(ctx, word, { ...credit, amount: '0', waitMs: 0 });

const waitOf = ({ world }: ModuleContext): number => world.waitMs;
