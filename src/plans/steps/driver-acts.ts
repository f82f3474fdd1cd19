import type { DriverAction, DriverParameters } from '../../contract/customers.ts';
import type { ByHand, Cause, Difference } from '../../contract/plans.ts';
import { toIso } from '../../kernel/clock.ts';
import type { ModuleContext } from '../context.ts';
import type { DriverOutcome } from '../driver.ts';
import type { LoggedExchange } from '../evidence.ts';
import { resultIn } from './answers.ts';
import { answerTo, callText, endOf, isKnownEnd, isToRepeat, type Order, shownEnd, whenEnded } from './endings.ts';
import { untilActed } from './robot-pays.ts';

/** Making the tested VASP act: by its driver endpoint, otherwise by hand. */

/** Undefined: there is no driver, or it cannot do that. */
export async function askDriver(
  ctx: ModuleContext,
  action: DriverAction,
  parameters: DriverParameters,
): Promise<DriverOutcome | undefined> {
  const { driver, runId, waitMs } = ctx.world;
  if (!driver) return undefined;
  const answerBy = toIso(ctx.world.now() + waitMs);
  const outcome = await driver.act({ runId, module: ctx.id, action, parameters, answerBy }, waitMs);
  return outcome.kind === 'unsupported' ? undefined : outcome;
}

export interface Act {
  action: DriverAction;
  parameters: DriverParameters;
  /** For a person. It names everything that `parameters` says. */
  instruction: string;
  /** Undefined: the instruction says more than its data. */
  byHand?: ByHand | undefined;
}

export interface Expected {
  operation: string;
  /** The members that differ from what was ordered; empty: this is the call. Undefined: another call. */
  differences(exchange: LoggedExchange): Difference[] | undefined;
}

/** Those that are as they were ordered. */
export const callsOf = ({ evidence }: ModuleContext, { operation, differences }: Expected): LoggedExchange[] =>
  evidence.received(operation).filter(each => differences(each)?.length === 0);

export interface Acting extends Order {
  instruction: string;
  /** Undefined: the driver has taken the order, or a person acts. */
  failure: string | undefined;
}

/** Tells the VASP to act, by its driver or by hand, and how long to wait. Throws `Skip` when nobody is there. */
export async function order(ctx: ModuleContext, { action, parameters, instruction, byHand }: Act): Promise<Acting> {
  const { waitMs, handMs, settings, driver, exchanges } = ctx.world;
  const acting = { action, parameters, instruction, since: exchanges.newest(), isDriven: true, waitMs };
  const outcome = await askDriver(ctx, action, parameters);
  if (outcome?.kind === 'accepted') return { ...acting, failure: undefined };
  if (outcome?.kind === 'failed') return { ...acting, waitMs: 0, failure: `The driver endpoint ${outcome.why}.` };
  if (settings.unattended)
    return ctx.skip(
      driver
        ? `The driver endpoint cannot do ${actionText(action, parameters)}.`
        : `It needs a driver endpoint or a person for \`${action}\`.`,
    );
  if (byHand) ctx.asks(byHand);
  return { ...acting, isDriven: false, waitMs: handMs, failure: undefined };
}

/** Looks until the VASP has acted. One of `calls` that is refused counts only when the VASP does not make it again in time. */
export async function untilCalled(
  ctx: ModuleContext,
  acting: Acting,
  calls: () => readonly LoggedExchange[],
): Promise<LoggedExchange | undefined> {
  if (!acting.isDriven) return untilActed(ctx, acting.waitMs, ms => ctx.until(ms, () => calls()[0]));
  const isOver = whenEnded(ctx, acting);
  const look = () => calls().find(call => !isToRepeat(call, acting)) ?? (isOver() ? null : undefined);
  const found = await untilActed(ctx, acting.waitMs, ms => ctx.until(ms, look));
  if (found) return found;
  const end = endOf(ctx, acting);
  if (end && acting.failure === undefined) ctx.ends.push(callText(ctx, end));
  return calls().at(-1);
}

/** `withdraw` with kinds kyt: a VASP may do the action and not this part of it. */
function actionText(action: DriverAction, { network, requiredBeneficiaryInfo, omit, kinds }: DriverParameters): string {
  const parts = Object.entries({ network, requiredBeneficiaryInfo, omit, kinds })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${[value].flat().join(', ')}`);
  return [`\`${action}\``, ...parts].join(' with ');
}

/** The call that comes of an order. Without it `word` is NOT-RECEIVED, and the module ends. */
export async function awaitCall<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  acting: Acting,
  expected: Expected,
): Promise<LoggedExchange> {
  const candidates = () => ctx.evidence.received(expected.operation);
  const nearMisses = () =>
    candidates().flatMap(each => {
      const fields = expected.differences(each);
      return fields === undefined || fields.length === 0 ? [] : [{ exchange: String(each.id), fields }];
    });
  const found = await ctx.whileWaiting(acting.instruction, acting.waitMs, nearMisses, () =>
    untilCalled(ctx, acting, () => {
      ctx.showNearMisses();
      return callsOf(ctx, expected);
    }),
  );
  if (found) return found;
  const end = acting.failure === undefined ? endOf(ctx, acting) : undefined;
  if (end) {
    const answer = answerTo(ctx, end) ?? resultIn(end);
    const differences = end.operation === expected.operation ? expected.differences(end) : [];
    const shown = await shownEnd(ctx, end, { answer, differences: differences ?? [], parameters: acting.parameters });
    const after = callText(ctx, end);
    const got = isKnownEnd(ctx, end)
      ? `no such call after ${after}, as before in this run`
      : `no such call within ${acting.waitMs / 1000} s after ${after}`;
    ctx.notReceived(word, { expected: acting.instruction, got, ...shown });
    return ctx.stop();
  }
  const near = nearMisses().at(-1);
  const fields = near?.fields ?? [];
  const [difference] = fields;
  const refused = ctx.evidence.refused(expected.operation).at(-1);
  const last = refused ?? ctx.evidence.all().findLast(({ direction }) => direction === 'IN');
  ctx.notReceived(word, {
    expected: acting.instruction,
    got:
      acting.failure ??
      (difference
        ? `a call with ${difference.field} ${difference.got} instead of ${difference.expected}`
        : `no such call within ${acting.waitMs / 1000} s. ${refusedText(ctx, expected.operation) ?? (last ? `The last call was ${callText(ctx, last)}` : 'No other call came with the key of this VASP')}`),
    fields,
    from: near ? candidates().filter(({ id }) => String(id) === near.exchange) : acting.failure || !last ? [] : [last],
    cause: causeOf(ctx, acting, { operation: expected.operation, last }),
  });
  return ctx.stop();
}

/** `2 calls were refused, the last one verify-user, answered 429 RATE-LIMITED`. Undefined: none. */
export function refusedText(ctx: ModuleContext, operation: string): string | undefined {
  const refused = ctx.evidence.refused(operation);
  const last = refused.at(-1);
  if (!last) return undefined;
  return `${refused.length === 1 ? '1 call was' : `${refused.length} calls were`} refused, the last one ${callText(ctx, last)}`;
}

function causeOf(
  ctx: ModuleContext,
  { failure }: Acting,
  { operation, last }: { operation: string; last: LoggedExchange | undefined },
): Cause {
  if (failure !== undefined) return { address: 'driver', kind: failure, title: failure };
  if (last?.operation === 'unknown' && isRefused(last))
    return { address: operation, kind: 'refused', title: `The sandbox refuses ${callText(ctx, last)}` };
  const after = last && isRefused(last) ? ` after ${callText(ctx, last)}` : '';
  return { address: operation, kind: `not-called${after}`, title: `The VASP does not call ${operation}${after}` };
}

const isRefused = ({ status }: LoggedExchange): boolean => status !== null && status >= 400;
