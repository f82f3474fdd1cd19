import { ASSETS, isAssetSymbol } from '../../contract/assets.ts';
import { nameTexts } from '../../contract/callbacks.ts';
import type { DriverAction, DriverParameters } from '../../contract/driver.ts';
import type { Persons } from '../../contract/ivms101.ts';
import { type NamedCustomer, nameDifference, personsOf } from '../../contract/persons.ts';
import type { Difference } from '../../contract/plans.ts';
import type { VerifyAccountRequest } from '../../contract/requests.ts';
import { elapsedMs } from '../../kernel/clock.ts';
import type { ModuleContext, Shown } from '../context.ts';
import { json, type LoggedExchange } from '../evidence.ts';
import { refusalText, resultIn } from './answers.ts';

/** Answers of the sandbox after which a withdrawal does not go on. */

export interface Order {
  action: DriverAction;
  parameters: DriverParameters;
  /** The last exchange before it. */
  since: number;
  /** A program acts: it makes each call soon after the one before. */
  isDriven: boolean;
  waitMs: number;
}

/** Other calls only read. */
const ACTS = ['verify-account', 'verify-user', 'report-transaction', 'report-error'];
/** The same call may be accepted later. */
const PASSING = [408, 429];
/** A VASP that goes on all the same has begun by then. At most a part of the time for an act. */
const QUIET_MS = 1_000;
const QUIET_PART = 1 / 10;

const isAct = ({ direction, operation, method }: LoggedExchange): boolean =>
  direction === 'IN' && (ACTS.includes(operation) || (operation === 'unknown' && method === 'POST'));

const isRefusal = ({ status }: LoggedExchange): boolean =>
  status !== null && status >= 400 && status < 500 && !PASSING.includes(status);

/** `verify-user` goes on after a denial that was ordered. */
function endsWithdrawal(call: LoggedExchange, { action, parameters }: Order): boolean {
  if (isRefusal(call)) return true;
  if (call.operation !== 'verify-account' || !resultIn(call).startsWith('DENIED')) return false;
  return action !== 'verify-user' || accountDifferences(call, parameters).length > 0;
}

/** The last act of the VASP since the order, if its answer ends the withdrawal. */
export function endOf({ evidence }: ModuleContext, order: Order): LoggedExchange | undefined {
  const last = evidence.all().findLast(each => each.id > order.since && isAct(each));
  return last && endsWithdrawal(last, order) ? last : undefined;
}

/** Is the withdrawal over, and the VASP quiet since? */
export function whenEnded(ctx: ModuleContext, order: Order): () => boolean {
  const quietMs = Math.min(QUIET_MS, order.waitMs * QUIET_PART);
  let end: LoggedExchange | undefined;
  let seenAt = 0;
  return () => {
    const now = order.isDriven ? endOf(ctx, order) : undefined;
    if (now?.id !== end?.id) seenAt = elapsedMs();
    end = now;
    return end !== undefined && elapsedMs() - seenAt >= quietMs;
  };
}

/** What a condition that fails by this answer shows. Without a cause the answer ends nothing. */
export async function shownEnd(
  ctx: ModuleContext,
  call: LoggedExchange,
  { answer, parameters }: { answer: string; parameters: DriverParameters },
): Promise<Pick<Shown, 'fields' | 'from' | 'cause'>> {
  const from = [call];
  const { operation, method, url } = call;
  if (call.status !== null && call.status >= 400) {
    const name = operation === 'unknown' ? `${method} ${url}` : operation;
    const title = `The sandbox refuses ${name}, ${refusalText(call)}`;
    return { from, cause: { address: operation, kind: `refused ${resultIn(call)}`, title } };
  }
  if (answer.startsWith('VERIFIED') || !answer.includes(' / ')) return { from };
  const fields = operation === 'verify-account' ? accountDifferences(call, parameters) : await nearMissesOf(ctx, call);
  const title = [`The robot answers ${answer}`, ...fields.slice(0, 1).map(differenceText)].join(': ');
  return { from, fields, cause: { address: 'robot', kind: answer, title } };
}

const differenceText = ({ field, expected, got }: Difference): string =>
  `\`${field}\` is ${got} instead of ${expected}`;

/** The member that the reason is about, unless it is as it was ordered. */
function accountDifferences(
  call: LoggedExchange,
  { symbol = '', network, beneficiary }: DriverParameters,
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
    case 'UNKNOWN-ADDRESS':
      return differing('accountNumber', beneficiary?.account, [accountNumber].flat().join(', '));
    case 'MISMATCHED-NAME': {
      const named = beneficiary?.user as NamedCustomer;
      if (nameDifference(named, beneficiaryPersons) === undefined) return [];
      return differing('beneficiaryPersons', namesIn(personsOf(named)), namesIn(beneficiaryPersons ?? []));
    }
    default:
      return [];
  }
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
