import * as z from 'zod';
import { ASSET_SYMBOLS } from './assets.ts';
import { Customers } from './customers.ts';
import { EXCHANGE_MEMBERS } from './exchange.ts';
import { HTTP_ADDRESS, HTTP_ADDRESS_FLAW } from './http-address.ts';
import { AnyText, optional, text } from './text.ts';
import { Timestamp } from './time.ts';
import { TOKEN_HEADER, TOKEN_HEADER_FLAW } from './token-header.ts';

/** The shapes of a conformance run: its input and its report. */

export const PLANS = ['complete', 'withdrawal', 'deposit', 'callbacks', 'security', 'risk'] as const;
export const PlanName = z.enum(PLANS);
export type PlanName = z.infer<typeof PlanName>;
export const PlanSymbol = z.enum(ASSET_SYMBOLS);

/**
 * Oldest first. A run plays the newest unless it names another. What a later version adds fails nobody who names an
 * older one.
 */
export const PLAN_VERSIONS = ['2026.11', '2026.12'] as const;
export type PlanVersion = (typeof PLAN_VERSIONS)[number];
export const FIRST_PLAN_VERSION: PlanVersion = PLAN_VERSIONS[0];
export const NEWEST_PLAN_VERSION: PlanVersion = PLAN_VERSIONS.at(-1)!;

/** What was added with the version `since` is part of `version`. */
export const isInVersion = (since: PlanVersion, version: PlanVersion): boolean =>
  PLAN_VERSIONS.indexOf(since) <= PLAN_VERSIONS.indexOf(version);

const name = text(256);

/** A file may name every condition of both symbols. */
export const MOST_EXPECTED_FAILURES = 1000;
export const ExpectedFailures = z
  .array(
    z.object({
      condition: name,
      symbol: z.enum([...ASSET_SYMBOLS, '*']).default('*'),
      comment: AnyText.optional(),
    }),
  )
  .max(MOST_EXPECTED_FAILURES);
export type ExpectedFailures = z.output<typeof ExpectedFailures>;

export const CONDITION_RESULTS = [
  'PASSED',
  'FAILED',
  'NOT-RECEIVED',
  'WARNING',
  'REVIEW',
  'SKIPPED',
] as const;
export type ConditionResult = (typeof CONDITION_RESULTS)[number];
export const RUN_RESULTS = ['PASSED', 'WARNING', 'FAILED', 'REVIEW', 'SKIPPED', 'INTERRUPTED'] as const;
export type RunResult = (typeof RUN_RESULTS)[number];
const MODULE_STATUSES = ['CREATED', 'RUNNING', 'WAITING', 'FINISHED', 'INTERRUPTED'] as const;

export const EvidenceExchange = z.object(EXCHANGE_MEMBERS).meta({
  id: 'EvidenceExchange',
  description: 'An HTTP exchange. Long bodies are cut.',
});
export type EvidenceExchange = z.infer<typeof EvidenceExchange>;

const severity = z.enum(['FAILURE', 'WARNING']);
const clause = z.string();

const Difference = z.object({ field: z.string(), expected: z.string(), got: z.string() });
export type Difference = z.infer<typeof Difference>;

export const ConditionReport = z
  .object({
    id: z.string(),
    clause,
    severity,
    result: z.enum(CONDITION_RESULTS),
    text: z.string(),
    expected: z.string().nullable(),
    got: z.string().nullable(),
    fields: z.array(Difference).optional().describe('The fields that differ from the expected ones.'),
    exchanges: z.array(z.string()).describe('Ids of the exchanges of the module that show it.'),
  })
  .meta({ id: 'ConditionReport', description: 'One condition of a module and its result.' });
export type ConditionReport = z.infer<typeof ConditionReport>;

export const NearMiss = z
  .object({
    exchange: z.string(),
    fields: z.array(Difference),
  })
  .meta({ id: 'NearMiss', description: 'A call that came close to the awaited one.' });
export const Waiting = z
  .object({
    instruction: z.string(),
    until: Timestamp,
    nearMisses: z.array(NearMiss).describe('Calls that came close, and the fields that differ.'),
  })
  .meta({ id: 'Waiting', description: 'The next action of the tested VASP.' });
export type Waiting = z.infer<typeof Waiting>;

export const ModuleReport = z
  .object({
    id: z.string(),
    plan: PlanName,
    symbol: PlanSymbol.optional().describe('Absent: the module runs once.'),
    title: z.string(),
    clauses: z.array(clause),
    status: z.enum(MODULE_STATUSES),
    result: z
      .enum(RUN_RESULTS)
      .nullable()
      .describe('null: not finished. INTERRUPTED: the run was stopped before its end.'),
    skippedBecause: z.string().nullable(),
    note: z.string().nullable().describe('For example: started again after the process ended.'),
    starts: z.number().int().optional().describe('Number of starts. Absent: one.'),
    faults: z.array(z.string()).optional().describe('The faults that it has ordered and not removed.'),
    waiting: Waiting.nullable(),
    durationMs: z.number().int().nullable(),
    memoryBytes: z.number().int().optional().describe('Memory of the sandbox at the end of the module.'),
    conditions: z.array(ConditionReport),
    exchanges: z.array(EvidenceExchange),
  })
  .meta({ id: 'ModuleReport', description: 'One module of a run with its conditions.' });
export type ModuleReport = z.infer<typeof ModuleReport>;

const count = z.number().int().min(0);
export const Counts = z
  .object({
    passed: count,
    failed: count,
    notReceived: count,
    warning: count,
    review: count,
    skipped: count,
  })
  .meta({ id: 'Counts', description: 'Number of conditions by result.' });
export type Counts = z.infer<typeof Counts>;

export const RunReport = z
  .object({
    version: z.literal(1),
    id: z.string(),
    plan: PlanName,
    planVersion: z
      .string()
      .default(FIRST_PLAN_VERSION)
      .describe('The version of the plan: which modules and conditions were played.'),
    only: z.array(z.string()).optional().describe('Only these modules of the plan were chosen.'),
    tool: z.string().describe('Name and version of the program.'),
    vasp: z.object({ vaspId: z.string(), name: z.string() }),
    startedAt: Timestamp,
    endedAt: Timestamp.nullable(),
    stopped: z.boolean().describe('The run was stopped before its last module.'),
    clock: z.enum(['sandbox', 'real']),
    chains: z.array(
      z.object({
        symbol: z.string(),
        network: z.string(),
        id: z.number().int().nullable(),
        embedded: z.boolean(),
        finality: z.string().optional().describe('The rule by which a transaction counts as final.'),
      }),
    ),
    result: z
      .enum(RUN_RESULTS)
      .nullable()
      .describe(
        'null: not finished. A run that was stopped is INTERRUPTED, or FAILED if something fell before.',
      ),
    counts: Counts.describe('Conditions, by result.'),
    evidence: z
      .object({ exchanges: count, bytes: count })
      .describe('Amount of evidence that the run has kept.'),
    memoryBytes: count.optional().describe('The most memory of the sandbox at the end of a module.'),
    modules: z.array(ModuleReport),
  })
  .meta({ id: 'RunReport', description: 'The report of a conformance run, version 1.' });
export type RunReport = z.infer<typeof RunReport>;

/** `complete`; `complete, only W1, D3, stopped before its last module` */
export const scopeOf = ({ plan, only, stopped }: Pick<RunReport, 'plan' | 'only' | 'stopped'>): string =>
  [
    plan,
    ...(only ? [`only ${only.join(', ')}`] : []),
    ...(stopped ? ['stopped before its last module'] : []),
  ].join(', ');

const duration = z.string().regex(/^\d{1,6}(ms|s|m|h)$/, { error: 'should be a duration such as `10s`' });
export const RunRequest = z
  .object({
    plan: PlanName.default('complete'),
    planVersion: z
      .enum(PLAN_VERSIONS)
      .default(NEWEST_PLAN_VERSION)
      .describe('Plays the modules and conditions of this version. Default: the newest.'),
    symbols: optional(z.array(PlanSymbol).min(1)).describe('Default: both.'),
    customers: optional(Customers).describe('Default: those that the driver address describes.'),
    driver: optional(
      z.object({
        url: z.string().max(2048).regex(HTTP_ADDRESS, { error: HTTP_ADDRESS_FLAW }),
        header: z.string().regex(TOKEN_HEADER, { error: TOKEN_HEADER_FLAW }).default('Authorization'),
        token: optional(text(4096)),
      }),
    ).describe('Default: the driver address of the registration.'),
    unattended: z.boolean().default(false).describe('true: no person acts by hand.'),
    modules: optional(z.array(z.string()).min(1)).describe(
      'Only these modules, by id. `W3` means all of W3.',
    ),
    clock: z.enum(['sandbox', 'real']).default('sandbox'),
    wait: optional(duration).describe(
      'Real time for each awaited act of the VASP. Default: 10s, by hand 10m.',
    ),
    inquiryWait: duration.default('60s').describe('Real time for the inquiry of D4.'),
  })
  .meta({ id: 'RunRequest', description: 'Starts a conformance run.' });
export type RunRequest = z.output<typeof RunRequest>;

export const RunStarted = z
  .object({ id: z.string() })
  .meta({ id: 'RunStarted', description: 'The run has begun.' });
export const RunSummary = RunReport.omit({
  modules: true,
  tool: true,
  chains: true,
  version: true,
  evidence: true,
  memoryBytes: true,
})
  .extend({ modules: z.object({ finished: count, all: count }) })
  .meta({ id: 'RunSummary', description: 'A run without its modules.' });
export type RunSummary = z.infer<typeof RunSummary>;
export const RunsResponse = z
  .object({ runs: z.array(RunSummary) })
  .meta({ id: 'RunsResponse', description: 'The runs of the calling VASP, newest first.' });

export const PlansResponse = z
  .object({
    versions: z.array(z.string()).describe('The versions of the plans, oldest first.'),
    plans: z.array(
      z.object({
        plan: PlanName,
        modules: z.array(
          z.object({
            id: z.string(),
            title: z.string(),
            clauses: z.array(clause),
            symbols: z.array(PlanSymbol).describe('Empty: the module runs once.'),
            needs: z.array(z.string()),
            conditions: z.array(
              z.object({
                id: z.string(),
                clause,
                severity,
                text: z.string(),
                since: z.string().describe('The version of the plan that added it.'),
              }),
            ),
          }),
        ),
      }),
    ),
  })
  .meta({ id: 'PlansResponse', description: 'Every plan with its modules and conditions.' });
