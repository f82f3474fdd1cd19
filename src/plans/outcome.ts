import type {
  ConditionReport,
  ConditionResult,
  Counts,
  Difference,
  EvidenceExchange,
  ModuleReport,
  RunReport,
  RunResult,
} from '../contract/plans.ts';

/** From the worst to the best. SKIPPED counts as nothing. */
const ORDER = ['FAILED', 'ERROR', 'INTERRUPTED', 'NOT-JUDGED', 'REVIEW', 'WARNING', 'PASSED'] as const;

export const worst = (results: readonly (RunResult | null)[]): RunResult =>
  ORDER.find(result => results.includes(result)) ?? 'SKIPPED';

/** NOT-RECEIVED makes a module fail. */
const asRunResult = (result: ConditionResult): RunResult => (result === 'NOT-RECEIVED' ? 'FAILED' : result);

export const resultOf = (conditions: readonly ConditionReport[]): RunResult =>
  worst(conditions.map(({ result }) => asRunResult(result)));

export const hasFailed = ({ result }: Pick<ConditionReport, 'result'>): boolean =>
  result === 'FAILED' || result === 'NOT-RECEIVED';

/** REVIEW is the judgement of a person, which is still to come. */
const isJudged = ({ result }: Pick<ConditionReport, 'result'>): boolean => result !== 'SKIPPED' && result !== 'REVIEW';

type Judged = Pick<ModuleReport, 'result' | 'conditions'>;

/** The worst result of its modules. Without a judged condition nothing can be better than NOT-JUDGED. */
export const resultOfModules = (modules: readonly Judged[]): RunResult =>
  worst([
    ...modules.map(({ result }) => result),
    ...(modules.some(({ conditions }) => conditions.some(isJudged)) ? [] : (['NOT-JUDGED'] as const)),
  ]);

/** Somebody must add something before it can be played. */
export const isMissing = ({ result, applies = true }: Pick<ModuleReport, 'result' | 'applies'>): boolean =>
  result === 'SKIPPED' && applies;

const COUNT_OF: Readonly<Record<ConditionResult, keyof Counts>> = {
  PASSED: 'passed',
  FAILED: 'failed',
  'NOT-RECEIVED': 'notReceived',
  WARNING: 'warning',
  REVIEW: 'review',
  SKIPPED: 'skipped',
};

export function countsOf(modules: readonly Pick<ModuleReport, 'conditions'>[]): Counts {
  const counts = { passed: 0, failed: 0, notReceived: 0, warning: 0, review: 0, skipped: 0 };
  for (const { result } of modules.flatMap(({ conditions }) => conditions)) counts[COUNT_OF[result]]++;
  return counts;
}

/** With other sentences, and other values in its differences. */
export function withTexts(
  module: ModuleReport,
  sentence: <T extends string | null>(text: T) => T,
  value: (text: string, field: string) => string,
): ModuleReport {
  const differences = (fields: readonly Difference[]) =>
    fields.map(({ field, expected, got }) => ({ field, expected: value(expected, field), got: value(got, field) }));
  return {
    ...module,
    note: sentence(module.note),
    skippedBecause: sentence(module.skippedBecause),
    waiting: module.waiting && {
      ...module.waiting,
      nearMisses: module.waiting.nearMisses.map(each => ({ ...each, fields: differences(each.fields) })),
    },
    conditions: module.conditions.map(each => ({
      ...each,
      expected: sentence(each.expected),
      got: sentence(each.got),
      ...(each.fields && { fields: differences(each.fields) }),
      ...(each.cause && {
        cause: { ...each.cause, kind: sentence(each.cause.kind), title: sentence(each.cause.title) },
      }),
    })),
  };
}

/** `D3 ETH`; a module that runs once has no symbol. */
export const nameOf = ({ id, symbol }: Pick<ModuleReport, 'id' | 'symbol'>): string =>
  symbol ? `${id} ${symbol}` : id;

/** By how much the sandbox has extended time limits: none, or one text. `leastMs`: where the longest delay is shorter, none. */
export function selfDelays({ modules }: RunReport, leastMs = 0): string[] {
  const stood = modules.flatMap(({ exchanges }) => exchanges.flatMap(({ stallMs }) => stallMs ?? []));
  const longest = Math.max(0, ...stood);
  if (stood.length === 0 || longest < leastMs) return [];
  return [
    `the sandbox itself was late during ${stood.length === 1 ? '1 call' : `${stood.length} calls`}, at most by ${longest} ms, by which it extended their time limits`,
  ];
}

/** On which chains the run was, and when a transaction counted as final there. */
export const chainTexts = ({ chains }: RunReport): string[] =>
  chains.map(({ network, id, finality }) => {
    const name = id === null ? network : `${network} (${id})`;
    return finality === undefined ? name : `${name}, final: ${finality}`;
  });

/** The exchanges that the run has kept, the memory that it needed, and by how much it has extended time limits. */
export function usageText(report: RunReport): string {
  const { evidence, memoryBytes } = report;
  const kept = `${evidence.exchanges} exchanges of ${Math.ceil(evidence.bytes / 2 ** 10)} KB kept`;
  const memory = memoryBytes === undefined ? [] : [`at most ${Math.round(memoryBytes / 2 ** 20)} MB of memory`];
  return [kept, ...memory, ...selfDelays(report)].join(', ');
}

/** `120 ms, of which the sandbox itself was late by 80 ms` */
export const durationText = ({ durationMs, stallMs }: Pick<EvidenceExchange, 'durationMs' | 'stallMs'>): string =>
  `${durationMs} ms${stallMs ? `, of which the sandbox itself was late by ${stallMs} ms` : ''}`;
