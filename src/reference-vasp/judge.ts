import { ASSETS, isAssetSymbol } from '../contract/assets.ts';
import type { Customer, Customers } from '../contract/customers.ts';
import { isFilled } from '../contract/is-filled.ts';
import type { NaturalPerson, Persons } from '../contract/ivms101.ts';
import { isNamed, nameDifference } from '../contract/names.ts';
import { VERIFIED, type Verdict, verdict } from '../contract/reasons.ts';
import { parseRequiredInfo } from '../contract/required-info.ts';
import { parseDay } from '../contract/time.ts';
import type { VaspVerifyAccountRequest, VaspVerifyUserRequest } from '../contract/vasp-api.ts';
import { parseUnits } from '../kernel/decimal.ts';
import { ownerOf } from './customers.ts';

/** REF-2.3: may this payment reach our customer? The first reason against it decides. */

export interface Judgement {
  readonly verdict: Verdict;
  readonly customer?: Customer | undefined;
}

export const judgeAccount = (request: VaspVerifyAccountRequest, customers: Customers): Judgement =>
  judgeBeneficiary(customers, request, request.ivms101.beneficiary);

export function judgeUser(request: VaspVerifyUserRequest, customers: Customers): Judgement {
  const { assetInfo, requiredBeneficiaryInfo, ivms101 } = request;
  const judgement = judgeBeneficiary(customers, assetInfo, ivms101.beneficiary, true);
  const { customer } = judgement;
  if (judgement.verdict.result !== 'VERIFIED' || !customer) return judgement;
  const against =
    judgeWanted(customer, requiredBeneficiaryInfo) ??
    judgeOriginator(ivms101.originator.originatorPersons) ??
    judgeAmount(assetInfo.symbol, assetInfo.amount);
  return { verdict: against ?? VERIFIED, customer };
}

function judgeBeneficiary(
  customers: Customers,
  { symbol, network }: { symbol: string; network?: string | undefined },
  {
    accountNumber: accounts,
    beneficiaryPersons: persons,
  }: VaspVerifyAccountRequest['ivms101']['beneficiary'],
  isNameRequired = false,
): Judgement {
  if (!isAssetSymbol(symbol)) return { verdict: verdict('UNKNOWN-SYMBOL', symbol) };
  const { networks } = ASSETS[symbol];
  if (network !== undefined && !networks.some(name => name.toLowerCase() === network.toLowerCase()))
    return { verdict: verdict('UNKNOWN-NETWORK', network) };
  const owners = accounts.map(account => ownerOf(customers, symbol, account));
  const [customer] = owners;
  const foreign = owners.findIndex(owner => owner === undefined || owner !== customer);
  if (!customer || foreign >= 0) return { verdict: verdict('UNKNOWN-ADDRESS', accounts[foreign] ?? '') };
  const isNameChecked = isNameRequired || (persons?.length ?? 0) > 0;
  if (isNameChecked && nameDifference(customer, persons) !== undefined)
    return { verdict: verdict('MISMATCHED-NAME'), customer };
  if (!customer.kyc) return { verdict: verdict('UNVERIFIED-KYC'), customer };
  return { verdict: VERIFIED, customer };
}

/** The information about customers that the VASP may give to others. */
const DELIVERABLE = {
  natural: ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER'],
  legal: ['LEGAL_PERSON_NAME', 'CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'],
} as const satisfies Record<Customer['kind'], readonly string[]>;

function judgeWanted({ kind }: Customer, requiredInfo: string): Verdict | undefined {
  const deliverable: readonly string[] = DELIVERABLE[kind];
  const codes = parseRequiredInfo(requiredInfo).filter(code => !deliverable.includes(code));
  return codes.length > 0 ? verdict('UNAVAILABLE-INFORMATION', codes.join(',')) : undefined;
}

/** WIRE-8.3: whom the VASP does not deal with. */
const LISTED = [{ lastName: 'Escobar', firstName: 'Pablo' }];

function judgeOriginator(persons: Persons): Verdict | undefined {
  const lacking = lackingIn(persons);
  if (lacking.length > 0) return verdict('LACK-OF-INFORMATION', lacking.join(','));
  const isListed = persons.some(({ naturalPerson }) =>
    LISTED.some(names => isNamed(names, naturalPerson?.name)),
  );
  return isListed ? verdict('BLACKLISTED') : undefined;
}

/** REF-4.6.8, D-10: name, date and place of birth; for a company, those of one representative. */
function lackingIn([first, ...others]: Persons): string[] {
  if (!first?.legalPerson)
    return lackingOf(first?.naturalPerson, 'NATURAL_PERSON_NAME', 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH');
  const isCompanyNamed = first.legalPerson.name?.nameIdentifier?.some(({ legalPersonName }) =>
    isFilled(legalPersonName),
  );
  const representatives = others.map(person =>
    lackingOf(
      person.naturalPerson,
      'CORPORATE_REPRESENTATIVE_NAME',
      'CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH',
    ),
  );
  const [most = ['CORPORATE_REPRESENTATIVE_NAME']] = representatives.sort((a, b) => a.length - b.length);
  return [...(isCompanyNamed ? [] : ['LEGAL_PERSON_NAME']), ...most];
}

function lackingOf(person: NaturalPerson | null | undefined, nameCode: string, birthCode: string): string[] {
  const isPersonNamed = person?.name?.nameIdentifier?.some(({ primaryIdentifier }) =>
    isFilled(primaryIdentifier),
  );
  const birth = person?.dateAndPlaceOfBirth;
  // D-28: `1990-02-30` is no day.
  const isBorn = parseDay(birth?.dateOfBirth ?? '') !== undefined && isFilled(birth?.placeOfBirth);
  return [...(isPersonNamed ? [] : [nameCode]), ...(isBorn ? [] : [birthCode])];
}

function judgeAmount(symbol: string, amount: string): Verdict | undefined {
  if (!isAssetSymbol(symbol)) return undefined;
  const { decimals } = ASSETS[symbol];
  return typeof parseUnits(amount, decimals) === 'bigint'
    ? undefined
    : verdict('NOT-ALLOWED', `${symbol} has at most ${decimals} decimals`);
}
