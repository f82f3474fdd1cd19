import type { ConditionReport, ModuleReport, RunReport } from '../contract/plans.ts';
import { jsonOrText } from '../kernel/json.ts';
import { firstUpTo } from '../kernel/page.ts';
import { type Json, picked, requireOneOf } from './schemas.ts';

/** The parts of long answers that an agent reads. */

/** The entries of the list of a page with these members only. */
const rows =
  (list: string, names: readonly string[], more: (row: Json) => Json = () => ({})) =>
  (answer: Json): Json => ({
    ...answer,
    [list]: (answer[list] as Json[]).map(row => ({ ...picked(row, names), ...more(row) })),
  });

export const whole = (answer: Json): Json => answer;

export const INFO = ['version', 'hosted', 'mode', 'robot', 'vasp', 'chains', 'users'];

export const infoView = (info: Json): Json => ({
  ...picked(info, INFO),
  chains: (info.chains as Json[]).map(chain => picked(chain, ['symbol', 'network', 'embedded', 'head'])),
  users: (info.users as Json[]).map(({ id }) => id),
});

export const usersView = (answer: Json): Json => ({
  users: rows('users', ['id', 'kind', 'kyc', 'behaviour'])(answer).users,
  behaviours: (answer.behaviours as Json[]).map(({ behaviour }) => behaviour),
});

export const verificationsView = rows(
  'verifications',
  ['verificationUuid', 'role', 'userId', 'symbol', 'amount', 'result', 'reason', 'createdAt'],
  ({ money, report, findings }) => ({
    money: (money as Json | null)?.status ?? null,
    report: (report as Json | null)?.verdict ?? null,
    findings: (findings as Json[]).map(({ code }) => code),
  }),
);

export const callbackView = ({ attempts, data: _, ...callback }: Json): Json => {
  const { length, [length - 1]: last } = attempts as Json[];
  return { ...callback, attemptCount: length, last: last ? (last.status ?? last.error) : null };
};

export const callbacksView = (answer: Json): Json => ({
  ...answer,
  callbacks: (answer.callbacks as Json[]).map(callbackView),
});

export const exchangesView = rows('exchanges', [
  'id',
  'at',
  'direction',
  'operation',
  'status',
  'durationMs',
  'error',
  'verificationUuid',
]);

/** A body within an answer has no escapes. */
export const exchangeView = (exchange: Json): Json => ({
  ...exchange,
  request: parsed(exchange.request),
  response: parsed(exchange.response),
});

const parsed = (body: unknown): unknown => (typeof body === 'string' ? jsonOrText(body) : body);

/** Requests and answers are exchanges of their own. */
export const timelineView = (answer: Json): Json => ({
  ...answer,
  timeline: (answer.timeline as Json[]).map(({ detail, lane: _, between: __, ...entry }) => {
    const { exchangeId, nearMiss } = (detail ?? {}) as Json;
    return { ...entry, ...(exchangeId === undefined ? {} : { exchangeId }), ...(nearMiss ? { nearMiss } : {}) };
  }),
});

export function faultsView(answer: Json, { target }: Json): Json {
  const targets = answer.targets as (Json & { target: string })[];
  const names = targets.map(each => each.target);
  requireOneOf(names, 'target', target);
  return { ...answer, targets: target === undefined ? names : targets.filter(each => each.target === target) };
}

type Plans = { plan: string; modules: (Json & { id: string })[] }[];

/** The ids of all; of a plan the titles; with a module its conditions. */
export const plansView = (answer: Json, { plan, module }: Json): Json => {
  const plans = answer.plans as Plans;
  if (module !== undefined) return { plans: plans.slice(0, 1) };
  const shown = (each: Plans[number]['modules'][number]) =>
    plan === undefined ? each.id : picked(each, ['id', 'title', 'needs']);
  return {
    plans: plans
      .filter(({ plan: name }) => name !== 'complete' || plan === name)
      .map(({ plan: name, modules }) => ({ plan: name, modules: modules.map(shown) })),
  };
};

export const runsView = rows('runs', ['id', 'plan', 'only', 'result', 'startedAt', 'endedAt', 'modules']);

export const checksView = ({ checks }: Json): Json => ({
  checks: (checks as Json[]).map(({ request: _, ...check }) => check),
});

const GOOD = ['PASSED', 'SKIPPED'];
const isBad = ({ result }: ConditionReport): boolean => !GOOD.includes(result);
export const hasBad = ({ conditions }: ModuleReport): boolean => conditions.some(isBad);

/** Characters of the failures of an answer. */
const MAX_FAILURES = 2_600;
const MAX_CAUSES = 8;

/** The verdict of a run without its evidence. `module`: only the failures of this one. */
export function verdictOf({ modules, causes, ...run }: RunReport, module: unknown) {
  const verifications = new Map(
    modules.flatMap(({ exchanges }) => exchanges.map(each => [each.id, each.verificationUuid] as const)),
  );
  const verificationOf = (exchanges: readonly string[]) =>
    exchanges.map(id => verifications.get(id)).findLast(uuid => uuid) ?? null;
  const failures = eachCauseFirst(
    modules
      .filter(({ id }) => module === undefined || id === module)
      .flatMap(each => each.conditions.filter(isBad).map(condition => ({ of: each, condition }))),
  ).map(({ of, condition: { id, exchanges, clause, severity: _, text, ...condition } }) => ({
    module: of.id,
    ...(of.symbol ? { symbol: of.symbol } : {}),
    condition: id,
    ...condition,
    text,
    clause,
    verificationUuid: verificationOf(exchanges),
    exchange: exchanges.at(-1) ?? null,
  }));
  const shown = firstUpTo(MAX_FAILURES, failures, each => JSON.stringify(each).length);
  return {
    ...picked(run, ['id', 'plan', 'result', 'startedAt', 'endedAt', 'counts']),
    ...(run.problem ? { problem: run.problem } : {}),
    modules: playedOf(modules),
    causes: causes
      .slice(0, MAX_CAUSES)
      .map(({ title, conditions, exchange }) => ({ title, conditions: conditions.length, exchange })),
    failures: shown,
    moreFailures: failures.length - shown.length,
    waiting: modules.flatMap(({ id, waiting }) =>
      waiting
        ? [{ module: id, instruction: waiting.instruction, until: waiting.until, nearMisses: waiting.nearMisses }]
        : [],
    ),
    skipped: modules.flatMap(({ id, skippedBecause }) =>
      skippedBecause === null ? [] : [{ module: id, because: skippedBecause }],
    ),
  };
}

export const playedOf = (modules: readonly ModuleReport[]) => ({
  played: modules.filter(({ status }) => status === 'FINISHED').length,
  all: modules.length,
});

/** One failure of each cause, then another one of each. */
function eachCauseFirst<F extends { condition: ConditionReport }>(failures: readonly F[]): F[] {
  const before = new Map<string, number>();
  const ranked = failures.map(failure => {
    const { cause, id } = failure.condition;
    const key = cause ? `${cause.address} ${cause.kind}` : id;
    const rank = before.get(key) ?? 0;
    before.set(key, rank + 1);
    return { failure, rank };
  });
  return ranked.sort((a, b) => a.rank - b.rank).map(({ failure }) => failure);
}
