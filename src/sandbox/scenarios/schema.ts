import * as z from 'zod';
import { AccountNumber, Amount, optional, SymbolText, text } from '../../contract/text.ts';

/** `/scenarios` */

/** What an `id` begins with, before `: `. */
export const SCENARIO_GROUPS = [
  'verify-user',
  'verify-account',
  'assess-sanction',
  'assess-kyt',
  'assess-wco',
  'behaviour',
  'fault',
] as const;
export type ScenarioGroup = (typeof SCENARIO_GROUPS)[number];
export const scenarioId = (group: ScenarioGroup, name: string): string => `${group}: ${name}`;

export const ScenarioEntry = z
  .object({
    id: z.string(),
    operation: z.string().describe('The operation, or what a behaviour affects.'),
    user: z.string().describe('Id of the user of the robot.'),
    how: z.string(),
    clause: z.string().optional(),
    path: z.string().optional().describe('Where the request goes.'),
    requests: z.object({ ETH: z.looseObject({}), XRP: z.looseObject({}) }).optional(),
    advance: z.string().optional().describe('How far the clock has to be moved for the outcome.'),
    fault: z.looseObject({}).optional().describe('To be ordered first: the body of PUT /sandbox/v1/faults.'),
    expect: z.looseObject({}).optional().describe('What the answer or the callback holds then.'),
  })
  .meta({ id: 'ScenarioEntry' });
export const ScenariosResponse = z.object({ scenarios: z.array(ScenarioEntry) }).meta({
  id: 'ScenariosResponse',
  description: 'Everything that can be provoked, with the input that does it.',
});

/** `/requests/{operation}` */

/** Whose bodies are too long to write by hand. */
export const READY_OPERATIONS = [
  'verify-account',
  'verify-user',
  'robot-verify-account',
  'robot-verify-user',
] as const;
export type ReadyOperation = (typeof READY_OPERATIONS)[number];

export const ReadyRequestQuery = z
  .object({
    symbol: SymbolText.default('ETH'),
    user: text(256)
      .default('taylor-robbins')
      .describe('Id of the user of the robot: the beneficiary; of a robot action the originator.'),
    amount: Amount.default('0.024'),
    account: optional(AccountNumber).describe(
      'Address of your customer. Default: that of your newest verified deposit with its person, otherwise a sample.',
    ),
  })
  .meta({ id: 'ReadyRequestQuery' });

export const ReadyRequest = z
  .object({
    operation: z.enum(READY_OPERATIONS),
    method: z.literal('POST'),
    path: z.string(),
    body: z.looseObject({}),
  })
  .meta({
    id: 'ReadyRequest',
    description: 'A complete request. Send `body` to `path`, or change it before.',
  });
