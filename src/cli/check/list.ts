import { conditionsOf, modulesOf } from '../../plans/catalogue.ts';

export const listed = () =>
  modulesOf('complete').map(module => ({
    id: module.id,
    title: module.title,
    needs: module.needs,
    conditions: conditionsOf(module),
  }));

export const listing = (): string =>
  modulesOf('complete')
    .map(module => {
      const needs = module.needs.length === 0 ? '' : ` (needs ${module.needs.join(', ')})`;
      const conditions = conditionsOf(module).map(
        ({ id, clause, severity, text }) =>
          `  ${id.padEnd(20)} ${clause.padEnd(11)} ${severity === 'WARNING' ? 'warning: ' : ''}${text}`,
      );
      return [`${module.id}  ${module.title}${needs}`, ...conditions].join('\n');
    })
    .join('\n');
