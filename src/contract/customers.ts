import * as z from 'zod';
import { systemClock, toIso } from '../kernel/clock.ts';
import { ASSET_SYMBOLS, type AssetSymbol, accountKey, accountProblem, isAssetSymbol } from './assets.ts';
import { CustomerNames, LegalNamed } from './persons.ts';
import { AccountNumber, NameText } from './text.ts';

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
