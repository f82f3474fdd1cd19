import { ASSET_SYMBOLS, ASSETS, isAssetSymbol, isNetworkOf } from '../../contract/assets.ts';
import { DELIVERABLE, lackingInfo, unavailableInfo, wrongBirthDate } from '../../contract/information.ts';
import type { Persons } from '../../contract/ivms101.ts';
import { foldText, isNamed, nameDifference } from '../../contract/names.ts';
import type { NearMiss } from '../../contract/near-miss.ts';
import { unknownVerdict, type Verdict, verdict } from '../../contract/reasons.ts';
import type { RuleName } from '../../contract/rule-outcome.ts';
import type { ListedOriginator } from '../users/load.ts';
import type { User } from '../users/user.ts';
import { dialectNearMiss, listedNearMiss, nameNearMiss } from './near-misses.ts';
import type { Subject, UserSubject } from './subject.ts';

/** Why a rule decided, for the timeline. `field` and `detail` hold member names and plain words, no personal data. */
export interface Finding {
  readonly verdict: Verdict;
  readonly field?: string;
  readonly detail?: string;
  /** May hold the name from the request, and the user's. */
  readonly nearMiss: NearMiss;
}

const ORIGINATOR = 'ivms101.originator.originatorPersons';
const BENEFICIARY = 'ivms101.beneficiary.beneficiaryPersons';

export interface Rule<S = Subject> {
  readonly name: RuleName;
  readonly title: string;
  /** Undefined: the subject passes. */
  judge(subject: S): Finding | undefined;
}

/** D-06: for every verification. Rules are tried in this order, and the first finding decides. */
export const RULES: readonly Rule[] = [
  {
    name: 'symbol',
    title: 'the symbol is ETH or XRP',
    judge: ({ symbol }) =>
      isAssetSymbol(symbol)
        ? undefined
        : {
            verdict: verdict('UNKNOWN-SYMBOL', symbol),
            field: 'symbol',
            detail: `supported: ${ASSET_SYMBOLS.join(', ')}`,
            nearMiss: { field: 'symbol', expected: ASSET_SYMBOLS.join(' or '), got: symbol },
          },
  },
  { name: 'network', title: 'the network, if there is one, belongs to the symbol', judge: judgeNetwork },
  {
    name: 'address',
    title: 'all account numbers of the beneficiary belong to one user of the robot',
    judge: judgeAddress,
  },
  { name: 'name', title: 'the beneficiary has the name of the user', judge: judgeName },
  {
    name: 'kyc',
    title: 'the user has passed KYC',
    judge: subject => {
      const { kyc, id } = ownerOf(subject);
      if (kyc) return undefined;
      const nearMiss = { field: 'user', expected: 'a user that has passed KYC', got: `${id}, who has not` };
      return { verdict: verdict('UNVERIFIED-KYC'), nearMiss };
    },
  },
];

/** D-06: the rest, only for user verifications. */
export const USER_RULES: readonly Rule<UserSubject>[] = [
  {
    name: 'required-info',
    title: 'the robot delivers all requested information',
    judge: subject => {
      const { kind } = ownerOf(subject);
      const codes = unavailableInfo(kind, subject.requiredInfo);
      if (codes.length === 0) return undefined;
      return {
        verdict: verdict('UNAVAILABLE-INFORMATION', codes.join(',')),
        field: 'requiredBeneficiaryInfo',
        detail: `not delivered for a ${kind} person`,
        nearMiss: {
          field: 'requiredBeneficiaryInfo',
          expected: `only ${DELIVERABLE[kind].join(', ')}`,
          got: `also ${codes.join(', ')}`,
        },
      };
    },
  },
  {
    name: 'originator-info',
    title: 'the originator has a name and a date and place of birth',
    judge: ({ originatorPersons, now }) => {
      const codes = lackingInfo(originatorPersons, now);
      return codes.length === 0
        ? undefined
        : {
            verdict: verdict('LACK-OF-INFORMATION', codes.join(',')),
            field: 'originatorPersons',
            nearMiss: dialectNearMiss(originatorPersons, ORIGINATOR, 'birth') ??
              wrongBirthDate(originatorPersons, codes, now) ?? {
                field: ORIGINATOR,
                expected: codes.join(', '),
                got: 'missing',
              },
          };
    },
  },
  {
    name: 'listed-originator',
    title: 'the originator is not listed',
    judge: ({ listed, originatorPersons }) => {
      const index = listedPerson(listed, originatorPersons);
      return index < 0
        ? undefined
        : {
            verdict: verdict('BLACKLISTED'),
            field: `originatorPersons.${index}`,
            detail: 'is listed',
            nearMiss: listedNearMiss(originatorPersons, index),
          };
    },
  },
  { name: 'behaviour', title: 'the behaviour of the user allows it', judge: judgeBehaviour },
];

function judgeNetwork({ symbol, network }: Subject): Finding | undefined {
  if (network === undefined || !isAssetSymbol(symbol) || isNetworkOf(symbol, network)) return undefined;
  const { networks } = ASSETS[symbol];
  return {
    verdict: verdict('UNKNOWN-NETWORK', network),
    field: 'network',
    detail: `networks of ${symbol}: ${networks.join(', ')}`,
    nearMiss: { field: 'network', expected: networks.join(' or '), got: network },
  };
}

const ANY_ADDRESS = 'an address of one user of the robot';

/** The first account number decides that belongs to no user, or to another user than the first one. */
function judgeAddress({ accounts, user }: Subject): Finding | undefined {
  const index = accounts.findIndex(({ found }) => found.user === undefined || found.user !== user);
  const account = accounts[index];
  if (!account) return undefined;
  const { text, found } = account;
  return {
    verdict: verdict('UNKNOWN-ADDRESS', text),
    field: `beneficiary.accountNumber.${index}`,
    detail: found.user ? 'belongs to another user than the first account number' : found.why,
    nearMiss: {
      field: `ivms101.beneficiary.accountNumber[${index}]`,
      expected: (found.user ? undefined : found.nearest) ?? ANY_ADDRESS,
      got: text,
    },
  };
}

/** WIRE-2.3: an account verification without persons checks only the address. */
function judgeName(subject: Subject): Finding | undefined {
  if (subject.kind === 'account' && subject.beneficiaryPersons.length === 0) return undefined;
  const detail = nameDifference(ownerOf(subject), subject.beneficiaryPersons);
  return detail === undefined
    ? undefined
    : {
        verdict: verdict('MISMATCHED-NAME'),
        field: 'beneficiaryPersons',
        detail,
        nearMiss:
          dialectNearMiss(subject.beneficiaryPersons, BENEFICIARY, 'name') ??
          nameNearMiss(ownerOf(subject), subject.beneficiaryPersons),
      };
}

/** D-11: the index of the first listed person, representatives included. -1: none is listed. */
const listedPerson = (listed: readonly ListedOriginator[], persons: Persons): number =>
  persons.findIndex(({ naturalPerson }) =>
    listed.some(row => {
      const birth = foldText(naturalPerson?.dateAndPlaceOfBirth?.dateOfBirth);
      return (
        isNamed(row, naturalPerson?.name) &&
        (birth === '' || row.dateOfBirth === undefined || birth === row.dateOfBirth)
      );
    }),
  );

function judgeBehaviour(subject: UserSubject): Finding | undefined {
  const { behaviour, id } = ownerOf(subject);
  const detail = `behaviour ${behaviour}`;
  const nearMiss = { field: 'user', expected: 'a user without this behaviour', got: `${id}: ${behaviour}` };
  switch (behaviour) {
    case 'BLACKLISTED':
    case 'MISMATCHED-NAME':
    case 'UNVERIFIED-KYC':
      return { verdict: verdict(behaviour), detail, nearMiss };
    case 'UNKNOWN-SYMBOL':
      return { verdict: verdict(behaviour, subject.symbol), detail, nearMiss };
    case 'UNKNOWN-NETWORK':
      return { verdict: verdict(behaviour, subject.network ?? ''), detail, nearMiss };
    case 'UNKNOWN-ADDRESS':
      return { verdict: verdict(behaviour, subject.accounts[0]?.text ?? ''), detail, nearMiss };
    case 'NOT-ALLOWED':
      return { verdict: verdict('NOT-ALLOWED', 'This user accepts no transfers.'), detail, nearMiss };
    case 'UNDEFINED-ERROR':
      return { verdict: verdict('UNDEFINED-ERROR', 'Simulated failure of the robot.'), detail, nearMiss };
    case 'UNKNOWN':
      return { verdict: unknownVerdict(subject.accounts[0]?.text ?? ''), detail, nearMiss };
    default:
      return undefined;
  }
}

/** The user, for the rules after the address rule. */
function ownerOf({ user }: Subject): User {
  if (!user) throw new Error('the address rule must come before the rules about the user');
  return user;
}
