import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ModuleReport, RunProblem, RunReport, RunSummary } from '../../contract/plans.ts';

/** Test runs. `settings`: the request as it was, encrypted; of a run that has ended, without customers and driver. */
export const runs = sqliteTable(
  'plans_runs',
  {
    id: text('id').primaryKey(),
    vaspId: text('vasp_id').notNull(),
    plan: text('plan').notNull(),
    settings: text('settings').notNull(),
    /** Two digits of all amounts of the run. */
    digits: integer('digits').notNull(),
    startedAt: integer('started_at').notNull(),
    endedAt: integer('ended_at'),
    isStopped: integer('is_stopped', { mode: 'boolean' }).notNull().default(false),
    problem: text('problem', { mode: 'json' }).$type<RunProblem>(),
    /** Of a run that has ended: what judged it, and on which ledgers. A later start may have others. */
    judgedBy: text('judged_by', { mode: 'json' }).$type<Pick<RunReport, 'tool' | 'vasp' | 'chains'>>(),
    /** Of a run that has ended: a list reads no evidence. */
    summary: text('summary', { mode: 'json' }).$type<RunSummary>(),
  },
  table => [index('plans_runs_vasp').on(table.vaspId, table.startedAt)],
);

/** `memo`: what the module needs when it is judged again at the end of the run. */
export const runModules = sqliteTable(
  'plans_modules',
  {
    runId: text('run_id').notNull(),
    position: integer('position').notNull(),
    report: text('report', { mode: 'json' }).$type<ModuleReport>().notNull(),
    memo: text('memo', { mode: 'json' }),
  },
  table => [primaryKey({ columns: [table.runId, table.position] })],
);
