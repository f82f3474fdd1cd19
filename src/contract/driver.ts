import * as z from 'zod';
import { Customer, Customers } from './customers.ts';
import { Named } from './persons.ts';
import { AccountNumber, Amount, NetworkName, named, SymbolText, text, VaspId, VerificationUuid } from './text.ts';

/** The driver: the endpoint at which a test run tells the tested VASP to act. */

export const DRIVER_ACTIONS = {
  'verify-account': 'Sends an account verification.',
  'verify-user': 'Opens a user verification, whatever an account verification says.',
  withdraw: 'Account verification, user verification, payment, report. Stops at the first result other than VERIFIED.',
  'send-without-report': 'As `withdraw`, without the report.',
  'report-error': 'Account verification and user verification, then an error report instead of a payment.',
  assess: 'Requests risk assessments of a verification.',
  'list-vasps': 'Requests the list of VASPs.',
  balance: 'Answers the balance of a customer.',
} as const;
export type DriverAction = keyof typeof DRIVER_ACTIONS;
const DRIVER_ACTION_NAMES = Object.keys(DRIVER_ACTIONS) as [DriverAction, ...DriverAction[]];

export const OMISSIONS = {
  destinationTag: "the destination tag of the beneficiary's account",
  dateAndPlaceOfBirth: 'date and place of birth of the originator',
} as const;
export type Omission = keyof typeof OMISSIONS;
const omissions = Object.keys(OMISSIONS) as [Omission, ...Omission[]];

const ASSESSMENT_KINDS = ['sanction', 'kyt', 'wco'] as const;

export const DriverParameters = named('DriverParameters', 'The parameters of the action.', {
  symbol: SymbolText.optional(),
  amount: Amount.optional(),
  network: NetworkName.optional(),
  customer: Customer.optional().describe('The originator, or the owner of the balance. Always complete.'),
  beneficiary: z.object({ vaspId: VaspId, user: Named, account: AccountNumber }).optional().describe('The payee.'),
  requiredBeneficiaryInfo: text(1024).optional(),
  omit: z
    .array(z.enum(omissions))
    .optional()
    .describe(
      Object.entries(OMISSIONS)
        .map(([name, what]) => `- \`${name}\`: leave out ${what}`)
        .join('\n'),
    ),
  verificationUuid: VerificationUuid.optional().describe('With `assess`.'),
  kinds: z
    .array(z.enum(ASSESSMENT_KINDS))
    .optional()
    .describe(
      'With `assess`. With `withdraw`: the assessments that the VASP requests after VERIFIED and before it pays.',
    ),
});
export type DriverParameters = z.infer<typeof DriverParameters>;

export const DriverRequest = named('DriverRequest', 'The action of the tested VASP.', {
  runId: z.string().min(1).max(128),
  module: z
    .string()
    .min(1)
    .max(64)
    .meta({ examples: ['W4.1'] }),
  action: z.enum(DRIVER_ACTION_NAMES).describe(
    Object.entries(DRIVER_ACTIONS)
      .map(([action, what]) => `- \`${action}\`: ${what}`)
      .join('\n'),
  ),
  parameters: DriverParameters,
  answerBy: z.string().describe('ISO 8601: until when the run waits for the action.'),
});
export type DriverRequest = z.infer<typeof DriverRequest>;

/** 200 and 202: the VASP does it. */
export const DriverAnswer = named('DriverAnswer', 'The VASP acts.', {
  value: z.string().optional().describe('With `balance`: decimal text in whole coins, no number.'),
});

/** 501: the VASP cannot do it. */
export const NOT_SUPPORTED = 'NOT-SUPPORTED';

/** GET at the driver endpoint. Optional: without it the run needs a customers file. */
export const DriverDescription = named('DriverDescription', 'The actions and the customers of the VASP.', {
  actions: z.array(z.string()),
  customers: Customers,
  clock: z
    .literal('sandbox')
    .optional()
    .describe(
      'The timers of the VASP follow `GET /sandbox/v1/clock`, or the events of kind `clock`: the run moves time instead of waiting.',
    ),
});
export type DriverDescription = z.infer<typeof DriverDescription>;
