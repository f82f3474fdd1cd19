import type { AssetSymbol } from '../../contract/assets.ts';
import type { Reason } from '../../contract/reasons.ts';
import type { VerifyUserRequest } from '../../contract/requests.ts';
import type { RobotUser } from '../../robot/control.ts';
import { natural } from './requests.ts';

/** How to get a reason out of the robot: a user of a certain kind, or one change of a valid request. */
export interface Provocation {
  /** In the words of a tester. */
  how: string;
  /** What the user has to be, beside a natural person. Default: with KYC, of no special behaviour. */
  of?: Partial<Pick<RobotUser, 'kyc' | 'behaviour'>>;
  change?: (request: VerifyUserRequest) => void;
  /** What the reason carries in `message`; default ''. */
  message?: (request: VerifyUserRequest) => string;
}

/** Of nobody here; a real address of its ledger. */
export const FOREIGN: Record<AssetSymbol, string> = {
  ETH: '0x5811001506550d8356a215be229c15b6ef371a9b',
  XRP: 'rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh',
};

const BORN = { dateOfBirth: '1949-12-01', placeOfBirth: 'Colombia' };
const beneficiary = ({ payload }: VerifyUserRequest) => payload.ivms101.beneficiary;
const originator = ({ payload }: VerifyUserRequest) => payload.ivms101.originator;

/** One way to each reason of REF-2.3. A reason without a way does not compile. */
export const PROVOCATIONS: Record<Reason, Provocation> = {
  OK: { how: 'everything is right' },
  'UNKNOWN-SYMBOL': {
    how: 'symbol BTC',
    change: request => {
      request.assetInfo.symbol = 'BTC';
    },
    message: () => 'BTC',
  },
  'UNKNOWN-NETWORK': {
    how: 'network Tron',
    change: request => {
      request.assetInfo.network = 'Tron';
    },
    message: () => 'Tron',
  },
  'UNKNOWN-ADDRESS': {
    how: 'an address that is not the robot’s',
    change: request => {
      beneficiary(request).accountNumber = [FOREIGN[request.assetInfo.symbol as AssetSymbol]];
    },
    message: request => beneficiary(request).accountNumber[0]!,
  },
  'LACK-OF-INFORMATION': {
    how: 'the originator without date and place of birth',
    change: request => {
      originator(request).originatorPersons = [natural('Barnes', 'Robert')];
    },
    message: () => 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH',
  },
  'UNAVAILABLE-INFORMATION': {
    how: 'the beneficiary’s nationality is wanted, too',
    change: request => {
      request.requiredBeneficiaryInfo += ',NATURAL_PERSON_NATIONALITY';
    },
    message: () => 'NATURAL_PERSON_NATIONALITY',
  },
  BLACKLISTED: {
    how: 'the listed originator',
    change: request => {
      const listed = natural('Escobar', 'Pablo', { dateAndPlaceOfBirth: BORN });
      originator(request).originatorPersons = [listed];
    },
  },
  'UNVERIFIED-KYC': { how: 'a user without KYC', of: { kyc: false } },
  'MISMATCHED-NAME': {
    how: 'the right address, another first name',
    change: request => {
      const [person] = beneficiary(request).beneficiaryPersons ?? [];
      const name = person?.naturalPerson?.name?.nameIdentifier?.[0];
      const another = natural(name?.primaryIdentifier ?? '', `Not ${name?.secondaryIdentifier}`);
      beneficiary(request).beneficiaryPersons = [another];
    },
  },
  'NOT-ALLOWED': {
    how: 'a user that accepts no transfers',
    of: { behaviour: 'NOT-ALLOWED' },
    message: () => 'This user accepts no transfers.',
  },
  'UNDEFINED-ERROR': {
    how: 'a user whose verification fails',
    of: { behaviour: 'UNDEFINED-ERROR' },
    message: () => 'Simulated failure of the robot.',
  },
  'BENEFICIARY-ACCOUNT-NOT-MATCHED': {
    how: 'the account number comes back changed',
    of: { behaviour: 'CHANGES-ACCOUNT-NUMBER' },
  },
  'REQUEST-TIMEOUT': { how: 'a user that never answers; 5 seconds pass', of: { behaviour: 'NEVER-ANSWERS' } },
};

/** The first user with whom it works; users may have been changed or removed. */
export const userFor = <U extends { kind: string; kyc: boolean; behaviour: string }>(
  users: readonly U[],
  { of = {} }: Provocation,
): U | undefined =>
  users.find(
    ({ kind, kyc, behaviour }) =>
      kind === 'natural' && kyc === (of.kyc ?? true) && behaviour === (of.behaviour ?? 'ORDINARY'),
  );
