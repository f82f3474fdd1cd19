import { ASSET_SYMBOLS, type AssetSymbol } from '../../contract/assets.ts';
import type { Reason } from '../../contract/clauses.ts';
import { natural } from '../../contract/persons.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import { userRequest } from '../../contract/sample-requests.ts';
import type { RobotUser } from '../../robot/control.ts';

/** The way to provoke a reason: a certain user, or one change of a valid request. */
export interface Provocation {
  /** Shown in the catalogue. */
  how: string;
  /** The user has to be a natural person with these fields. Default: with KYC, without special behaviour. */
  of?: Partial<Pick<RobotUser, 'kyc' | 'behaviour'>>;
  change?: (request: VerifyUserRequest) => void;
  /** D-06: an account verification can have the reason too. */
  isOfAccounts?: true;
}

/** Valid addresses that do not belong to the robot. */
export const FOREIGN: Record<AssetSymbol, string> = {
  ETH: '0x5811001506550d8356a215be229c15b6ef371a9b',
  XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
};

const BORN = { dateOfBirth: '1949-12-01', placeOfBirth: 'Colombia' };
const beneficiary = ({ payload }: VerifyUserRequest) => payload.ivms101.beneficiary;
const originator = ({ payload }: VerifyUserRequest) => payload.ivms101.originator;

/** REF-2.3: a reason without a provocation does not compile. */
export const PROVOCATIONS: Record<Reason, Provocation> = {
  OK: { how: 'a valid request', isOfAccounts: true },
  'UNKNOWN-SYMBOL': {
    how: 'the symbol BTC',
    isOfAccounts: true,
    change: request => {
      request.assetInfo.symbol = 'BTC';
    },
  },
  'UNKNOWN-NETWORK': {
    how: 'the network Tron',
    isOfAccounts: true,
    change: request => {
      request.assetInfo.network = 'Tron';
    },
  },
  'UNKNOWN-ADDRESS': {
    how: 'an address that does not belong to the robot',
    isOfAccounts: true,
    change: request => {
      beneficiary(request).accountNumber = [FOREIGN[request.assetInfo.symbol as AssetSymbol]];
    },
  },
  'LACK-OF-INFORMATION': {
    how: 'an originator without date and place of birth',
    change: request => {
      originator(request).originatorPersons = [natural('Barnes', 'Robert')];
    },
  },
  'UNAVAILABLE-INFORMATION': {
    how: 'the nationality of the beneficiary is required, too',
    change: request => {
      request.requiredBeneficiaryInfo += ',NATURAL_PERSON_NATIONALITY';
    },
  },
  BLACKLISTED: {
    how: 'an originator on the blacklist',
    change: request => {
      const listed = natural('Escobar', 'Pablo', { dateAndPlaceOfBirth: BORN });
      originator(request).originatorPersons = [listed];
    },
  },
  'UNVERIFIED-KYC': { how: 'a user without KYC', of: { kyc: false }, isOfAccounts: true },
  'MISMATCHED-NAME': {
    how: 'the right address with another first name',
    isOfAccounts: true,
    change: request => {
      const [person] = beneficiary(request).beneficiaryPersons ?? [];
      const name = person?.naturalPerson?.name?.nameIdentifier?.[0];
      const another = natural(name?.primaryIdentifier ?? '', `Not ${name?.secondaryIdentifier}`);
      beneficiary(request).beneficiaryPersons = [another];
    },
  },
  'NOT-ALLOWED': { how: 'a user that accepts no transfers', of: { behaviour: 'NOT-ALLOWED' } },
  'UNDEFINED-ERROR': { how: 'a user whose verification fails', of: { behaviour: 'UNDEFINED-ERROR' } },
  'BENEFICIARY-ACCOUNT-NOT-MATCHED': {
    how: 'a user whose account number comes back changed',
    of: { behaviour: 'CHANGES-ACCOUNT-NUMBER' },
  },
  'REQUEST-TIMEOUT': { how: 'a user that never answers within 5 seconds', of: { behaviour: 'NEVER-ANSWERS' } },
};

/** The first user with which the provocation works. A VASP may have changed or removed users. */
export const userFor = <U extends { kind: string; kyc: boolean; behaviour: string }>(
  users: readonly U[],
  { of = {} }: Provocation,
): U | undefined =>
  users.find(
    ({ kind, kyc, behaviour }) =>
      kind === 'natural' && kyc === (of.kyc ?? true) && behaviour === (of.behaviour ?? 'ORDINARY'),
  );

/** The calls of a scenario, one after another. `{name}` is a member of an earlier answer. */

export interface Step {
  method: 'GET' | 'POST';
  path: string;
  body?: object;
}
export interface Subject {
  robotVaspId: string;
  user: RobotUser;
  symbol: AssetSymbol;
}

export const post = (path: string, body: object): Step => ({ method: 'POST', path, body });
export const advance = (duration: string): Step => post('/sandbox/v1/clock/advance', { duration });
export const idle = advance('0s');
export const verifyUser = (subject: Subject, amount: string): Step =>
  post('/v1/verifications', userRequest({ ...subject, amount, from: FOREIGN[subject.symbol] }));
const waitForResult: Step = { method: 'GET', path: '/sandbox/v1/mailbox?wait=10s&verificationUuid={verificationUuid}' };
export const verifiedFor = (subject: Subject, amount: string): Step[] => [verifyUser(subject, amount), waitForResult];
export const report = (txHash: string, vout?: string): Step[] => [
  post('/v1/verifications/tx', {
    verificationUuid: '{verificationUuid}',
    txHash,
    ...(vout === undefined ? {} : { vout }),
  }),
  idle,
];
export const paid = (symbol: AssetSymbol, address: string, amount: string): Step =>
  post('/sandbox/v1/faucet', { symbol, address, amount });
export const readVerification: Step = { method: 'GET', path: '/sandbox/v1/verifications?search={verificationUuid}' };

export const perSymbol = <T>(make: (symbol: AssetSymbol) => T) =>
  Object.fromEntries(ASSET_SYMBOLS.map(symbol => [symbol, make(symbol)])) as Record<AssetSymbol, T>;
