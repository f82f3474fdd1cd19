import type { CauseReport, ConditionReport, ModuleReport } from '../../contract/plans.ts';
import { hasFailed, nameOf } from '../outcome.ts';

interface Group extends CauseReport {
  key: string;
}

/**
 * The failures of a run by their cause: the same address and the same kind. A condition that names no cause is one of its
 * own, for all symbols and for all modules that have it. The cause with the most failures comes first.
 */
export function causesOf(modules: readonly ModuleReport[]): CauseReport[] {
  const groups = new Map<string, Group>();
  for (const module of modules)
    for (const condition of module.conditions.filter(hasFailed)) {
      const { key, id, title } = causeOf(module, condition);
      const group = groups.get(key) ?? { key, id, title, conditions: [], exchange: null };
      group.conditions.push(nameOf({ ...module, id: condition.id }));
      group.exchange ??= condition.exchanges[0] ?? null;
      groups.set(key, group);
    }
  const sorted = [...groups.values()].sort((one, other) => other.conditions.length - one.conditions.length);
  return sorted.map(({ key: _, ...cause }, position) => ({
    ...cause,
    id: withNumber(
      cause.id,
      sorted.slice(0, position).filter(({ id }) => id === cause.id),
    ),
  }));
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

/** Ids differ, also where texts differ in signs only. */
const withNumber = (id: string, earlier: readonly unknown[]): string =>
  earlier.length === 0 ? id : `${id}-${earlier.length + 1}`;
