import * as z from 'zod';
import { systemClock, toIso } from '../kernel/clock.ts';
import { ASSET_SYMBOLS, type AssetSymbol, accountKey, accountProblem, isAssetSymbol } from './assets.ts';
import { CustomerNames, LegalNamed, Named } from './persons.ts';
import {
  AccountNumber,
  Amount,
  keyIn,
  NameText,
  NetworkName,
  named,
  SymbolText,
  text,
  VaspId,
  VerificationUuid,
} from './text.ts';

/** The customers of the tested VASP: who it knows. The file of `robot-vasp check --customers`. */

const MAX_CUSTOMERS = 1_000;

const accounts = z
  .partialRecord(z.enum(ASSET_SYMBOLS), AccountNumber)
  .superRefine((all, { addIssue }) => {
    for (const [symbol, account] of Object.entries(all)) {
      const problem = accountProblem(symbol as AssetSymbol, account);
      if (problem !== undefined) addIssue({ code: 'custom', message: problem, path: [symbol] });
    }
  })
  .meta({ id: 'Accounts', description: 'Deposit address per symbol: `0x…`, `r…:tag`.' });

const DAY_MS = 86_400_000;
/** Somewhere it is tomorrow already. */
const isPast = (date: string): boolean => date <= toIso(systemClock.now() + DAY_MS).slice(0, 10);

const customer = {
  id: z.string().min(1).max(64),
  dateOfBirth: z.iso
    .date()
    .refine(isPast, { error: 'should not be in the future' })
    .optional()
    .describe('Of the person, or of the representative.'),
  placeOfBirth: NameText.optional(),
  accounts,
  kyc: z.boolean().default(true),
};

export const Customer = z
  .discriminatedUnion(
    'kind',
    [
      z.strictObject({ kind: z.literal('natural'), names: CustomerNames, ...customer }),
      z.strictObject({ ...LegalNamed.shape, ...customer }),
    ],
    { error: 'should be `natural` or `legal`' },
  )
  .meta({ id: 'Customer', description: 'A customer of the tested VASP.' });
export type Customer = z.infer<typeof Customer>;

export const Customers = z
  .strictObject({
    customers: z.array(Customer).min(1).max(MAX_CUSTOMERS),
    nobody: accounts.optional().describe('Addresses that belong to no customer of the VASP.'),
  })
  .superRefine(
    (file, { addIssue }) => {
      for (const message of clashesIn(file)) addIssue({ code: 'custom', message, path: ['customers'] });
    },
    // Beside other problems, too: a person corrects all of them at once.
    { when: ({ value }) => Array.isArray((value as Partial<SomeCustomers> | null)?.customers) },
  )
  .meta({ id: 'Customers', description: 'The customers of the tested VASP.' });
export type Customers = z.infer<typeof Customers>;

/** Two of one id, and two who share an account: nobody could tell whose deposit it is. */
function clashesIn({ customers, nobody }: SomeCustomers): Set<string> {
  const found = new Set<string>();
  const ids = customers.flatMap(each => each?.id ?? []);
  if (new Set(ids).size < ids.length) found.add('should have ids that differ');
  const owners = new Map<string, string>();
  for (const { id, accounts: own } of [...customers.flatMap(each => each ?? []), { id: '`nobody`', accounts: nobody }])
    for (const [symbol, account] of Object.entries(own ?? {})) {
      if (typeof account !== 'string' || !isAssetSymbol(symbol)) continue;
      const key = `${symbol} ${accountKey(symbol, account)}`;
      const other = owners.get(key);
      if (other !== undefined)
        found.add(`should have accounts that differ: ${other} and ${id} have the ${symbol} account ${account}`);
      owners.set(key, String(id));
    }
  return found;
}

/** Perhaps with other problems. */
interface SomeCustomers {
  customers: readonly ({ id?: string; accounts?: Accounts } | null)[];
  nobody?: Accounts;
}
type Accounts = Partial<Record<AssetSymbol, string>> | undefined;

/** The account of a customer for a symbol. Undefined: it has none there. */
export const accountOf = ({ accounts }: Pick<Customer, 'accounts'>, symbol: string): string | undefined =>
  isAssetSymbol(symbol) ? accounts[symbol] : undefined;

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
  module: text(64).meta({ examples: ['W4.1'] }),
  action: keyIn(DRIVER_ACTIONS),
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
