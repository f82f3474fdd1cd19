import { isAssetSymbol, priceOf, splitAddress } from '../contract/assets.ts';
import type { Customer } from '../contract/customers.ts';
import type { Omission } from '../contract/driver.ts';
import type { Person } from '../contract/ivms101.ts';
import { personsOf } from '../contract/persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from '../contract/requests.ts';
import { accountVerification, userVerification, WANTED } from '../contract/sample-requests.ts';
import { isAtLeast } from '../kernel/decimal.ts';
import type { Order } from './withdrawals/withdrawal.ts';

/** The questions that the VASP asks: IVMS101 of its customer and of the beneficiary. */

const CURRENCY = 'KRW';
const THRESHOLD = '1000000';

export const accountQuestion = (order: Order): VerifyAccountRequest => accountVerification(partiesOf(order));

/** `now`: epoch ms. */
export function userQuestion(order: Order, now: number): VerifyUserRequest {
  const { amount, symbol, customer, beneficiary, requiredBeneficiaryInfo, omit = [] } = order;
  const { assetInfo, ...request } = userVerification({
    ...partiesOf(order),
    amount,
    now,
    wanted: requiredBeneficiaryInfo ?? WANTED[beneficiary.user.kind],
    originator: { originatorPersons: originatorPersons(customer, omit), accountNumber: [originatorAccount(order)] },
  });
  const tradePrice = priceOf(symbol, amount, CURRENCY);
  const price = { isExceedingThreshold: isAtLeast(tradePrice, THRESHOLD), tradePrice, tradeCurrency: CURRENCY };
  return { ...request, assetInfo: { ...assetInfo, ...price } };
}

/** For an asset without an account of its own, the customer's id names the account. */
const originatorAccount = ({ customer, symbol }: Order): string =>
  (isAssetSymbol(symbol) ? customer.accounts[symbol] : undefined) ?? customer.id;

function partiesOf({ beneficiary: { vaspId, user, account }, symbol, network, omit = [] }: Order) {
  const accountNumber = [omit.includes('destinationTag') ? splitAddress(account)[0] : account];
  return { vaspId, symbol, network, beneficiary: { beneficiaryPersons: personsOf(user), accountNumber } };
}

/** REF-4.6.8: an originator needs date and place of birth; a company, those of its representative. */
function originatorPersons(customer: Customer, omit: readonly Omission[]): Person[] {
  const { dateOfBirth, placeOfBirth } = customer;
  const isBirthKnown = dateOfBirth !== undefined && placeOfBirth !== undefined;
  const birth =
    isBirthKnown && !omit.includes('dateAndPlaceOfBirth') ? { dateAndPlaceOfBirth: { dateOfBirth, placeOfBirth } } : {};
  return personsOf(customer, birth);
}
