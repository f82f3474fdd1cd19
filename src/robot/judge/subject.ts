import { isAssetSymbol } from '../../contract/assets.ts';
import type { BeneficiaryAccount, Persons } from '../../contract/ivms101.ts';
import { parseRequiredInfo } from '../../contract/required-info.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../../contract/vasp-api.ts';
import type { Lookup, UserDirectory } from '../users/directory.ts';
import type { ListedOriginator } from '../users/load.ts';
import type { User } from '../users/user.ts';

/** What a rule may look at: the parsed request, and whose the addresses are. Nothing else decides. */
export interface AccountSubject {
  readonly kind: 'account';
  readonly symbol: string;
  readonly network?: string | undefined;
  /** Every account number of the beneficiary, as received, with what was found; at least one. */
  readonly accounts: readonly { readonly text: string; readonly found: Lookup }[];
  /** The owner of the first account number. */
  readonly user?: User | undefined;
  readonly beneficiaryPersons: Persons;
}

export interface UserSubject extends Omit<AccountSubject, 'kind'> {
  readonly kind: 'user';
  readonly requiredInfo: readonly string[];
  readonly originatorPersons: Persons;
  readonly listed: readonly ListedOriginator[];
}

export type Subject = AccountSubject | UserSubject;

export const accountSubject = (request: VaspVerifyAccountRequest, users: UserDirectory): AccountSubject => ({
  kind: 'account',
  ...asset(request.symbol, request.network, request.ivms101.beneficiary, users),
});

export const userSubject = (
  request: VaspVerifyUserRequest,
  users: UserDirectory,
  listed: readonly ListedOriginator[],
): UserSubject => ({
  kind: 'user',
  ...asset(request.assetInfo.symbol, request.assetInfo.network, request.ivms101.beneficiary, users),
  requiredInfo: parseRequiredInfo(request.requiredBeneficiaryInfo),
  originatorPersons: request.ivms101.originator.originatorPersons,
  listed,
});

function asset(
  symbol: string,
  network: string | undefined,
  beneficiary: BeneficiaryAccount,
  users: UserDirectory,
): Omit<AccountSubject, 'kind'> {
  const accounts = beneficiary.accountNumber.map(text => ({
    text,
    found: isAssetSymbol(symbol) ? users.lookup(symbol, text) : { why: 'the symbol is not supported' },
  }));
  return {
    symbol,
    network,
    accounts,
    user: accounts[0]?.found.user,
    beneficiaryPersons: beneficiary.beneficiaryPersons ?? [],
  };
}
