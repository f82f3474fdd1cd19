import { ASSETS, type AssetSymbol, isAssetSymbol, priceMembers } from './assets.ts';
import type { Beneficiary, Originator } from './ivms101.ts';
import { natural, personsOf } from './persons.ts';
import type { VerifyAccountRequest, VerifyUserRequest } from './requests.ts';
import { DELIVERABLE } from './required-info.ts';

/** Valid requests to send as they are, or to change. */

/** A user of the robot as in `/sandbox/v1/info`. */
export interface RobotUser {
  kind: 'natural' | 'legal';
  names: object;
  accounts: Record<AssetSymbol, string>;
}

/** Amount of a request unless a scenario needs another one. */
export const AMOUNT = '0.024';

/** REF-4.6.8: the robot requires date and place of birth of an originator. */
export const BORN = { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' };
export const ORIGINATOR = natural('Barnes', 'Robert', { dateAndPlaceOfBirth: BORN });
export const CUSTOMER = natural('Moss', 'Kate');

/** Information codes: name and account number of a person of this kind. */
export const WANTED = { natural: DELIVERABLE.natural.join(), legal: DELIVERABLE.legal.join() };

interface AccountParties {
  /** The beneficiary VASP. */
  vaspId: string;
  symbol: string;
  /** Default: that of the symbol. Null: none. */
  network?: string | null;
  beneficiary: Beneficiary;
}

const networkOf = ({ symbol, network }: AccountParties): string | undefined => {
  const own = isAssetSymbol(symbol) ? ASSETS[symbol].networks[0] : undefined;
  return (network === undefined ? own : network) ?? undefined;
};

interface Parties extends AccountParties {
  originator: Originator;
  wanted: string;
  amount: string;
  /** Time of the price, epoch ms. Default: now. */
  now?: number | undefined;
}

export const userVerification = (parties: Parties): VerifyUserRequest => {
  const { vaspId, symbol, wanted, amount, originator, beneficiary, now } = parties;
  return {
    keyType: 'PerVasp',
    beneficiaryVaspId: vaspId,
    requiredBeneficiaryInfo: wanted,
    assetInfo: { symbol, network: networkOf(parties), amount, ...priceMembers(symbol, amount, now) },
    payload: { version: '1.0', ivms101: { originator, beneficiary } },
  };
};

/** Without persons it is about the address only. */
export const accountVerification = (parties: AccountParties): VerifyAccountRequest => {
  const {
    vaspId,
    symbol,
    beneficiary: { beneficiaryPersons, ...account },
  } = parties;
  const beneficiary = beneficiaryPersons.length === 0 ? account : { beneficiaryPersons, ...account };
  return {
    keyType: 'PerVasp',
    beneficiaryVaspId: vaspId,
    symbol,
    network: networkOf(parties),
    payload: { version: '1.0', ivms101: { beneficiary } },
  };
};

const payeeOf = (user: RobotUser, symbol: AssetSymbol): Beneficiary => ({
  beneficiaryPersons: personsOf(user),
  accountNumber: [user.accounts[symbol]],
});

interface RequestParameters extends Pick<Parties, 'amount' | 'now'> {
  symbol: AssetSymbol;
  robotVaspId: string;
  user: RobotUser;
  /** Address of the originator. */
  from: string;
}

/** A valid request of a tested VASP. It is VERIFIED unless the user has a special behaviour or no KYC. */
export const userRequest = ({ robotVaspId, user, from, ...payment }: RequestParameters): VerifyUserRequest =>
  userVerification({
    ...payment,
    vaspId: robotVaspId,
    wanted: WANTED[user.kind],
    originator: { originatorPersons: [ORIGINATOR], accountNumber: [from] },
    beneficiary: payeeOf(user, payment.symbol),
  });

export const accountRequest = ({
  robotVaspId,
  user,
  symbol,
}: Pick<RequestParameters, 'robotVaspId' | 'user' | 'symbol'>): VerifyAccountRequest =>
  accountVerification({ vaspId: robotVaspId, symbol, beneficiary: payeeOf(user, symbol) });

/** A transfer of the robot: one of its users pays `to`, an address of the tested VASP. */
interface RobotRequestParameters extends Pick<Parties, 'vaspId' | 'amount' | 'now'> {
  symbol: AssetSymbol;
  user: RobotUser;
  to: string;
}

const customerAt = (to: string): Beneficiary => ({ beneficiaryPersons: [CUSTOMER], accountNumber: [to] });

export const robotUserRequest = ({ user, to, ...payment }: RobotRequestParameters): VerifyUserRequest =>
  userVerification({
    ...payment,
    wanted: WANTED.natural,
    originator: { originatorPersons: [ORIGINATOR], accountNumber: [user.accounts[payment.symbol]] },
    beneficiary: customerAt(to),
  });

export const robotAccountRequest = ({
  vaspId,
  symbol,
  to,
}: Pick<RobotRequestParameters, 'vaspId' | 'symbol' | 'to'>): VerifyAccountRequest =>
  accountVerification({ vaspId, symbol, beneficiary: customerAt(to) });
