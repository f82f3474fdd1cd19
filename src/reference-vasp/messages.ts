import { ASSETS, isAssetSymbol } from '../contract/assets.ts';
import type { Customer } from '../contract/customers.ts';
import type { Omission } from '../contract/driver.ts';
import type { Person } from '../contract/ivms101.ts';
import { personsOf } from '../contract/persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../contract/requests.ts';
import { priceOf } from '../contract/sample-prices.ts';
import { toIso } from '../kernel/clock.ts';
import { isAtLeast } from '../kernel/decimal.ts';
import type { Order } from './withdrawals/withdrawal.ts';

/** The questions that the VASP asks: IVMS101 of its customer and of the beneficiary. */

const CURRENCY = 'KRW';
const THRESHOLD = '1000000';

export function accountQuestion(order: Order): VerifyAccountRequest {
  return {
    keyType: 'PerVasp',
    beneficiaryVaspId: order.beneficiary.vaspId,
    symbol: order.symbol,
    ...networkOf(order),
    payload: { version: '1.0', ivms101: { beneficiary: beneficiaryOf(order) } },
  };
}

/** `now`: epoch ms. */
export function userQuestion(order: Order, now: number): VerifyUserRequest {
  const { amount, symbol, customer, beneficiary } = order;
  const tradePrice = priceOf(symbol, amount, CURRENCY);
  return {
    keyType: 'PerVasp',
    beneficiaryVaspId: beneficiary.vaspId,
    requiredBeneficiaryInfo: order.requiredBeneficiaryInfo ?? WANTED[beneficiary.user.kind],
    assetInfo: {
      symbol,
      ...networkOf(order),
      amount,
      isExceedingThreshold: isAtLeast(tradePrice, THRESHOLD),
      tradePrice,
      tradeCurrency: CURRENCY,
      tradeISODatetime: toIso(now),
    },
    payload: {
      version: '1.0',
      ivms101: {
        originator: {
          originatorPersons: originatorPersons(customer, order.omit ?? []),
          accountNumber: [originatorAccount(order)],
        },
        beneficiary: beneficiaryOf(order),
      },
    },
  };
}

const WANTED = {
  natural: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  legal: 'LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER',
} as const;

/** For an asset without an account of its own, the customer's id names the account. */
const originatorAccount = ({ customer, symbol }: Order): string =>
  (isAssetSymbol(symbol) ? customer.accounts[symbol] : undefined) ?? customer.id;

function networkOf({ symbol, network }: Order): { network?: string } {
  const name = network ?? (isAssetSymbol(symbol) ? ASSETS[symbol].networks[0] : undefined);
  return name === undefined ? {} : { network: name };
}

function beneficiaryOf({ beneficiary: { user, account }, omit = [] }: Order) {
  const accountNumber = [omit.includes('destinationTag') ? account.split(':')[0]! : account];
  return { beneficiaryPersons: personsOf(user), accountNumber };
}

/** REF-4.6.8: an originator needs date and place of birth; a company, those of its representative. */
function originatorPersons(customer: Customer, omit: readonly Omission[]): Person[] {
  const { dateOfBirth, placeOfBirth } = customer;
  const isBirthKnown = dateOfBirth !== undefined && placeOfBirth !== undefined;
  const birth =
    isBirthKnown && !omit.includes('dateAndPlaceOfBirth')
      ? { dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth } }
      : {};
  return personsOf(customer, birth);
}
