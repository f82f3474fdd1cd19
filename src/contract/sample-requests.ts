import { ASSETS, type AssetSymbol } from './assets.ts';
import { natural, personsOf } from './persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from './requests.ts';
import { priceMembers } from './sample-prices.ts';

/** Valid requests to send as they are, or to change. */

/** A user of the robot as in `/sandbox/v1/info`. */
export interface RobotUser {
  kind: 'natural' | 'legal';
  names: object;
  accounts: Record<AssetSymbol, string>;
}

/** Amount of a request unless a scenario needs another one. */
export const AMOUNT = '0.024';

export interface RequestParameters {
  robotVaspId: string;
  user: RobotUser;
  symbol: AssetSymbol;
  amount: string;
  /** Address of the originator. */
  from: string;
  /** Time of the price, epoch ms. Default: now. */
  now?: number;
}

/** REF-4.6.8: the robot requires date and place of birth of an originator. */
export const BORN = { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' };
export const ORIGINATOR = natural('Barnes', 'Robert', { dateAndPlaceOfBirth: BORN });

/** A valid request of a tested VASP. It is VERIFIED unless the user has a special behaviour or no KYC. */
export const userRequest = ({
  robotVaspId,
  user,
  symbol,
  amount,
  from,
  now,
}: RequestParameters): VerifyUserRequest => ({
  keyType: 'PerVasp',
  beneficiaryVaspId: robotVaspId,
  requiredBeneficiaryInfo:
    user.kind === 'natural'
      ? 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER'
      : 'LEGAL_PERSON_NAME,CORPORATE_REPRESENTATIVE_NAME,ACCOUNT_NUMBER',
  assetInfo: {
    symbol,
    network: ASSETS[symbol].networks[0],
    amount,
    ...priceMembers(symbol, amount, now),
  },
  payload: {
    version: '1.0',
    ivms101: {
      originator: { originatorPersons: [ORIGINATOR], accountNumber: [from] },
      beneficiary: { beneficiaryPersons: personsOf(user), accountNumber: [user.accounts[symbol]] },
    },
  },
});

export const accountRequest = ({
  robotVaspId,
  user,
  symbol,
}: Pick<RequestParameters, 'robotVaspId' | 'user' | 'symbol'>): VerifyAccountRequest => ({
  keyType: 'PerVasp',
  beneficiaryVaspId: robotVaspId,
  symbol,
  network: ASSETS[symbol].networks[0],
  payload: {
    version: '1.0',
    ivms101: {
      beneficiary: { beneficiaryPersons: personsOf(user), accountNumber: [user.accounts[symbol]] },
    },
  },
});

/** A transfer of the robot: one of its users pays `to`, an address of the tested VASP. */
export interface RobotRequestParameters {
  vaspId: string;
  user: RobotUser;
  symbol: AssetSymbol;
  amount: string;
  to: string;
  /** As in `RequestParameters`. */
  now?: number;
}

/** The customer of the tested VASP. */
export const CUSTOMER = natural('Moss', 'Kate');

export const robotUserRequest = ({
  vaspId,
  user,
  symbol,
  amount,
  to,
  now,
}: RobotRequestParameters): VerifyUserRequest => ({
  ...userRequest({ robotVaspId: vaspId, user, symbol, amount, from: user.accounts[symbol], now }),
  requiredBeneficiaryInfo: 'NATURAL_PERSON_NAME,ACCOUNT_NUMBER',
  payload: {
    version: '1.0',
    ivms101: {
      originator: { originatorPersons: [ORIGINATOR], accountNumber: [user.accounts[symbol]] },
      beneficiary: { beneficiaryPersons: [CUSTOMER], accountNumber: [to] },
    },
  },
});

export const robotAccountRequest = ({
  vaspId,
  symbol,
  to,
}: Pick<RobotRequestParameters, 'vaspId' | 'symbol' | 'to'>): VerifyAccountRequest => ({
  keyType: 'PerVasp',
  beneficiaryVaspId: vaspId,
  symbol,
  network: ASSETS[symbol].networks[0],
  payload: {
    version: '1.0',
    ivms101: { beneficiary: { beneficiaryPersons: [CUSTOMER], accountNumber: [to] } },
  },
});
