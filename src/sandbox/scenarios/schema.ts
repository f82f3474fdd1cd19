import * as z from 'zod';
import { AccountNumber, Amount, named, optional, SymbolText, text } from '../../contract/text.ts';
import { calls } from '../../http/endpoint.ts';

/** `/scenarios` */

/** The beginning of an `id`, before `: `. */
export const SCENARIO_GROUPS = [
  'verify-user',
  'verify-account',
  'assess-sanction',
  'assess-kyt',
  'assess-wco',
  'report',
  'behaviour',
  'fault',
] as const;
export type ScenarioGroup = (typeof SCENARIO_GROUPS)[number];
export const scenarioId = (group: ScenarioGroup, name: string): string => `${group}: ${name}`;

export const Step = named(
  'ScenarioStep',
  'One call. `{name}` stands for the member `name` of the latest answer that has it.',
  { method: z.enum(['GET', 'POST']), path: z.string(), body: z.looseObject({}).optional() },
);
const Steps = z.object({ ETH: z.array(Step).optional(), XRP: z.array(Step).optional() });

export const ScenarioEntry = named('ScenarioEntry', {
  id: z.string(),
  operation: z.string().describe('The operation, or the part of the program that a behaviour affects.'),
  user: z.string().describe('Id of the user of the robot.'),
  how: z.string(),
  clause: z.string().optional(),
  path: z.string().optional().describe('Path of the request.'),
  requests: z.object({ ETH: z.looseObject({}), XRP: z.looseObject({}) }).optional(),
  steps: Steps.optional().describe('The calls, one after another; the last one has the expected answer.'),
  afterwards: Steps.optional().describe('Calls that undo the effects of the steps.'),
  advance: z.string().optional().describe('Time by which to move the clock to get the outcome.'),
  fault: z.looseObject({}).optional().describe('The fault to order first: a body of PUT /sandbox/v1/faults.'),
  expect: z
    .looseObject({})
    .optional()
    .describe('Members of the resulting answer or callback, or of the entry in `/sandbox/v1/verifications`.'),
});
export const ScenariosResponse = named('ScenariosResponse', 'Every outcome that can be provoked, with its input.', {
  scenarios: z.array(ScenarioEntry),
  transactionTypes: z
    .record(z.string(), z.array(z.string()))
    .describe('By symbol: the transaction types that an embedded ledger offers. It refuses every other type.'),
});

/** `/requests/{operation}` */

/** Operations with bodies that are too long to write by hand. */
export const READY_OPERATIONS = ['verify-account', 'verify-user', 'robot-verify-account', 'robot-verify-user'] as const;
export type ReadyOperation = (typeof READY_OPERATIONS)[number];

export const ReadyRequestQuery = named('ReadyRequestQuery', {
  symbol: SymbolText.default('ETH'),
  user: text(256)
    .default('taylor-robbins')
    .describe('Id of the user of the robot. It is the beneficiary, or the originator of a robot action.'),
  amount: Amount.default('0.024'),
  account: optional(AccountNumber).describe(
    'Address of your customer. Default: address and person of the reference VASP’s customer while it runs, of your newest verified deposit, or a sample.',
  ),
});

export const ReadyRequest = named('ReadyRequest', 'A complete request: send `body` to `path`, unchanged or edited.', {
  operation: z.enum(READY_OPERATIONS),
  method: z.literal('POST'),
  path: z.string(),
  body: z.looseObject({}),
});

export const scenarioCalls = calls({
  scenarios: { response: ScenariosResponse },
  readyRequest: { query: ReadyRequestQuery, response: ReadyRequest },
});
