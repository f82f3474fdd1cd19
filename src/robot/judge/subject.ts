import { isAssetSymbol } from '../../contract/assets.ts';
import type { BeneficiaryAccount, Persons } from '../../contract/ivms101.ts';
import { parseRequiredInfo } from '../../contract/required-info.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import type { Lookup, UserDirectory } from '../users/directory.ts';
import type { ListedOriginator } from '../users/load.ts';
import type { User } from '../users/user.ts';

/** The input of a rule: the parsed request and the users of its addresses. */
export interface AccountSubject {
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
