import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { timingOf } from '../timing.ts';
import { callbackSent } from './robot-pays.ts';

/** The status queries of the robot. D-17 */

export const queriesOf = ({ evidence }: ModuleContext, uuid: string): LoggedExchange[] =>
  evidence.sent('transactionStatus', uuid);

export const lastStatus = (ctx: ModuleContext, uuid: string): unknown =>
  json(queriesOf(ctx, uuid).at(-1)?.response ?? null)?.transactionStatus;

export function isLate(ctx: ModuleContext, uuid: string): boolean {
  const last = queriesOf(ctx, uuid).at(-1);
  return last !== undefined && timingOf(last, ctx.world.timeoutMs.transactionStatus) === 'late';
}

/**
 * Lets the next status query of the robot come, after the VASP knows the result. `on order`: real time, and the query
 * is due later than an act of the VASP may take. `none`: the robot asks no more by itself.
 */
export async function nextQuery(
  ctx: ModuleContext,
  uuid: string,
): Promise<'by itself' | 'on order' | 'none'> {
  await callbackSent(ctx, 'VERIFICATION_RESULT', uuid);
  const { world, api } = ctx;
  const before = queriesOf(ctx, uuid).length;
  const dueInMs = world.inquiryDueInMs(uuid);
  if (dueInMs === undefined) return 'none';
  if (!ctx.movesTime && dueInMs > world.waitMs) {
    await api.letRobotInquire(uuid).catch(() => {});
    return 'on order';
  }
  if (ctx.movesTime) await api.advance(`${Math.max(dueInMs, 0)}ms`);
  const isOver = () =>
    queriesOf(ctx, uuid).length > before ||
    world.inquiryDueInMs(uuid) === undefined ||
    world.target.url('transactionStatus') === undefined ||
    undefined;
  await ctx.untilPaid(Math.max(dueInMs, 0) + world.sandboxMs, isOver);
  return 'by itself';
}
