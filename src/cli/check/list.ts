import { conditionsOf, MODULES } from '../../plans/catalogue.ts';

export const listing = (): string =>
  MODULES.map(module => {
    const needs = module.needs.length === 0 ? '' : ` (needs ${module.needs.join(', ')})`;
    const conditions = conditionsOf(module).map(
      ({ id, clause, severity, text }) =>
        `  ${id.padEnd(20)} ${clause.padEnd(11)} ${severity === 'WARNING' ? 'warning: ' : ''}${text}`,
    );
    return [`${module.id}  ${module.title}${needs}`, ...conditions].join('\n');
  }).join('\n');
