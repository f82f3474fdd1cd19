import { ASSETS, accountKey, isAssetSymbol, splitAddress } from '../../contract/assets.ts';
import { nameTexts } from '../../contract/callbacks.ts';
import type { DriverAction, DriverParameters } from '../../contract/customers.ts';
import type { Persons } from '../../contract/ivms101.ts';
import { type NamedCustomer, nameDifference, personsOf } from '../../contract/persons.ts';
import type { ByHand, Cause, Difference } from '../../contract/plans.ts';
import type { VerifyAccountRequest } from '../../contract/requests.ts';
import { elapsedMs, toIso } from '../../kernel/clock.ts';
import type { ModuleContext, Shown } from '../context.ts';
import type { DriverOutcome } from '../driver.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { pair, refusalText, resultIn } from './answers.ts';
import { untilActed } from './robot-pays.ts';

/** Making the tested VASP act: by its driver endpoint, otherwise by hand. */

/** Undefined: there is no driver, or it cannot do that. */
export async function askDriver(
  ctx: ModuleContext,
  action: DriverAction,
  parameters: DriverParameters,
): Promise<DriverOutcome | undefined> {
  const { driver, runId, waitMs, signal } = ctx.world;
  if (!driver) return undefined;
  const answerBy = toIso(ctx.world.now() + waitMs);
  const outcome = await driver.act({ runId, module: ctx.id, action, parameters, answerBy }, waitMs);
  signal.throwIfAborted();
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

export interface Acting {
  action: DriverAction;
  parameters: DriverParameters;
  instruction: string;
  /** The last exchange before the order. */
  since: number;
  /** A program acts: it makes each call soon after the one before. */
  isDriven: boolean;
  waitMs: number;
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
  const right = () => calls().find(call => !isToRepeat(call, acting));
  if (!acting.isDriven) {
    const first = await untilActed(ctx, acting.waitMs, ms => ctx.until(ms, () => calls()[0]));
    return first && ((await ctx.until(ctx.world.waitMs, right)) ?? first);
  }
  const isOver = whenEnded(ctx, acting);
  const look = () => right() ?? (isOver() ? null : undefined);
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

/** Answers of the sandbox after which a withdrawal may not go on. */

/** Other calls only read. */
const ACTS = ['verify-account', 'verify-user', 'report-transaction', 'report-error'];
/** The same call may be accepted later. */
const PASSING = [408, 429];
/** A VASP that goes on all the same has begun by then. At most a part of the time for an act. */
const QUIET_MS = 1_000;
const QUIET_PART = 1 / 10;
const ENDS = /^(DENIED|UNKNOWN|ERROR) /;

const isAct = ({ direction, operation, method }: LoggedExchange): boolean =>
  direction === 'IN' && (ACTS.includes(operation) || (operation === 'unknown' && method === 'POST'));

const isRefusal = ({ status }: LoggedExchange): boolean =>
  status !== null && status >= 400 && status < 500 && !PASSING.includes(status);

/** `DENIED / UNKNOWN-NETWORK`. That of a user verification comes by callback. Undefined: it is not there yet. */
export function answerTo({ evidence }: ModuleContext, call: LoggedExchange): string | undefined {
  const { operation, verificationUuid } = call;
  if (operation !== 'verify-user' || isRefusal(call) || verificationUuid === null) return resultIn(call);
  const sent = evidence.sent('callback', verificationUuid).map(({ request }) => json(request));
  const result = sent.find(body => body?.callbackType === 'VERIFICATION_RESULT')?.data as
    | { verificationResult: string; reason?: string }
    | undefined;
  return result && pair(result.verificationResult, result.reason);
}

/** It is refused, or about something else than what was ordered: the VASP may make it again, and right. */
export const isToRepeat = (call: LoggedExchange, { parameters }: Pick<Acting, 'parameters'>): boolean =>
  isAct(call) && (isRefusal(call) || (isDeniedAccount(call) && accountDifferences(call, parameters).length > 0));

const isDeniedAccount = (call: LoggedExchange): boolean =>
  call.operation === 'verify-account' && ENDS.test(resultIn(call));

/** `verify-user` goes on after a denied account verification that was ordered. */
function endsWithdrawal(ctx: ModuleContext, call: LoggedExchange, order: Acting): boolean {
  if (isDeniedAccount(call) && order.action === 'verify-user') return isToRepeat(call, order);
  return isRefusal(call) || ENDS.test(answerTo(ctx, call) ?? '');
}

/** The last act of the VASP since the order, if its answer ends the withdrawal. */
export function endOf(ctx: ModuleContext, order: Acting): LoggedExchange | undefined {
  const last = ctx.evidence.all().findLast(each => each.id > order.since && isAct(each));
  return last && endsWithdrawal(ctx, last, order) ? last : undefined;
}

/** A VASP may go on later than this. So it is over only after an answer after which it once did not, in the whole time. */
export function whenEnded(ctx: ModuleContext, order: Acting): () => boolean {
  const quietMs = Math.min(QUIET_MS, order.waitMs * QUIET_PART);
  let end: LoggedExchange | undefined;
  let seenAt = 0;
  return () => {
    const now = endOf(ctx, order);
    if (now?.id !== end?.id) seenAt = elapsedMs();
    end = now;
    return end !== undefined && isKnownEnd(ctx, end) && elapsedMs() - seenAt >= quietMs;
  };
}

export const isKnownEnd = (ctx: ModuleContext, call: LoggedExchange): boolean =>
  ctx.world.watch.ends.has(callText(ctx, call));

/** `verify-user, answered 400 MISSING-FIELD`, `verify-account, answered 200 DENIED / MISMATCHED-NAME` */
export function callText(ctx: ModuleContext, call: LoggedExchange): string {
  const { operation, method, url, status, response } = call;
  const name = operation === 'unknown' ? `${method} ${url}` : operation;
  if (status === null) return `${name}, which got no answer`;
  const answer = status >= 400 ? json(response)?.code : answerTo(ctx, call);
  const isTold = typeof answer === 'string' && (status >= 400 || ENDS.test(answer));
  return `${name}, answered ${status}${isTold ? ` ${answer}` : ''}`;
}

/** What a condition that fails by this answer shows. Without a cause the answer ends nothing. */
export async function shownEnd(
  ctx: ModuleContext,
  call: LoggedExchange,
  {
    answer,
    parameters,
    differences = [],
  }: { answer: string; parameters: DriverParameters; differences?: Difference[] },
): Promise<Pick<Shown, 'fields' | 'from' | 'cause'>> {
  const from = [call];
  const { operation, method, url } = call;
  if (call.status !== null && call.status >= 400) {
    const name = operation === 'unknown' ? `${method} ${url}` : operation;
    const title = `The sandbox refuses ${name}, ${refusalText(call)}`;
    return { from, cause: { address: operation, kind: `refused ${resultIn(call)}`, title } };
  }
  if (answer.startsWith('VERIFIED') || !answer.includes(' / ')) return { from };
  const own = operation === 'verify-account' ? accountDifferences(call, parameters) : differences;
  const fields = own.length > 0 ? own : await nearMissesOf(ctx, call);
  const title = [`The robot answers ${answer}`, ...fields.slice(0, 1).map(differenceText)].join(': ');
  return { from, fields, cause: { address: 'robot', kind: answer, title } };
}

const differenceText = ({ field, expected, got }: Difference): string =>
  `\`${field}\` is ${got} instead of ${expected}`;

/** The member that the reason is about, unless it is as it was ordered. */
function accountDifferences(
  call: LoggedExchange,
  { symbol = '', network, beneficiary, omit = [] }: DriverParameters,
): Difference[] {
  const { reason } = json(call.response) ?? {};
  const request = (json(call.request) ?? {}) as Partial<VerifyAccountRequest>;
  const { accountNumber, beneficiaryPersons } = request.payload?.ivms101.beneficiary ?? {};
  const differing = (field: string, expected: unknown, got: unknown): Difference[] =>
    expected === got ? [] : [{ field, expected: String(expected), got: String(got ?? 'missing') }];
  switch (reason) {
    case 'UNKNOWN-SYMBOL':
      return differing('symbol', symbol, request.symbol);
    case 'UNKNOWN-NETWORK':
      return differing('network', network ?? networksOf(symbol), request.network);
  }
  const { account = '' } = beneficiary ?? {};
  const ordered = omit.includes('destinationTag') ? splitAddress(account)[0] : account;
  const [first = ''] = [accountNumber ?? []].flat();
  if (accountKey(symbol, ordered) !== accountKey(symbol, String(first)))
    return differing('accountNumber', ordered, first);
  const named = beneficiary?.user as NamedCustomer;
  if (reason !== 'MISMATCHED-NAME' || nameDifference(named, beneficiaryPersons) === undefined) return [];
  return differing('beneficiaryPersons', namesIn(personsOf(named)), namesIn(beneficiaryPersons ?? []));
}

const namesIn = (persons: Persons): string => nameTexts(persons).join('; ') || 'nobody by name';
const networksOf = (symbol: string): string => (isAssetSymbol(symbol) ? ASSETS[symbol].networks.join(' or ') : '');

/** The change by which the robot would have gone on. */
async function nearMissesOf({ api }: ModuleContext, { verificationUuid }: LoggedExchange): Promise<Difference[]> {
  if (verificationUuid === null) return [];
  const { timeline } = await api.timeline(verificationUuid);
  const found = timeline.flatMap(({ detail }) => (detail?.nearMiss as Difference | undefined) ?? []);
  return found.map(({ field, expected, got }) => ({
    field,
    expected: String(expected),
    got: String(got ?? 'missing'),
  }));
}
