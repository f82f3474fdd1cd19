import type { PlanVersion } from '../../contract/plan-versions.ts';
import { conditionsOf, modulesOf } from '../../plans/catalogue.ts';

export const listed = (version: PlanVersion) =>
  modulesOf('complete', version).map(module => ({
    id: module.id,
    title: module.title,
    needs: module.needs,
    conditions: conditionsOf(module, version),
  }));

export const listing = (version: PlanVersion): string =>
  modulesOf('complete', version)
    .map(module => {
      const needs = module.needs.length === 0 ? '' : ` (needs ${module.needs.join(', ')})`;
      const conditions = conditionsOf(module, version).map(
        ({ id, clause, severity, text }) =>
          `  ${id.padEnd(20)} ${clause.padEnd(11)} ${severity === 'WARNING' ? 'warning: ' : ''}${text}`,
      );
      return [`${module.id}  ${module.title}${needs}`, ...conditions].join('\n');
    })
    .join('\n');
