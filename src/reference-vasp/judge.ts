import { ASSETS, isAssetSymbol, isNetworkOf } from '../contract/assets.ts';
import type { Customer, Customers } from '../contract/customers.ts';
import { lackingInfo, unavailableInfo } from '../contract/information.ts';
import type { Persons } from '../contract/ivms101.ts';
import { isNamed, nameDifference } from '../contract/names.ts';
import { VERIFIED, type Verdict, verdict } from '../contract/reasons.ts';
import { parseRequiredInfo } from '../contract/required-info.ts';
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

export function judgeUser(request: VaspVerifyUserRequest, customers: Customers, now: number): Judgement {
  const { assetInfo, requiredBeneficiaryInfo, ivms101 } = request;
  const judgement = judgeBeneficiary(customers, assetInfo, ivms101.beneficiary, true);
  const { customer } = judgement;
  const { originatorPersons } = ivms101.originator;
  if (judgement.verdict.result !== 'VERIFIED' || !customer) return judgement;
  const against =
    refused('UNAVAILABLE-INFORMATION', unavailableInfo(customer.kind, parseRequiredInfo(requiredBeneficiaryInfo))) ??
    refused('LACK-OF-INFORMATION', lackingInfo(originatorPersons, now)) ??
    judgeOriginator(originatorPersons) ??
    judgeAmount(assetInfo.symbol, assetInfo.amount);
  return { verdict: against ?? VERIFIED, customer };
}

function judgeBeneficiary(
  customers: Customers,
  { symbol, network }: { symbol: string; network?: string | undefined },
  { accountNumber: accounts, beneficiaryPersons: persons }: VaspVerifyAccountRequest['ivms101']['beneficiary'],
  isNameRequired = false,
): Judgement {
  if (!isAssetSymbol(symbol)) return { verdict: verdict('UNKNOWN-SYMBOL', symbol) };
  if (network !== undefined && !isNetworkOf(symbol, network)) return { verdict: verdict('UNKNOWN-NETWORK', network) };
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

const refused = (
  reason: 'UNAVAILABLE-INFORMATION' | 'LACK-OF-INFORMATION',
  codes: readonly string[],
): Verdict | undefined => (codes.length > 0 ? verdict(reason, codes.join(',')) : undefined);

/** WIRE-8.3: whom the VASP does not deal with. */
const LISTED = [{ lastName: 'Escobar', firstName: 'Pablo' }];

function judgeOriginator(persons: Persons): Verdict | undefined {
  const isListed = persons.some(({ naturalPerson }) => LISTED.some(names => isNamed(names, naturalPerson?.name)));
  return isListed ? verdict('BLACKLISTED') : undefined;
}

function judgeAmount(symbol: string, amount: string): Verdict | undefined {
  if (!isAssetSymbol(symbol)) return undefined;
  const { decimals } = ASSETS[symbol];
  return typeof parseUnits(amount, decimals) === 'bigint'
    ? undefined
    : verdict('NOT-ALLOWED', `${symbol} has at most ${decimals} decimals`);
}
