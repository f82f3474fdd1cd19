import { ASSETS, toBaseUnits, toCoins } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import { parseUnits } from '../../kernel/decimal.ts';
import type { ModuleContext } from '../context.ts';
import type { DriverOutcome } from '../driver.ts';
import type { CreditLedger } from '../world.ts';
import { askDriver } from './driver-acts.ts';

/** The balance that the tested VASP shows its customer. Only its driver can answer. */

/** A credit that is wrong comes soon after the right one. The next reads find one that comes later. */
const QUIET_MS = 20;

/** The driver is not asked after every commit. */
const BALANCE_EVERY_MS = 25;

const MAX_SHOWN = 100;
/** The newest payments of the robot. */
const MAX_PAID = 20;

/** Base units; undefined: no driver tells. A failed call or an answer of another shape makes `word` fail, and ends the module. */
export async function balanceOf<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  customer: Customer,
): Promise<bigint | undefined> {
  const [balance] = await Promise.all([readBalance(ctx, word, customer), rememberPaid(ctx, customer)]);
  const ledger = ledgerOf(ctx, customer);
  if (ledger.last !== undefined) withoutLateCredits(ctx, customer, balance, [ledger.last]);
  ledger.last = balance;
  return balance;
}

async function readBalance(ctx: ModuleContext, word: string, customer: Customer): Promise<bigint | undefined> {
  const outcome = await askDriver(ctx, 'balance', { symbol: ctx.symbol, customer });
  if (outcome?.kind === 'failed') return noBalance(ctx, word, `the driver endpoint ${outcome.why}`);
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

function unitsIn(ctx: ModuleContext, word: string, outcome: DriverOutcome | undefined): bigint | undefined {
  if (outcome?.kind !== 'accepted') return undefined;
  const { value } = outcome;
  const { decimals } = ASSETS[ctx.symbol];
  const units = signedUnits(value, decimals);
  if (units !== undefined) return units;
  const answered = JSON.stringify(value)?.slice(0, MAX_SHOWN);
  const why = whyNoBalance(value, decimals);
  return noBalance(ctx, word, answered === undefined ? 'no `value`' : `the value ${answered}: ${why}`);
}

function whyNoBalance(value: unknown, decimals: number): string {
  if (typeof value !== 'string') return 'it is no text';
  if (/^-?0\d/.test(value)) return 'zeros at the beginning are not allowed';
  return parseUnits(value, decimals) === 'too-many-decimals' ? 'it has more decimals' : 'it is no decimal text';
}

function noBalance(ctx: ModuleContext, word: string, got: string): never {
  const { decimals } = ASSETS[ctx.symbol];
  ctx.check(word, false, {
    expected: `the driver answers \`balance\` with a \`value\` of decimal text with at most ${decimals} decimals, for example "0.5"`,
    got,
  });
  return ctx.stop();
}

/** `+0.5 ETH`, `-1 XRP` */
export const growthText = ({ symbol }: ModuleContext, units: bigint): string =>
  `${units < 0n ? '' : '+'}${toCoins(symbol, units)} ${symbol}`;

/** A customer may owe. `0.50` -> `0.5`, `1.00` -> `1` */
function signedUnits(value: unknown, decimals: number): bigint | undefined {
  if (typeof value !== 'string') return undefined;
  const units = parseUnits(value.replace(/^-/, '').replace(/\.0+$|(?<=\.\d*[1-9])0+$/, ''), decimals);
  if (typeof units !== 'bigint') return undefined;
  return value.startsWith('-') ? -units : units;
}

export interface Credit {
  customer: Customer;
  before: bigint | undefined;
  /** Decimal text; '0': nothing. */
  amount: string;
  waitMs?: number;
  /** Balances on the way to the right one. */
  between?: readonly bigint[];
  /** Nothing of the module follows: the balance is watched until the end of the run. */
  isLast?: true;
}

/** The balance grows by exactly this amount, and stays there. Without a driver a person must look. */
export async function judgeCredit<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  { customer, before, amount, waitMs = ctx.world.waitMs, between, isLast }: Credit,
): Promise<void> {
  const { symbol } = ctx;
  const expected = `+${amount} ${symbol}`;
  if (before === undefined) {
    const what = amount === '0' ? 'must be unchanged' : `must have grown by ${amount} ${symbol}, once`;
    return ctx.review(word, `Look at the balance of customer ${customer.id}: it ${what}.`);
  }
  const wanted = before + toBaseUnits(symbol, amount);
  const last = await awaitBalance(ctx, word, { customer, before, wanted, between, waitMs, isLast });
  const isRight = checkGrowth(ctx, word, { customer, before, wanted, last, expected });
  if (isRight) rememberCredit(ctx, word, customer, wanted - before);
}

interface Growth {
  customer: Customer;
  before: bigint;
  wanted: bigint;
  /** As it was read at last. */
  last: bigint | undefined;
  expected: string;
}

/** A balance that has not changed may still grow later. It may also be for a call of the VASP that the sandbox did not serve. */
export function checkGrowth<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  { customer, before, wanted, last, expected }: Growth,
): boolean {
  const got = last === undefined ? 'no balance' : growthText(ctx, last - before);
  const isInVain = last === before && wanted !== before;
  if (isInVain) rememberAllowed(ctx, customer, [wanted - before]);
  return ctx.check(word, last === wanted, { expected, got, ...(isInVain && { ifServed: true }) });
}

type AwaitedBalance = Pick<Credit, 'customer' | 'isLast'> & {
  before: bigint;
  wanted: bigint;
  /** Balances on the way to the wanted one: nothing else explains them. */
  between?: readonly bigint[] | undefined;
  waitMs: number;
};

/** The balance when it is the wanted one, or at the end of the time. */
export async function awaitBalance<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  { customer, before, wanted, between = [], waitMs, isLast }: AwaitedBalance,
): Promise<bigint | undefined> {
  const known = [before, wanted, ...between];
  let askedAt = Number.NEGATIVE_INFINITY;
  const isThere = await ctx.untilPaid(waitMs, async () => {
    if (elapsedMs() - askedAt < BALANCE_EVERY_MS) return undefined;
    askedAt = elapsedMs();
    const balance = await balanceNow(ctx, word, customer);
    return withoutLateCredits(ctx, customer, balance, known) === wanted || undefined;
  });
  if (isThere && !isLast) await ctx.until(QUIET_MS, () => undefined);
  const balance = await readBalance(ctx, word, customer);
  ledgerOf(ctx, customer).last = balance;
  return withoutLateCredits(ctx, customer, balance, known);
}

function rememberCredit<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  customer: Customer,
  units: bigint,
): void {
  if (units === 0n) return;
  const ledger = ledgerOf(ctx, customer);
  const amount = growthText(ctx, units);
  const again = `${amount} once more`;
  const tell = (what: string) => () =>
    ctx.failAfterwards(word, { expected: `${amount}, once and for good`, got: `${amount}, and later ${what}` });
  const earlier = ledger.right.find(each => each.module === ctx.id && each.units === units);
  // What a later condition of the module says of the same credit is nearer to the change.
  if (earlier && ctx.isAdvice(word)) earlier.takenBack = tell('taken back');
  else if (earlier) Object.assign(earlier, { again: tell(again), takenBack: tell('taken back') });
  else ledger.right.push({ module: ctx.id, units, again: tell(again), takenBack: tell('taken back') });
  ctx.world.watch.creditsSince ??= elapsedMs();
}

/** Payments that were not credited, and must not be later. */
export function rememberWrong(
  ctx: ModuleContext<'not-credited'>,
  customer: Customer,
  amounts: readonly bigint[],
): void {
  for (const units of amounts) {
    const changed = (got: string) =>
      ctx.failAfterwards('not-credited', { expected: 'no credit of it, also later', got });
    ledgerOf(ctx, customer).wrong.push({ module: ctx.id, units, changed });
  }
}

/** Payments that a VASP may credit, or not. */
export function rememberAllowed(ctx: ModuleContext, customer: Customer, amounts: readonly bigint[]): void {
  ledgerOf(ctx, customer).overdue.push(...amounts);
}

/**
 * What the robot has paid before, and no condition has found in the balance: by an order of the tester, in an earlier run,
 * or in a start that has ended early. A VASP may credit it only now.
 */
async function rememberPaid(ctx: ModuleContext, customer: Customer): Promise<void> {
  const { transfers } = await ctx.api.transfers({ limit: MAX_PAID });
  const account = ctx.accountOf(customer);
  const { paid, right } = ledgerOf(ctx, customer);
  for (const { symbol, to, amount, verificationUuid } of transfers) {
    if (symbol !== ctx.symbol || paid.has(verificationUuid) || !ctx.sameAccount(to, account)) continue;
    paid.add(verificationUuid);
    const units = toBaseUnits(ctx.symbol, amount);
    if (!right.some(each => each.units === units)) rememberAllowed(ctx, customer, [units]);
  }
}

/** A VASP books a withdrawal when it is ordered, paid or final. One that fails comes back. */
export function rememberWithdrawal(ctx: ModuleContext, customer: Customer, amount: string): void {
  ledgerOf(ctx, customer).withdrawn.push(toBaseUnits(ctx.symbol, amount));
}

/** Undefined also where the driver answers something else. */
export async function shownBalance(ctx: ModuleContext, customer: Customer): Promise<bigint | undefined> {
  const outcome = await askDriver(ctx, 'balance', { symbol: ctx.symbol, customer });
  const value = outcome?.kind === 'accepted' ? outcome.value : undefined;
  return signedUnits(value, ASSETS[ctx.symbol].decimals);
}

/** Until the balance shows a withdrawal: what comes next is judged by it. */
export async function untilBooked(ctx: ModuleContext, customer: Customer, before: bigint): Promise<void> {
  const booked = await ctx.until(ctx.world.waitMs, async () => {
    const units = await shownBalance(ctx, customer);
    return units === before ? undefined : units;
  });
  ledgerOf(ctx, customer).last = booked ?? before;
}

/** Also of the next modules: each read of a balance may show what an earlier module has left. */
function ledgerOf(ctx: ModuleContext, customer: Customer): CreditLedger {
  const { ledgers } = ctx.world;
  const key = `${ctx.symbol} ${customer.id}`;
  const readAgain = async () => {
    const units = ledger.last === undefined ? undefined : await shownBalance(ctx, customer);
    if (units === undefined || ledger.last === undefined) return;
    withoutLateCredits(ctx, customer, units, [ledger.last], 'none');
    ledger.last = units;
  };
  const ledger: CreditLedger = ledgers.get(key) ?? {
    overdue: [],
    right: [],
    wrong: [],
    paid: new Set(),
    withdrawn: [],
    last: undefined,
    readAgain,
  };
  ledgers.set(key, ledger);
  return ledger;
}

/**
 * The balance without a credit that comes only now, of a wrong payment or of an earlier module: amounts are unique, so one
 * that explains the balance is that credit. Its own condition tells it. `expected`: the balances without it.
 */
export function withoutLateCredits(
  ctx: ModuleContext,
  customer: Customer,
  balance: bigint | undefined,
  expected: readonly bigint[],
  own: string | undefined = ctx.id,
): bigint | undefined {
  if (balance === undefined || expected.includes(balance)) return balance;
  const ledger = ledgerOf(ctx, customer);
  const right = ledger.right.filter(({ module }) => module !== own);
  const allowed: Change[] = ledger.overdue.map(units => ({ units, tell() {} }));
  const added: Change[] = [
    ...allowed,
    ...right.map(({ units, again }) => ({ units, tell: again })),
    ...ledger.wrong.map(({ units, changed }) => ({ units, tell: () => changed(`${growthText(ctx, units)}, later`) })),
  ];
  const back = right.map(({ units, takenBack }) => ({ units: -units, tell: takenBack }));
  const booked: Change[] = ledger.withdrawn.map(units => ({ units: -units, tell() {} }));
  const refunds: Change[] = ledger.withdrawn.map(units => ({ units, tell() {} }));
  const explains = (changes: readonly Change[]) => expected.includes(balance - sumOf(changes));
  const found =
    choices([...added, ...back, ...booked, ...refunds], 1).find(explains) ??
    [added, booked, refunds].flatMap(changes => choices(changes, 2)).find(explains) ??
    // The sum of three may be that of three others, so three explain a balance only where none is blamed.
    choices(allowed, 3).find(explains) ??
    [];
  for (const { tell } of found) tell();
  return balance - sumOf(found);
}

/** A change of a balance that an earlier module explains. */
interface Change {
  units: bigint;
  tell(): void;
}

const choices = (all: readonly Change[], count: number): Change[][] =>
  count === 0
    ? [[]]
    : all.flatMap((one, index) => choices(all.slice(index + 1), count - 1).map(others => [one, ...others]));

const sumOf = (changes: readonly Change[]): bigint => changes.reduce((sum, { units }) => sum + units, 0n);

/** Nothing is credited now; a payment that comes later must find the balance unchanged. */
export const judgeNoCredit = <W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  credit: Omit<Credit, 'amount'>,
): Promise<void> => judgeCredit(ctx, word, { ...credit, amount: '0', waitMs: 0 });

export interface Awaited<W extends string> {
  word: W;
  amount: string;
  /** Of the verification. */
  uuid: string;
  /** It must not be credited. */
  isWrong?: true;
}

/**
 * Credits that come in any order, each right one of them once. Their sums tell which of them came. `waitMs`: by default as
 * long as a VASP may need that finds a payment only by an inquiry.
 */
export async function judgeCredits<W extends string>(
  ctx: ModuleContext<W>,
  {
    customer,
    before,
    waitMs = Math.max(ctx.world.waitMs, ctx.world.inquiryWaitMs),
  }: { customer: Customer; before: bigint | undefined; waitMs?: number },
  awaited: readonly Awaited<NoInfer<W>>[],
): Promise<void> {
  if (before === undefined) {
    for (const { word, amount, isWrong } of awaited)
      await judgeCredit(ctx, word, { customer, before, amount: isWrong ? '0' : amount });
    return;
  }
  const units = awaited.map(({ amount }) => toBaseUnits(ctx.symbol, amount));
  const right = units.filter((_, index) => !awaited[index]!.isWrong);
  const wanted = right.reduce((sum, each) => sum + each, before);
  const ways = waysOf(units);
  const between = ways.map(({ sum }) => before + sum);
  const last = await awaitBalance(ctx, awaited[0]!.word, { customer, before, wanted, between, waitMs });
  const grown = (last ?? before) - before;
  const times = ways.find(({ sum }) => sum === grown)?.times;
  const inVain = right.filter(own => times?.[units.indexOf(own)] === 0);
  rememberAllowed(ctx, customer, inVain);
  awaited.forEach(({ word, uuid, isWrong }, index) => {
    const own = units[index]!;
    const due = isWrong ? 0n : own;
    const count = times?.[index];
    const isRight = ctx.check(word, count !== undefined && BigInt(count) * own === due, {
      expected: growthText(ctx, due),
      got:
        count === undefined
          ? `${growthText(ctx, grown)} for all payments`
          : `${growthText(ctx, BigInt(count) * own)}; status queries: ${ctx.evidence.received('inquire-transaction', uuid).length}`,
      ...(!isWrong && inVain.includes(own) && { ifServed: true }),
    });
    if (isRight) rememberCredit(ctx, word, customer, due);
  });
}

const MAX_TIMES = 2;

/** Each sum of the parts, with how often each of them is in it. The nearest to once each come first. */
function waysOf(units: readonly bigint[]): { times: number[]; sum: bigint }[] {
  let all: number[][] = [[]];
  for (const _ of units)
    all = all.flatMap(times => Array.from({ length: MAX_TIMES + 1 }, (_, count) => [...times, count]));
  const sumOf = (times: readonly number[]) =>
    times.reduce((total, count, index) => total + BigInt(count) * units[index]!, 0n);
  const faultsOf = (times: readonly number[]) => times.filter(count => count !== 1).length;
  return all.sort((one, other) => faultsOf(one) - faultsOf(other)).map(times => ({ times, sum: sumOf(times) }));
}
