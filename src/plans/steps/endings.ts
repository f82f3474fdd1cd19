import { ASSETS, accountKey, isAssetSymbol, splitAddress } from '../../contract/assets.ts';
import { nameTexts } from '../../contract/callbacks.ts';
import type { DriverAction, DriverParameters } from '../../contract/customers.ts';
import type { Persons } from '../../contract/ivms101.ts';
import { type NamedCustomer, nameDifference, personsOf } from '../../contract/persons.ts';
import type { Difference } from '../../contract/plans.ts';
import type { VerifyAccountRequest } from '../../contract/requests.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { ModuleContext, Shown } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { pair, refusalText, resultIn } from './answers.ts';

/** Answers of the sandbox after which a withdrawal may not go on. */

export interface Order {
  action: DriverAction;
  parameters: DriverParameters;
  /** The last exchange before it. */
  since: number;
  /** A program acts: it makes each call soon after the one before. */
  isDriven: boolean;
  waitMs: number;
}

interface CallbackData {
  verificationResult: string;
  reason?: string;
}

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
  const result = sent.find(body => body?.callbackType === 'VERIFICATION_RESULT')?.data as CallbackData | undefined;
  return result && pair(result.verificationResult, result.reason);
}

/** It is refused, or about something else than what was ordered: the VASP may make it again, and right. */
export const isToRepeat = (call: LoggedExchange, { parameters }: Pick<Order, 'parameters'>): boolean =>
  isAct(call) && (isRefusal(call) || (isDeniedAccount(call) && accountDifferences(call, parameters).length > 0));

const isDeniedAccount = (call: LoggedExchange): boolean =>
  call.operation === 'verify-account' && ENDS.test(resultIn(call));

/** `verify-user` goes on after a denied account verification that was ordered. */
function endsWithdrawal(ctx: ModuleContext, call: LoggedExchange, order: Order): boolean {
  if (isDeniedAccount(call) && order.action === 'verify-user') return isToRepeat(call, order);
  return isRefusal(call) || ENDS.test(answerTo(ctx, call) ?? '');
}

/** The last act of the VASP since the order, if its answer ends the withdrawal. */
export function endOf(ctx: ModuleContext, order: Order): LoggedExchange | undefined {
  const last = ctx.evidence.all().findLast(each => each.id > order.since && isAct(each));
  return last && endsWithdrawal(ctx, last, order) ? last : undefined;
}

/** A VASP may go on later than this. So it is over only after an answer after which it once did not, in the whole time. */
export function whenEnded(ctx: ModuleContext, order: Order): () => boolean {
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
