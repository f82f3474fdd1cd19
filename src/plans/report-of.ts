import type { AssetSymbol } from '../contract/assets.ts';
import {
  type CauseReport,
  type ConditionReport,
  MAX_SUMMED_CAUSES,
  type ModuleReport,
  PLANS,
  type PlanName,
  type RunReport,
  type RunRequest,
  RunSummary,
} from '../contract/plans.ts';
import { toIso } from '../kernel/clock.ts';
import { conditionsOf, isNamed, modulesOf, symbolsOf } from './catalogue.ts';
import { clausesOf, type PlanModule, planOf } from './module.ts';
import { countsOf, hasFailed, isMissing, nameOf, resultOfModules, worst } from './outcome.ts';
import type { ModuleRow, RunRow } from './store.ts';

/** The modules of a run before it starts. A module for other symbols than those of the run is skipped. */
export function plannedModules({ plan, symbols, modules }: RunRequest): ModuleReport[] {
  const wanted: readonly AssetSymbol[] = symbols ?? ['ETH', 'XRP'];
  return modulesOf(plan)
    .filter(({ id }) => modules === undefined || isNamed(id, modules))
    .flatMap(module => {
      const own = symbolsOf(module);
      if (own.length === 0) return [planned(module)];
      const common = own.filter(symbol => wanted.includes(symbol));
      if (common.length > 0) return common.map(symbol => planned(module, symbol));
      const skippedBecause = `The module is about ${own.join(' and ')}, and the run is about ${wanted.join(' and ')}.`;
      return [
        {
          ...planned(module, own[0]),
          status: 'FINISHED' as const,
          result: 'SKIPPED' as const,
          skippedBecause,
          applies: false,
        },
      ];
    });
}

const planned = (module: PlanModule, symbol?: AssetSymbol): ModuleReport => ({
  id: module.id,
  plan: planOf(module),
  ...(symbol ? { symbol } : {}),
  title: module.title,
  clauses: clausesOf(module),
  status: 'CREATED',
  result: null,
  skippedBecause: null,
  note: null,
  waiting: null,
  durationMs: null,
  conditions: blank(module),
  exchanges: [],
});

export const blank = (module: PlanModule): ModuleReport['conditions'] =>
  conditionsOf(module).map(condition => ({
    ...condition,
    result: 'SKIPPED',
    expected: null,
    got: null,
    exchanges: [],
  }));

/** The chains of the sandbox, also those that are no part of the run. */
export type JudgedBy = NonNullable<RunRow['judgedBy']>;

export function reportOf(run: RunRow, rows: readonly ModuleRow[], { tool, vasp, chains }: JudgedBy): RunReport {
  const modules = rows.map(({ report }) => report);
  const exchanges = modules.flatMap(module => module.exchanges);
  const sizes = exchanges.map(({ request, response }) => (request?.length ?? 0) + (response?.length ?? 0));
  const { plan, symbols = ['ETH', 'XRP'], modules: only, clock } = run.settings;
  const plans = outcomesOf(modules);
  const memory = modules.flatMap(({ memoryBytes }) => memoryBytes ?? []);
  return {
    version: 1,
    id: run.id,
    plan,
    ...(only ? { only } : {}),
    tool,
    vasp,
    startedAt: toIso(run.startedAt),
    endedAt: run.endedAt === null ? null : toIso(run.endedAt),
    stopped: run.isStopped,
    clock,
    chains: chains.filter(({ symbol }) => (symbols as readonly string[]).includes(symbol)),
    result:
      run.endedAt === null
        ? null
        : worst([
            resultOfModules(modules),
            ...plans.map(({ result }) => result),
            // The last judgements of a stopped run may be missing although all its modules have ended.
            ...(run.isStopped ? (['INTERRUPTED'] as const) : []),
            ...(run.problem?.of === 'SANDBOX' ? (['ERROR'] as const) : []),
          ]),
    ...(run.problem ? { problem: run.problem } : {}),
    plans,
    causes: causesOf(modules),
    counts: countsOf(modules),
    evidence: { exchanges: exchanges.length, bytes: sizes.reduce((all, each) => all + each, 0) },
    ...(memory.length > 0 ? { memoryBytes: Math.max(...memory) } : {}),
    modules,
  };
}

/** A plan whose modules are all about other symbols or ledgers is no part of the run. */
function outcomesOf(modules: readonly ModuleReport[]): RunReport['plans'] {
  const isPlayed = (plan: PlanName) => modules.some(each => each.plan === plan && each.applies !== false);
  const plans = PLANS.filter(isPlayed);
  return plans.map(plan => {
    const own = modules.filter(module => module.plan === plan);
    return { plan, result: resultOfModules(own), skipped: own.filter(isMissing).map(nameOf) };
  });
}

export function summaryOf(report: RunReport): RunSummary {
  const { length: all } = report.modules;
  const finished = report.modules.filter(({ status }) => status === 'FINISHED').length;
  const causes = report.causes.slice(0, MAX_SUMMED_CAUSES);
  return RunSummary.parse({ ...report, causes, modules: { finished, all } });
}

/**
 * The failures of a run by their cause: the same endpoint and the same kind. A condition that names no cause is one of its
 * own, for all symbols and for all modules that have it. The cause with the most failures comes first.
 */
export function causesOf(modules: readonly ModuleReport[]): CauseReport[] {
  const groups = new Map<string, CauseReport>();
  for (const module of modules)
    for (const condition of module.conditions.filter(hasFailed)) {
      const { key, id, title } = causeOf(module, condition);
      const group = groups.get(key) ?? { id, title, conditions: [], exchange: null };
      group.conditions.push(nameOf({ ...module, id: condition.id }));
      group.exchange ??= condition.exchanges[0] ?? null;
      groups.set(key, group);
    }
  const sorted = [...groups.values()].sort((one, other) => other.conditions.length - one.conditions.length);
  // Ids differ, also where texts differ in signs only.
  return sorted.map((cause, position) => {
    const earlier = sorted.slice(0, position).filter(({ id }) => id === cause.id).length;
    return earlier === 0 ? cause : { ...cause, id: `${cause.id}-${earlier + 1}` };
  });
}

function causeOf(module: ModuleReport, condition: ConditionReport) {
  if (condition.cause) {
    const { address, kind, title } = condition.cause;
    return { key: `${address} ${kind}`, id: slug(`${address}-${kind}`), title };
  }
  const shown = module.exchanges.find(({ id }) => id === condition.exchanges[0]);
  const address = shown?.operation ?? module.plan;
  const word = condition.id.slice(module.id.length + 1);
  return {
    key: `${address} ${condition.clause} ${condition.text}`,
    id: slug(`${address}-${word}`),
    title: `Violated${shown ? ` at ${address}` : ''}: ${condition.text}${condition.got ? ` Got: ${condition.got}` : ''}`,
  };
}

const slug = (text: string): string =>
  text
    .replace(/[^A-Za-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
    .toLowerCase();
