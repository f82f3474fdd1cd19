import type * as z from 'zod';
import { nodeHash } from '../../contract/assets.ts';
import { type Ivms101Problem, problemText } from '../../contract/ivms101-check/problem.ts';
import { parse } from '../../contract/parse.ts';
import type { Cause, Difference } from '../../contract/plans.ts';
import { Refusal } from '../../contract/refusals.ts';
import type { VaspOperation } from '../../contract/vasp-api.ts';
import { toIso } from '../../kernel/clock.ts';
import type { ModuleContext } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { timeIn, timingOf } from '../timing.ts';
import type { RunWorld } from '../world.ts';

const MAX_NAMED = 5;

/** The standard forbids it, and documents of the network show it: a name is enough, in the script of the country. */
const ALLOWED_HERE: readonly string[] = ['C1', 'C4', 'WIRE-4'];

/** What the standard forbids fails. What is only probably wrong stays a WARNING. */
export function judgeIvms101(
  ctx: ModuleContext<'ivms101'>,
  problems: readonly Ivms101Problem[],
  from: LoggedExchange[],
): void {
  const failures = problems.filter(({ severity }) => severity === 'FAILURE');
  const warnings = problems.filter(({ severity, clause }) => severity === 'WARNING' && !ALLOWED_HERE.includes(clause));
  const told = (failures.length > 0 ? failures : warnings).slice(0, MAX_NAMED);
  const shown = {
    expected: told.map(({ wanted }) => wanted).join(', ') || 'IVMS101 of 2020',
    got: told.map(problemText).join(' ') || 'IVMS101 of 2020',
    from,
  };
  if (failures.length === 0 && warnings.length > 0) ctx.warn('ivms101', shown);
  else ctx.check('ivms101', failures.length === 0, shown);
}

/** Does an answer tell of the code that made it? */

/** A line of a stack: in the languages of most VASPs. */
const TRACES = [
  /(\\n|\n)[ \t]*at ((async|new) )?(\S+\(|\S+ \([^)\n]*[:<]|\S*[/\\]\S*:\d+:\d+)/,
  /Traceback \(most recent call last\)/,
  /goroutine \d+ \[/,
  /\bat [\w.$]+\(\w+\.(java|kt|scala):\d+\)/,
];

const SOURCE = /[^/\\]\.(js|ts|mjs|cjs|py|go|java|kt|scala|rb|php|cs|fs|rs|swift|cpp|cc|ex|exs|erl|clj|dart)\b/;
const DRIVE = /[A-Za-z]:$/;

/** Does it name a source file with its path? Each character is read once. */
function hasPath(text: string): boolean {
  for (const { 0: run, index } of text.matchAll(/[\w.@/\\-]+/g)) {
    const isOnDrive = run.startsWith('\\') && DRIVE.test(text.slice(Math.max(0, index - 2), index));
    const begins = isOnDrive ? 0 : run.indexOf('/');
    if (begins >= 0 && SOURCE.test(run.slice(begins))) return true;
  }
  return false;
}

const PAGE = /<(!doctype|html|head|body)\b/i;
const ADDRESS = /\bhttps?:\/\/[^\s"'<>]*/gi;

/** `url`: of the call. What a browser loads for a page has a path on the web, and so has the call itself. */
export function hasTrace(answer: string, url: string): boolean {
  const text = PAGE.test(answer) ? shownOf(answer) : answer;
  const { pathname } = new URL(url, 'http://vasp');
  const plain = text.replace(ADDRESS, '').replaceAll(pathname.length > 1 ? pathname : ADDRESS, '');
  return TRACES.some(trace => trace.test(plain)) || hasPath(plain);
}

/** What a page shows to people, and its comments. */
function shownOf(page: string): string {
  let hidden: string | undefined;
  let shown = '';
  for (const piece of page.split('<')) {
    const [, isEnd, name = ''] = /^(\/?)([a-z]*)/i.exec(piece)!;
    const tag = name.toLowerCase();
    if (hidden !== undefined && !(isEnd && tag === hidden)) continue;
    hidden = !isEnd && (tag === 'script' || tag === 'style') ? tag : undefined;
    if (hidden === undefined) shown += isEnd || tag ? piece.slice(piece.indexOf('>') + 1) : piece;
  }
  return shown;
}

/** Calls of the run itself, past the enclave. */

/** Undefined: the VASP has no endpoint for it. */
export async function call(
  ctx: ModuleContext,
  operation: VaspOperation,
  body: object | string,
  options: Parameters<RunWorld['target']['post']>[2] = {},
): Promise<LoggedExchange | undefined> {
  if (ctx.world.target.url(operation) === undefined) return undefined;
  requireInTime(ctx, operation);
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const id = await ctx.world.target.post(operation, text, options);
  return ctx.evidence.all().find(each => each.id === id);
}

export const callback = (
  ctx: ModuleContext,
  callbackType: string,
  data: { verificationUuid: string } & Record<string, unknown>,
  more: object = {},
): Promise<LoggedExchange | undefined> =>
  call(ctx, 'callback', { callbackType, data, ...more }, { verificationUuid: data.verificationUuid });

/** A result for a verification that the VASP did not start: a VASP that believes it sends no money. */
export const strayResult = (ctx: ModuleContext) => ({
  verificationUuid: ctx.world.uuid(),
  verificationResult: 'DENIED',
  reason: 'NOT-ALLOWED',
  message: `A test of callbacks at ${toIso(ctx.world.now())}: no transfer belongs to this.`,
});

/** A hash that no transaction has. */
export function unknownHash({ symbol, world }: ModuleContext): string {
  const digits = `${world.uuid()}${world.uuid()}`.replaceAll('-', '');
  return nodeHash(symbol, symbol === 'ETH' ? `0x${digits}` : digits);
}

/** Returns the right one. */
export function requireToken(ctx: ModuleContext): string {
  const { token } = ctx.world.target;
  return token ?? ctx.skip('No token is configured: set VEGA_VERIFICATION_AUTHORIZATION_TOKEN to test it.');
}

/** None of these calls was refused with this code. `what`: after "verifications". */
export function judgeRefused<W extends string>(
  ctx: ModuleContext<W>,
  word: NoInfer<W>,
  all: readonly LoggedExchange[],
  { code, what }: { code: string; what: string },
): void {
  const refused = all.filter(({ response }) => json(response)?.code === code);
  ctx.check(word, refused.length === 0, {
    expected: `none about verifications ${what}`,
    got: refused.length === 0 ? 'none' : `${refused.length} answered with ${code}`,
    from: refused.slice(0, 1),
  });
}

/** Judging one answer of the tested VASP: in time, status 200, in shape. */

export const answerConditions = (clause: string, limit: string) =>
  ({
    'in-time': { clause, text: `The answer comes within ${limit}.` },
    status: { clause, text: 'The status of the answer is 200.' },
    shape: { clause, text: 'The body of the answer has the documented members and types.' },
  }) as const;
/** How the VASP answers callbacks. `what`: `TX_REPORT` */
export const delivered = (what: string) =>
  ({
    'in-time': { clause: 'WIRE-3.4', text: `${what} is answered within 1 s.` },
    status: { clause: 'WIRE-3.4', text: `${what} is answered with exactly 200.` },
  }) as const;
export type AnswerWord = 'in-time' | 'status' | 'shape';

/** The body; undefined: something failed, and the rest cannot be judged. */
export function judgeAnswer<S extends z.ZodType>(
  ctx: ModuleContext<AnswerWord>,
  exchange: LoggedExchange | undefined,
  { operation, shape }: { operation: VaspOperation; shape: S },
): z.output<S> | undefined {
  if (!judgeDelivery(ctx, exchange, operation)) return undefined;
  const problem = problemIn(shape, exchange!);
  ctx.check('shape', problem === undefined, {
    expected: 'the documented shape',
    got: problem ?? 'the documented shape',
    from: [exchange!],
  });
  return problem === undefined ? parse(shape, json(exchange!.response)) : undefined;
}

/** True: the answer came in time and with status 200. `verificationUuid`: that of the call, also where none was made. */
export function judgeDelivery(
  ctx: ModuleContext<'in-time' | 'status'>,
  exchange: LoggedExchange | undefined,
  operation: VaspOperation,
  verificationUuid?: string,
): boolean {
  if (!exchange) return judgeMissing(ctx, operation, verificationUuid);
  const limitMs = ctx.world.timeoutMs[operation];
  const from = [exchange];
  const shown = { expected: `within ${limitMs} ms`, got: timeIn(exchange, limitMs), from };
  const timing = timingOf(exchange, limitMs);
  if (timing === 'late') {
    ctx.world.silence.failed(operation);
    return ctx.check('in-time', false, { ...shown, cause: lateCause(operation) });
  }
  if (timing === 'unknown') ctx.reviewSelfDelay('in-time', shown.got, shown);
  if (timing === 'unknown' && exchange.status === null) return false;
  if (timing === 'in time' && exchange.status !== null) ctx.check('in-time', true, shown);
  return ctx.check('status', exchange.status === 200, {
    expected: '200',
    got: answerIn(ctx, exchange, operation),
    from,
    cause: statusCause(exchange, operation),
  });
}

const CALLS: Readonly<Record<VaspOperation, string>> = {
  verifyUser: 'Calls of verifyUser are',
  verifyAccount: 'Calls of verifyAccount are',
  transactionStatus: 'Calls of transactionStatus are',
  callback: 'Callbacks are',
};

const lateCause = (operation: VaspOperation): Cause => ({
  address: operation,
  kind: 'late',
  title: `${CALLS[operation]} answered too late`,
});

/** The robot asked about a customer of the run with right data. */
export const unverifiedCause = (operation: 'verifyUser' | 'verifyAccount', got: string): Cause => ({
  address: operation,
  kind: `not-verified ${got}`,
  title: `The answer to ${operation} is ${got} instead of VERIFIED: compare the customers of the run with those of the VASP`,
});

/** Not the question: an answer to any other one is the same. */
export const refusesCaller = (exchange: LoggedExchange | undefined): exchange is LoggedExchange =>
  exchange?.status === 401 || exchange?.status === 403;

export function statusCause({ status, error }: LoggedExchange, operation: VaspOperation): Cause {
  const calls = CALLS[operation];
  return status === null
    ? { address: operation, kind: String(error), title: `${calls} not answered: ${error}` }
    : { address: operation, kind: `status-${status}`, title: `${calls} answered ${status} instead of 200` };
}

/** Nothing was sent: there is no address, or an earlier callback is sent again first (D-13), or it is our own trouble. */
function judgeMissing(ctx: ModuleContext<'status'>, operation: VaspOperation, verificationUuid?: string): boolean {
  if (ctx.world.target.url(operation) === undefined) {
    return ctx.check('status', false, {
      expected: '200',
      got: answerIn(ctx, undefined, operation),
      cause: { address: operation, kind: 'no-endpoint', title: `The VASP has no endpoint for ${operation}` },
    });
  }
  const limitMs = ctx.world.timeoutMs[operation];
  const first = operation === 'callback' ? heldUpBy(ctx, verificationUuid) : undefined;
  if (!first) return judgeNotAsked(ctx, operation, verificationUuid);
  const isTooLate = timingOf(first, limitMs) === 'late';
  const type = json(first.request)?.callbackType;
  const answer = isTooLate ? `too late (${timeIn(first, limitMs)})` : String(first.status ?? first.error);
  return ctx.check('status', false, {
    expected: '200',
    got: `the callback before it (${type}) was answered ${answer}: the sandbox sends that one again until it is answered with 200, and this one waits (D-13)`,
    from: [first],
    cause: isTooLate ? lateCause(operation) : statusCause(first, operation),
  });
}

function judgeNotAsked(ctx: ModuleContext<'status'>, operation: VaspOperation, verificationUuid?: string): false {
  if (operation === 'transactionStatus') requireNoReport(ctx, verificationUuid);
  return ctx.trouble(`It did not call ${operation} in its time.`);
}

/** D-17: a report ends the status queries. A driver or a person may send one that nobody has ordered. Throws `Skip`. */
export function requireNoReport(ctx: ModuleContext, verificationUuid?: string): void {
  const reports = ['report-transaction', 'report-error'].flatMap(each => ctx.evidence.received(each, verificationUuid));
  const report = reports.find(({ status }) => status === 200);
  if (report)
    ctx.skip(`The VASP called ${report.operation}, which the order left out, so the robot did not ask for the status.`);
}

const heldUpBy = ({ evidence }: ModuleContext, verificationUuid?: string): LoggedExchange | undefined =>
  evidence.sent('callback', verificationUuid).find(({ status }) => status !== 200);

export const noAddress = (operation: VaspOperation): string =>
  `The VASP has no endpoint for ${operation}. Add it to the registration.`;

/** Status or error. Without an exchange the VASP has no such endpoint. */
export const answerIn = (
  { world }: ModuleContext,
  exchange: LoggedExchange | undefined,
  operation: VaspOperation,
): string =>
  exchange
    ? exchange.status === null && timingOf(exchange, world.timeoutMs[operation]) !== 'in time'
      ? timeIn(exchange, world.timeoutMs[operation])
      : String(exchange.status ?? exchange.error)
    : `nothing was sent: the VASP has no endpoint for ${operation}. Add it to the registration, then run the module again`;

/** Every further call would wait for its whole limit, and say the same. Throws `Skip`. */
export function requireInTime(ctx: ModuleContext, operation: VaspOperation): void {
  const late = ctx.world.silence.lateCalls(operation);
  if (late !== undefined)
    ctx.skip(
      `The VASP has answered none of the ${late} calls of ${operation} in time. Play the plan again when it does.`,
    );
}

/** A call of the VASP that was refused: `answered with 400: …`. */
export function refusalText({ status, response }: LoggedExchange): string {
  const message = json(response)?.message;
  return `answered with ${status}${typeof message === 'string' ? `: ${message}` : ''}`;
}

/** The one to show of several: late, another status than 200, perhaps late, any. */
export function worstOf(exchanges: readonly LoggedExchange[], limitMs: number): LoggedExchange | undefined {
  const timed = (wanted: string) => exchanges.find(each => timingOf(each, limitMs) === wanted);
  return timed('late') ?? exchanges.find(({ status }) => status !== 200) ?? timed('unknown') ?? exchanges[0];
}

/** Undefined: the body has the shape. */
function problemOf(shape: z.ZodType, body: string | null): string | undefined {
  try {
    parse(shape, JSON.parse(body ?? ''));
    return undefined;
  } catch (error) {
    return error instanceof Refusal ? error.message : 'The body is not JSON.';
  }
}

/** The same of an exchange, with the verification that the answer must name. */
export const problemIn = (shape: z.ZodType, { request, response }: LoggedExchange): string | undefined =>
  problemOf(shape, response) ?? echoProblem(json(request)?.verificationUuid, json(response)?.verificationUuid);

function echoProblem(asked: unknown, answered: unknown): string | undefined {
  if (typeof asked !== 'string' || typeof answered !== 'string') return undefined;
  if (asked.toLowerCase() === answered.toLowerCase()) return undefined;
  return `\`verificationUuid\` should be that of the request, ${asked}, and it is ${answered}.`;
}

/** `DENIED / MISMATCHED-NAME`, or what was answered instead of a result. */
export function resultIn(exchange: LoggedExchange | undefined): string {
  const { status = null, error, response = null } = exchange ?? {};
  const { accountVerificationResult, result = accountVerificationResult, reason, code } = json(response) ?? {};
  const coded = typeof code === 'string' ? ` ${code}` : '';
  if (status !== 200) return status === null ? (error ?? 'nothing was sent') : `${status}${coded}`;
  return result === undefined ? `200${coded} without a result` : pair(String(result), reason as string | undefined);
}

export function pairFields(expected: string, got: string): Difference[] {
  const [wanted, found] = [expected.split(' / '), got.split(' / ')];
  return ['result', 'reason']
    .map((field, index) => ({ field, expected: wanted[index] ?? '', got: found[index] ?? '' }))
    .filter(each => each.expected !== each.got);
}

/** `DENIED / UNKNOWN-ADDRESS` */
export const pair = (result: string, reason: string | undefined): string => `${result} / ${reason ?? 'OK'}`;
