import * as z from 'zod';
import { ASSET_SYMBOLS } from '../../contract/assets.ts';
import { Customer } from '../../contract/customers.ts';
import { Amount, VaspId } from '../../contract/text.ts';

/** `/reference-vasp` */

export const SwitchRequest = z
  .object({ running: z.boolean().describe('true: starts it. false: stops it and removes its addresses.') })
  .meta({ id: 'SwitchRequest' });

export const ReferenceVaspState = z
  .object({
    running: z.boolean(),
    vaspId: VaspId.nullable(),
    url: z.string().nullable().describe('The address on which it listens.'),
    customers: z.array(Customer).describe('Empty when it does not run.'),
  })
  .meta({ id: 'ReferenceVaspState', description: 'The VASP of the sandbox, for testers without one.' });

/** The actions that the console offers. The driver of the VASP has more. */
const PAYING_ACTIONS = ['withdraw', 'send-without-report', 'report-error', 'verify-user'] as const;

export const ActRequest = z
  .object({
    action: z.enum(PAYING_ACTIONS),
    symbol: z.enum(ASSET_SYMBOLS),
    amount: Amount,
    user: z.string().min(1).max(64).default('taylor-robbins').describe('The user of the robot who is paid.'),
  })
  .meta({ id: 'ActRequest', description: 'A customer of the VASP pays a user of the robot.' });
export type ActRequest = z.output<typeof ActRequest>;

export const ActResponse = z.object({ result: z.literal(true) }).meta({ id: 'ActResponse' });

export const FillResponse = z
  .object({
    verifications: z
      .array(z.object({ verificationUuid: z.string(), title: z.string(), result: z.string() }))
      .describe('The played steps, in order.'),
  })
  .meta({ id: 'FillResponse' });
