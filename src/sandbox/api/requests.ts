import * as z from 'zod';
import { AccountNumber, Amount, optional, SymbolText, text } from '../../contract/text.ts';

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
