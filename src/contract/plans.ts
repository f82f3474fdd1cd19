import * as z from 'zod';
import { durationPattern } from '../kernel/duration.ts';
import { ASSET_SYMBOLS } from './assets.ts';
import { Customers } from './customers.ts';
import { OPERATIONS, UNKNOWN_OPERATION } from './errors.ts';
import { MAX_ELEMENTS } from './parse.ts';
import { AnyText, named, optional, text } from './text.ts';
import { Timestamp } from './time.ts';
import { VASP_API } from './vasp-api.ts';
import { HTTP_ADDRESS, HTTP_ADDRESS_PROBLEM, TOKEN_HEADER, TOKEN_HEADER_PROBLEM } from './vasps.ts';

/** Calls of the sandbox are no exchanges. */
export const EXCHANGE_OPERATIONS = [
  ...Object.keys(VASP_API),
  ...Object.keys(OPERATIONS).filter(name => name !== 'sandbox'),
  UNKNOWN_OPERATION,
];

export const EXCHANGE_MEMBERS = {
  id: z.string(),
  direction: z.enum(['IN', 'OUT']).describe('IN: this VASP called the sandbox; OUT: the sandbox called this VASP.'),
  operation: z.string(),
  method: z.string(),
  url: z.string(),
  verificationUuid: z.string().nullable(),
  request: z.string().nullable(),
  status: z.number().int().nullable(),
  response: z.string().nullable(),
  error: z.string().nullable(),
  durationMs: z.number().int(),
  at: Timestamp,
};

/** The shapes of a test run: its input and its report. */

export const PLANS = ['complete', 'withdrawal', 'deposit', 'callbacks', 'security', 'risk'] as const;
export const PlanName = z.enum(PLANS);
export type PlanName = z.infer<typeof PlanName>;
/** An example of everything: what a sandbox shows that has just been filled. */
export const EXAMPLE_MODULES = ['W3.a', 'W3.b', 'W3.d', 'W4.1', 'W4.2', 'W4.3', 'D3'];
export const PlanSymbol = z.enum(ASSET_SYMBOLS);

const name = text(256);

/** A file may name every condition of both symbols. */
export const MAX_EXPECTED_FAILURES = 1000;
export const ExpectedFailures = z
  .array(
    z.object({ condition: name, symbol: z.enum([...ASSET_SYMBOLS, '*']).default('*'), comment: AnyText.optional() }),
  )
  .max(MAX_EXPECTED_FAILURES);
export type ExpectedFailures = z.output<typeof ExpectedFailures>;

const CONDITION_RESULTS = ['PASSED', 'FAILED', 'NOT-RECEIVED', 'WARNING', 'REVIEW', 'SKIPPED'] as const;
export type ConditionResult = (typeof CONDITION_RESULTS)[number];
/** NOT-JUDGED: of a run or a plan, no condition was judged. ERROR: the sandbox or a ledger did not do its part. */
const RUN_RESULTS = ['PASSED', 'WARNING', 'FAILED', 'REVIEW', 'SKIPPED', 'INTERRUPTED', 'NOT-JUDGED', 'ERROR'] as const;
export type RunResult = (typeof RUN_RESULTS)[number];
const MODULE_STATUSES = ['CREATED', 'RUNNING', 'WAITING', 'FINISHED', 'INTERRUPTED'] as const;

export const EvidenceExchange = named('EvidenceExchange', 'An HTTP exchange. Long bodies are cut.', {
  ...EXCHANGE_MEMBERS,
  stallMs: z
    .number()
    .int()
    .optional()
    .describe(
      'Milliseconds of the duration in which the sandbox itself was late: it stood still, or kept the VASP waiting.',
    ),
});
export type EvidenceExchange = z.infer<typeof EvidenceExchange>;

export const severity = z.enum(['FAILURE', 'WARNING']);
export const clause = z.string();

const Difference = z.object({ field: z.string(), expected: z.string(), got: z.string() });
export type Difference = z.infer<typeof Difference>;

const cause = z.object({
  address: z.string().describe('The operation, `driver`, `robot`, or the plan.'),
  kind: z.string(),
  title: z.string(),
});
export type Cause = z.infer<typeof cause>;

export const ConditionReport = named('ConditionReport', 'One condition of a module and its result.', {
  id: z.string(),
  clause,
  severity,
  result: z.enum(CONDITION_RESULTS),
  text: z.string(),
  expected: z.string().nullable(),
  got: z.string().nullable(),
  fields: z.array(Difference).optional().describe('The fields that differ from the expected ones.'),
  exchanges: z.array(z.string()).describe('Ids of the exchanges of the module that show it.'),
  cause: cause.optional().describe('Conditions that fail for one cause name the same one.'),
});
export type ConditionReport = z.infer<typeof ConditionReport>;

const NearMiss = named('NearMiss', 'A call that came close to the awaited one.', {
  exchange: z.string(),
  fields: z.array(Difference),
});
export const Waiting = named('Waiting', 'The next action of the tested VASP.', {
  instruction: z.string(),
  until: Timestamp,
  nearMisses: z.array(NearMiss).describe('Calls that came close, and the fields that differ.'),
});
export type Waiting = z.infer<typeof Waiting>;

export const ByHand = named('ByHand', 'A withdrawal that a person makes with the tested VASP.', {
  action: z.enum(['verify-user', 'withdraw', 'send-without-report']),
  symbol: PlanSymbol,
  amount: z.string(),
  user: z.string().describe('Id of the user of the robot who is paid.'),
  name: z.string(),
  account: z.string(),
  vaspId: z.string(),
});
export type ByHand = z.infer<typeof ByHand>;

export const ModuleReport = named('ModuleReport', 'One module of a run with its conditions.', {
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
  applies: z
    .boolean()
    .optional()
    .describe('false: SKIPPED because it is about another symbol or another ledger than the run.'),
  note: z.string().nullable().describe('For example: started again after the process ended.'),
  starts: z.number().int().optional().describe('Number of starts. Absent: one.'),
  faults: z.array(z.string()).optional().describe('The faults that it has ordered and not removed.'),
  held: PlanSymbol.optional().describe('The ledger that it holds.'),
  waiting: Waiting.nullable(),
  byHand: ByHand.optional().describe('The last withdrawal that the module has asked a person for.'),
  durationMs: z.number().int().nullable(),
  memoryBytes: z
    .number()
    .int()
    .optional()
    .describe('The most memory that the sandbox had needed at the end of the module.'),
  conditions: z.array(ConditionReport),
  exchanges: z.array(EvidenceExchange),
});
export type ModuleReport = z.infer<typeof ModuleReport>;

const count = z.number().int().min(0);
export const Counts = named('Counts', 'Number of conditions by result.', {
  passed: count,
  failed: count,
  notReceived: count,
  warning: count,
  review: count,
  skipped: count,
});
export type Counts = z.infer<typeof Counts>;

const PlanOutcome = named('PlanOutcome', 'One of the plans of a run and its result.', {
  plan: PlanName,
  result: z.enum(RUN_RESULTS).describe('NOT-JUDGED: no condition of the plan was judged.'),
  skipped: z.array(z.string()).describe('The modules that were skipped although they apply.'),
});

export const CauseReport = named('CauseReport', 'One cause of failures: the same endpoint and the same kind.', {
  id: z.string(),
  title: z.string(),
  conditions: z.array(z.string()).describe('The conditions that fail for it, with their symbol.'),
  exchange: z.string().nullable().describe('Id of an exchange that shows it.'),
});
export type CauseReport = z.infer<typeof CauseReport>;

const PROBLEMS = ['DRIVER', 'VASP', 'SANDBOX'] as const;
export const RunProblem = named('RunProblem', 'Why the run could not be played.', {
  of: z.enum(PROBLEMS).describe('DRIVER, VASP: does not answer as it should. SANDBOX: its own trouble.'),
  message: z.string(),
});
export type RunProblem = z.infer<typeof RunProblem>;

export const RunReport = named('RunReport', 'The report of a test run, version 1.', {
  version: z.literal(1),
  id: z.string(),
  plan: PlanName,
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
      'null: not finished. A run that was stopped is INTERRUPTED, or FAILED if a condition failed before. NOT-JUDGED: in the run, or in one of its plans, no condition was judged.',
    ),
  problem: RunProblem.optional(),
  plans: z.array(PlanOutcome).default([]).describe('The plans of the run, each with its result.'),
  causes: z
    .array(CauseReport)
    .default([])
    .describe('The causes of the failures, those with the most conditions first.'),
  counts: Counts.describe('Conditions, by result.'),
  evidence: z.object({ exchanges: count, bytes: count }).describe('Amount of evidence that the run has kept.'),
  memoryBytes: count.optional().describe('The most memory of the sandbox at the end of a module.'),
  modules: z.array(ModuleReport),
});
export type RunReport = z.infer<typeof RunReport>;

/** `complete`; `complete, only W1, D3, stopped before its last module` */
export const scopeOf = ({ plan, only, stopped }: Pick<RunReport, 'plan' | 'only' | 'stopped'>): string =>
  [plan, ...(only ? [`only ${only.join(', ')}`] : []), ...(stopped ? ['stopped before its last module'] : [])].join(
    ', ',
  );

/** A timer of Node ends at once after more than 24 days. */
const LONGEST_MS = 86_400_000;
const duration = z
  .string()
  .regex(new RegExp(durationPattern(LONGEST_MS)), { error: 'should be a duration such as `10s`, at most `24h`' });
export const RunRequest = named('RunRequest', 'Starts a test run.', {
  plan: PlanName.default('complete'),
  symbols: optional(z.array(PlanSymbol).min(1).max(ASSET_SYMBOLS.length)).describe('Default: both.'),
  customers: optional(Customers).describe('Default: those that the driver endpoint describes.'),
  driver: optional(
    z.object({
      url: z.string().max(2048).regex(HTTP_ADDRESS, { error: HTTP_ADDRESS_PROBLEM }),
      header: z.string().regex(TOKEN_HEADER, { error: TOKEN_HEADER_PROBLEM }).default('Authorization'),
      token: optional(text(4096)),
    }),
  ).describe('Default: the driver endpoint of the registration.'),
  unattended: z.boolean().default(false).describe('true: no person acts by hand.'),
  modules: optional(z.array(z.string().max(64)).min(1).max(MAX_ELEMENTS)).describe(
    'Only these modules, by id. `W3` means all of W3, and `D4` also D4.a and D4.b.',
  ),
  clock: z.enum(['sandbox', 'real']).default('sandbox'),
  wait: optional(duration).describe('Real time for each awaited act of the VASP. Default: 10s, by hand 10m.'),
  inquiryWait: duration.default('60s').describe('Real time for the inquiry of D4.'),
});
export type RunRequest = z.output<typeof RunRequest>;

export const RunStarted = named('RunStarted', 'The run has begun.', { id: z.string() });
/** A summary names as many. */
export const MAX_SUMMED_CAUSES = 3;
export const RunSummary = RunReport.omit({
  modules: true,
  tool: true,
  chains: true,
  version: true,
  plans: true,
  evidence: true,
  memoryBytes: true,
})
  .extend({
    modules: z.object({ finished: count, all: count }),
    causes: z.array(CauseReport).max(MAX_SUMMED_CAUSES).describe('The causes with the most conditions, at most three.'),
  })
  .meta({ id: 'RunSummary', description: 'A run without its modules.' });
export type RunSummary = z.infer<typeof RunSummary>;
export const RunsResponse = named('RunsResponse', 'The runs of the calling VASP, newest first.', {
  runs: z.array(RunSummary),
});
