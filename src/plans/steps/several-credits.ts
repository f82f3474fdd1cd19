import { toBaseUnits } from '../../contract/assets.ts';
import type { Customer } from '../../contract/customers.ts';
import type { ModuleContext } from '../context.ts';
import { awaitBalance, growthText, judgeCredit, rememberAllowed, rememberCredit } from './balances.ts';

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
    rememberCredit(ctx, word, { customer, units: due, isRight });
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
