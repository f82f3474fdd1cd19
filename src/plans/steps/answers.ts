import type * as z from 'zod';
import { parse } from '../../contract/parse.ts';
import type { Difference } from '../../contract/plans.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';

/** Judging one answer of the tested VASP: in time, status 200, in shape. */

export const answerConditions = (clause: string, limit: string) =>
  ({
    'in-time': { clause, text: `The answer comes within ${limit}.` },
    status: { clause, text: 'The status of the answer is 200.' },
    shape: { clause, text: 'The body of the answer has the documented members and types.' },
  }) as const;
export type AnswerWord = 'in-time' | 'status' | 'shape';

/** The body; undefined: something fell, and the rest cannot be judged. */
export function judgeAnswer<S extends z.ZodType>(
  ctx: ModuleContext<AnswerWord>,
  exchange: LoggedExchange | undefined,
  { operation, shape }: { operation: VaspOperation; shape: S },
): z.output<S> | undefined {
  if (!judgeDelivery(ctx, exchange, operation)) return undefined;
  const flaw = flawOf(shape, exchange!.response);
  ctx.check('shape', flaw === undefined, {
    expected: 'the documented shape',
    got: flaw ?? 'the documented shape',
    from: [exchange!],
  });
  return flaw === undefined ? parse(shape, json(exchange!.response)) : undefined;
}

/** True: the answer came in time and with status 200. */
export function judgeDelivery(
  ctx: ModuleContext<'in-time' | 'status'>,
  exchange: LoggedExchange | undefined,
  operation: VaspOperation,
): boolean {
  const limitMs = ctx.world.timeoutMs[operation];
  const from = exchange ? [exchange] : [];
  const expected = `within ${limitMs} ms`;
  if (exchange && isLate(exchange, limitMs)) {
    ctx.check('in-time', false, { expected, got: `${exchange.durationMs} ms`, from });
    return false;
  }
  if (exchange?.status != null)
    ctx.check('in-time', true, { expected, got: `${exchange.durationMs} ms`, from });
  return ctx.check('status', exchange?.status === 200, {
    expected: '200',
    got: answerIn(ctx, exchange, operation),
    from,
  });
}

/** Status or error. Without an exchange: why there is none, and what to do. */
export function answerIn(
  { world }: ModuleContext,
  exchange: LoggedExchange | undefined,
  operation: VaspOperation,
): string {
  if (exchange) return String(exchange.status ?? exchange.error);
  return world.target.url(operation) === undefined
    ? `nothing was sent: the VASP has no address for ${operation}. Add it to the registration, then run the module again`
    : `the sandbox did not call ${operation} in its time. The timeline of the verification says why. Run the module again`;
}

/** A timer may fire this much before its time. */
const TIMER_TOLERANCE_MS = 20;

/** The enclave hangs up at the limit, so a late answer has no status. */
export const isLate = ({ status, durationMs }: LoggedExchange, limitMs: number): boolean =>
  status === null ? durationMs >= limitMs - TIMER_TOLERANCE_MS : durationMs > limitMs;

/** Undefined: the body has the shape. */
export function flawOf(shape: z.ZodType, body: string | null): string | undefined {
  try {
    parse(shape, JSON.parse(body ?? ''));
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error.message : 'The body is not JSON.';
  }
}

/** The parts of a pair that differ from the expected pair. */
export function pairFields(expected: string, got: string): Difference[] {
  const [wanted, found] = [expected.split(' / '), got.split(' / ')];
  return ['result', 'reason']
    .map((field, index) => ({ field, expected: wanted[index] ?? '', got: found[index] ?? '' }))
    .filter(each => each.expected !== each.got);
}

/** `DENIED / UNKNOWN-ADDRESS` */
export const pair = (result: string, reason: string | undefined): string => `${result} / ${reason ?? 'OK'}`;
