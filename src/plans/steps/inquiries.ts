import { toBaseUnits } from '../../contract/assets.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { pause } from '../../timers/loop.ts';
import type { ModuleContext } from '../context.ts';
import { RESTART_MS } from '../driver.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { moveTimers, noticedNow } from '../target.ts';
import { timingOf } from '../timing.ts';
import { answerIn } from './answers.ts';
import { rememberAllowed } from './balances.ts';
import { refusedText } from './driver-acts.ts';
import { callbackSent } from './robot-pays.ts';

/** A status query of the VASP that was answered with the payment. It may ask before the payment, too. */
const settlingInquiry = ({ evidence }: ModuleContext, uuid: string): LoggedExchange | undefined =>
  evidence.received('inquire-transaction', uuid).find(({ response }) => typeof json(response)?.txHash === 'string');

/**
 * The time of the VASP from which its queries of a new verification count: its timers may begin before it has noticed a move
 * of the clock that it follows. The next move is at least as long, so that of a long one is awaited.
 */
export async function timersBegin(ctx: ModuleContext): Promise<number> {
  const { world } = ctx;
  const isShort = () => world.sandboxNow() - noticedNow(world) <= SECOND_QUERY_MS;
  await ctx.until(world.waitMs, () => !world.followsSandboxClock || isShort() || undefined);
  return noticedNow(world);
}

/** REF-4.5.4: about one verification. */
export const MOST_QUERIES = { count: 2, withinMs: 5_000 } as const;
/** A VASP may ask again by then. */
const SECOND_QUERY_MS = 6_000;

/** Where the timers of the VASP follow the clock of the sandbox, nobody waits for them. It may ask ever more seldom. */
export async function passToNextQuery({ world }: ModuleContext, begunAt: number): Promise<void> {
  if (world.followsSandboxClock) await moveTimers(world, Math.max(SECOND_QUERY_MS, world.sandboxNow() - begunAt));
}

/** A first query that has not come too early comes within this time. */
const FIRST_QUERY_MS = 1_500;

/** Waits until `look` finds what a query of the VASP does. Its first query may have come too early. */
export async function untilQuery<T>(
  ctx: ModuleContext,
  begunAt: number,
  look: () => T | undefined | Promise<T | undefined>,
): Promise<T | undefined> {
  const { inquiryWaitMs } = ctx.world;
  const found = await ctx.until(Math.min(inquiryWaitMs, FIRST_QUERY_MS), look);
  if (found !== undefined) return found;
  await passToNextQuery(ctx, begunAt);
  return ctx.until(inquiryWaitMs, look);
}

/**
 * Without an inquiry that is answered with the payment `asked` is NOT-RECEIVED, and the module ends. `why`: the VASP has to
 * ask. `begunAt`: see `timersBegin`.
 */
export async function awaitInquiry(
  ctx: ModuleContext<'asked'>,
  { uuid, begunAt }: { uuid: string; begunAt: number },
  why: string,
): Promise<void> {
  const { evidence, world } = ctx;
  const inquiry = await ctx.whileWaiting(
    `${why}: your VASP should ask for the status (POST /v1/verifications/tx/inquiry).`,
    world.inquiryWaitMs,
    () => [],
    () => untilQuery(ctx, begunAt, () => settlingInquiry(ctx, uuid)),
  );
  const expected = `POST /v1/verifications/tx/inquiry about ${uuid} within ${formatDuration(world.inquiryWaitMs)}`;
  if (inquiry) return void ctx.check('asked', true, { expected, got: 'asked', from: [inquiry] });
  const all = evidence.received('inquire-transaction');
  const early = evidence.received('inquire-transaction', uuid).length;
  const about = early === 0 ? 'about this verification' : 'that was answered with the payment';
  const none = all.length === 0 ? 'no inquiry' : `no inquiry ${about} among ${early || all.length}`;
  const got = [none, refusedText(ctx, 'inquire-transaction')].filter(Boolean).join('. ');
  const from = [all.at(-1), evidence.refused('inquire-transaction').at(-1)];
  rememberAllowed(ctx, ctx.customer(), [toBaseUnits(ctx.symbol, ctx.amount)]);
  ctx.notReceived('asked', { expected, got, from });
  ctx.stop();
}

/** The status queries of the robot. D-17 */

export const queriesOf = ({ evidence }: ModuleContext, uuid: string): LoggedExchange[] =>
  evidence.sent('transactionStatus', uuid);

export const lastStatus = (ctx: ModuleContext, uuid: string): unknown =>
  json(queriesOf(ctx, uuid).at(-1)?.response)?.transactionStatus;

/** The status, or what was answered instead. */
export const statusText = (ctx: ModuleContext, query: LoggedExchange | undefined): string =>
  String(json(query?.response)?.transactionStatus ?? answerIn(ctx, query, 'transactionStatus'));

export const isLate = (ctx: ModuleContext, uuid: string): boolean => lastTiming(ctx, uuid) === 'late';

function lastTiming(ctx: ModuleContext, uuid: string): ReturnType<typeof timingOf> | undefined {
  const last = queriesOf(ctx, uuid).at(-1);
  return last && timingOf(last, ctx.world.timeoutMs.transactionStatus);
}

/** A VASP that starts again is asked again. */
export async function askedStatus(ctx: ModuleContext, uuid: string): Promise<LoggedExchange | undefined> {
  const last = () => queriesOf(ctx, uuid).at(-1);
  await ctx.until(RESTART_MS, async () => {
    await ctx.api.robotInquire(uuid).catch(() => {});
    return last()?.error?.includes('ECONNREFUSED') ? undefined : true;
  });
  return last();
}

/** Of a payment that no block holds. */
export const NOT_MINED: readonly string[] = ['PENDING', 'PROCESSING'];
const ASK_AGAIN_MS = 1000;

/**
 * A block holds the payment, so these answers are old. A VASP may look at its chain seldom: the robot asks again. Also
 * where the sandbox was late itself, so that the answer says nothing.
 */
export async function askWhileOld(ctx: ModuleContext, uuid: string, old: readonly string[]): Promise<void> {
  await ctx.untilPaid(ctx.world.waitMs, async () => {
    if (lastTiming(ctx, uuid) !== 'unknown' && !old.includes(String(lastStatus(ctx, uuid)))) return true;
    await pause(ASK_AGAIN_MS, ctx.world.signal);
    await askedStatus(ctx, uuid);
    return undefined;
  });
}

/**
 * Lets the next status query of the robot come, after the VASP knows the result. `on order`: real time, and the query
 * is due later than an act of the VASP may take. `none`: the robot asks no more by itself.
 */
export async function nextQuery(ctx: ModuleContext, uuid: string): Promise<'by itself' | 'on order' | 'none'> {
  await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
  const { world, api } = ctx;
  const before = queriesOf(ctx, uuid).length;
  const dueInMs = world.inquiryDueInMs(uuid);
  if (dueInMs === undefined) return 'none';
  if (!ctx.movesTime && dueInMs > world.waitMs) {
    await api.robotInquire(uuid).catch(() => {});
    return 'on order';
  }
  await ctx.advance(`${Math.max(dueInMs, 0)}ms`);
  const isOver = () =>
    queriesOf(ctx, uuid).length > before ||
    world.inquiryDueInMs(uuid) === undefined ||
    world.target.url('transactionStatus') === undefined ||
    undefined;
  await ctx.untilPaid(Math.max(dueInMs, 0) + world.sandboxMs, isOver);
  return 'by itself';
}
