import { join } from 'node:path';
import * as z from 'zod';
import { isAssetSymbol } from '../../contract/assets.ts';
import type { BeneficiaryAccount, Persons } from '../../contract/ivms101.ts';
import { PersonNames } from '../../contract/persons.ts';
import { parseRequiredInfo } from '../../contract/required-info.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import { readFixture } from '../../kernel/text-file.ts';
import { duplicatesIn, User } from '../users/user.ts';
import type { Lookup, UserDirectory } from '../users/users.ts';

/** WIRE-8.3, D-11: an originator whose verifications are DENIED / BLACKLISTED. */
export const ListedOriginator = PersonNames.extend({
  dateOfBirth: z.iso.date().optional(),
  placeOfBirth: z.string().min(1).optional(),
});
export type ListedOriginator = z.infer<typeof ListedOriginator>;

/** `users.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadUsers = (fixturesPath: string): User[] =>
  readFixture(join(fixturesPath, 'users.json'), z.array(User), content => {
    if (!Array.isArray(content)) return [];
    return content.length === 0 ? ['holds no user'] : duplicatesIn(content);
  });

/** `listed-originators.json` in the folder `fixturesPath`. Throws `FixtureError`. */
export const loadListedOriginators = (fixturesPath: string): ListedOriginator[] =>
  readFixture(join(fixturesPath, 'listed-originators.json'), z.array(ListedOriginator));

/** The input of a rule: the parsed request and the users of its addresses. */
interface AccountSubject {
  readonly kind: 'account';
  readonly symbol: string;
  readonly network?: string | undefined;
  /** The account numbers of the beneficiary as received, up to the first one without a user. At least one. */
  readonly accounts: readonly { readonly text: string; readonly found: Lookup }[];
  /** The user of the first account number. */
  readonly user?: User | undefined;
  readonly beneficiaryPersons: Persons;
}

export interface UserSubject extends Omit<AccountSubject, 'kind'> {
  readonly kind: 'user';
  readonly requiredInfo: readonly string[];
  readonly originatorPersons: Persons;
  readonly listed: readonly ListedOriginator[];
  /** The time of the originating VASP, in epoch milliseconds. */
  readonly now: number;
}

export type Subject = AccountSubject | UserSubject;

export const accountSubject = (request: VaspVerifyAccountRequest, users: UserDirectory): AccountSubject => ({
  kind: 'account',
  ...beneficiaryOf(request.symbol, request.network, request.ivms101.beneficiary, users),
});

export const userSubject = (
  request: VaspVerifyUserRequest,
  users: UserDirectory,
  { listed, now }: Pick<UserSubject, 'listed' | 'now'>,
): UserSubject => ({
  kind: 'user',
  requiredInfo: parseRequiredInfo(request.requiredBeneficiaryInfo),
  originatorPersons: request.ivms101.originator.originatorPersons,
  listed,
  now,
  ...beneficiaryOf(request.assetInfo.symbol, request.assetInfo.network, request.ivms101.beneficiary, users),
});

function beneficiaryOf(
  symbol: string,
  network: string | undefined,
  beneficiary: BeneficiaryAccount,
  users: UserDirectory,
): Omit<AccountSubject, 'kind'> {
  const accounts: { text: string; found: Lookup }[] = [];
  for (const text of beneficiary.accountNumber) {
    const found = isAssetSymbol(symbol) ? users.lookup(symbol, text) : { why: 'the symbol is not supported' };
    accounts.push({ text, found });
    if (!found.user) break;
  }
  return {
    symbol,
    network,
    accounts,
    user: accounts[0]?.found.user,
    beneficiaryPersons: beneficiary.beneficiaryPersons ?? [],
  };
}
