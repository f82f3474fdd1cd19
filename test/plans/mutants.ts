import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import {
  all,
  answers,
  asks,
  asksTwice,
  balance,
  believes,
  firstOnly,
  hears,
  late,
  neverPays,
  pays,
  paysTwice,
  status,
  trustsAll,
} from '../support/plans/break-a-rule.ts';

/** A reference VASP that breaks one rule. */
export interface Mutant {
  /** The condition that falls, and no other. */
  readonly falls: string;
  /** Further conditions that the same mutant makes fall in their modules: same words, same code. */
  readonly alike?: RegExp;
  /** Conditions that cannot be told apart from it: they may fall with it. */
  readonly with?: readonly string[];
  readonly symbol?: 'ETH' | 'XRP';
  readonly boundary: () => Boundary;
}

const ACCOUNT = '/v1/verifications/account';
const USER = '/v1/verifications';
const REPORT = '/v1/verifications/tx';
const ERROR = '/v1/verifications/error';
const INQUIRY = '/v1/verifications/tx/inquiry';
const ZERO_HASH = `0x${'0'.repeat(64)}`;
const isType = (type: string) => (body: Record<string, unknown>) => body.callbackType === type;
const isOther = (body: Record<string, unknown>) =>
  !/^(VERI|TX|ERROR|PROVIDER)/.test(String(body.callbackType));

// biome-ignore lint/suspicious/noExplicitAny: messages of any shape
type Any = any;
const edit = (change: (body: Any) => void) => (body: object) => {
  change(body as Any);
  return body as Any;
};
const otherName = edit(({ payload }) => {
  payload.ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].primaryIdentifier =
    'Nobody';
});
const goesOn = all(
  hears(
    '/driver',
    edit(body => {
      if (body.action.startsWith('verify-')) body.action = 'send-without-report';
    }),
  ),
  believes(
    ACCOUNT,
    edit(body => {
      body.accountVerificationResult = 'VERIFIED';
    }),
  ),
);

export const MUTANTS: readonly Mutant[] = [
  { falls: 'W1.asked', boundary: () => asks('/v1/vasps', () => undefined, { vasps: [] }) },
  { falls: 'W2.a.result', alike: /^W2\.[abc]\.result$/, boundary: () => asks(ACCOUNT, otherName) },
  {
    falls: 'W2.a.one-account',
    alike: /^W2\..\.one-account$/,
    boundary: () =>
      asks(
        ACCOUNT,
        edit(
          ({
            payload: {
              ivms101: { beneficiary },
            },
          }) => beneficiary.accountNumber.push(beneficiary.accountNumber[0]),
        ),
      ),
  },
  {
    falls: 'W2.a.network',
    alike: /^W2\..\.network$/,
    with: ['W2.a.result'],
    boundary: () =>
      asks(
        ACCOUNT,
        edit(body => {
          body.network = 'Bitcoin';
        }),
      ),
  },
  { falls: 'W2.d.no-further', alike: /^W2\..\.no-further$/, boundary: () => goesOn },
  { falls: 'W3.a.result', alike: /^W3\.[a-h]\.result$/, boundary: () => asks(USER, otherName) },
  {
    falls: 'W3.a.ivms101',
    alike: /^W3\.[a-h]\.ivms101$/,
    boundary: () =>
      asks(
        USER,
        edit(({ payload }) => {
          payload.ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].nameIdentifierType =
            'NICK';
        }),
      ),
  },
  {
    falls: 'W3.c.no-payment',
    alike: /^W3\.[c-h]\.no-payment$/,
    boundary: () =>
      all(
        goesOn,
        hears(
          '/callback',
          edit(({ data }) => Object.assign(data, { verificationResult: 'VERIFIED', reason: 'OK' })),
        ),
      ),
  },
  {
    falls: 'W3.j.account-first',
    alike: /^(W3\.[ijk]|W4\.[1235])\.account-first$/,
    boundary: () => asks(ACCOUNT, () => undefined, { accountVerificationResult: 'VERIFIED' }),
  },
  { falls: 'W3.j.one-transfer', alike: /^(W3\.[ijk]|W4\.5|C7)\.one-transfer$/, boundary: () => paysTwice },
  { falls: 'W4.1.reported', boundary: () => asks(REPORT, () => undefined) },
  {
    falls: 'W4.1.hash',
    boundary: () =>
      asks(
        REPORT,
        edit(body => {
          body.txHash = ZERO_HASH;
        }),
      ),
  },
  {
    falls: 'W4.1.recipient',
    boundary: () => pays((_, units) => ['0x00000000000000000000000000000000000dEaD0', units]),
  },
  {
    falls: 'W4.1.tag',
    symbol: 'XRP',
    boundary: () => pays((to, units) => [`${to.split(':')[0]}:4000000001`, units]),
  },
  { falls: 'W4.1.amount', boundary: () => pays((to, units) => [to, units - 1_000n]) },
  { falls: 'W4.1.once', boundary: () => asksTwice(REPORT) },
  { falls: 'W4.2.paid', boundary: () => neverPays },
  { falls: 'W4.2.in-time', boundary: () => late('/transaction-status') },
  { falls: 'W4.2.status', boundary: () => status('/transaction-status', 500) },
  {
    falls: 'W4.2.shape',
    boundary: () => answers('/transaction-status', body => ({ ...body, transactionStatus: 'MAYBE' })),
  },
  {
    falls: 'W4.2.truth',
    boundary: () => answers('/transaction-status', body => ({ ...body, txHash: ZERO_HASH })),
  },
  { falls: 'W4.3.reported', boundary: () => asks(ERROR, () => undefined) },
  { falls: 'W4.4.in-time', boundary: () => late('/transaction-status', firstOnly()) },
  { falls: 'W4.4.status', boundary: () => status('/transaction-status', 500) },
  {
    falls: 'W4.4.shape',
    boundary: () => answers('/transaction-status', body => ({ ...body, transactionStatus: 'MAYBE' })),
  },
  {
    falls: 'W4.4.not-sent',
    boundary: () => answers('/transaction-status', body => ({ ...body, transactionStatus: 'PROCESSING' })),
  },
  {
    falls: 'W4.4.no-hash',
    boundary: () => answers('/transaction-status', body => ({ ...body, txHash: ZERO_HASH })),
  },
  { falls: 'D1.a.in-time', alike: /^D1\..\.in-time$/, boundary: () => late('/verify-account') },
  { falls: 'D1.a.status', alike: /^D1\..\.status$/, boundary: () => status('/verify-account', 500) },
  {
    falls: 'D1.a.shape',
    alike: /^D1\..\.shape$/,
    boundary: () => answers('/verify-account', () => ({ result: 'VERIFIED' })),
  },
  {
    falls: 'D1.b.result',
    alike: /^D1\..\.result$/,
    boundary: () =>
      answers('/verify-account', ({ verifiedAt }) => ({ accountVerificationResult: 'VERIFIED', verifiedAt })),
  },
  { falls: 'D2.b.in-time', alike: /^D2\..\.in-time$/, boundary: () => late('/verify-user') },
  { falls: 'D2.a.status', alike: /^D2\..\.status$/, boundary: () => status('/verify-user', 500) },
  {
    falls: 'D2.a.shape',
    alike: /^D2\..\.shape$/,
    boundary: () => answers('/verify-user', () => ({ verificationResult: 'VERIFIED' })),
  },
  {
    falls: 'D2.b.result',
    alike: /^D2\..\.result$/,
    boundary: () => answers('/verify-user', body => ({ ...body, reason: 'UNVERIFIED-KYC' })),
  },
  {
    falls: 'D2.a.account',
    alike: /^D2\..\.account$/,
    boundary: () =>
      answers(
        '/verify-user',
        edit(({ ivms101 }) => {
          ivms101.beneficiary.accountNumber = ['0x00000000000000000000000000000000000dEaD0'];
        }),
      ),
  },
  {
    falls: 'D2.a.only-wanted',
    alike: /^D2\..\.only-wanted$/,
    boundary: () =>
      answers(
        '/verify-user',
        edit(({ ivms101 }) => {
          ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.countryOfResidence = 'KR';
        }),
      ),
  },
  {
    falls: 'D2.a.same',
    alike: /^D2\..\.same$/,
    boundary: () => {
      let count = 0;
      return answers('/verify-user', body =>
        ++count > 1 ? { ...body, result: 'DENIED', reason: 'UNVERIFIED-KYC' } : body,
      );
    },
  },
  { falls: 'D3.in-time', boundary: () => late('/callback', isType('TX_REPORT')) },
  {
    falls: 'D3.status',
    with: ['D3.credited'],
    boundary: () => status('/callback', 202, isType('TX_REPORT')),
  },
  { falls: 'D3.credited', boundary: () => balance(body => (isType('TX_REPORT')(body) ? 5 : 0)) },
  { falls: 'D4.asked', boundary: () => asks(INQUIRY, () => undefined, { transactionStatus: 'PENDING' }) },
  { falls: 'D5.in-time', boundary: () => late('/callback', isType('ERROR_REPORT')) },
  { falls: 'D5.status', boundary: () => status('/callback', 500, isType('ERROR_REPORT')) },
  { falls: 'D5.not-credited', boundary: () => balance(body => (isType('ERROR_REPORT')(body) ? 5 : 0)) },
  { falls: 'D6.asked', boundary: () => asks(INQUIRY, () => undefined, { transactionStatus: 'PENDING' }) },
  { falls: 'C1.in-time', boundary: () => late('/callback') },
  { falls: 'C1.status', boundary: () => status('/callback', 204 + 1) },
  {
    falls: 'C2.once',
    alike: /^C[2348]\.once$/,
    boundary: () => balance(body => (isType('TX_REPORT')(body) ? 5 : 0)),
  },
  { falls: 'C2.in-time', alike: /^C[2-8]\.in-time$/, boundary: () => late('/callback') },
  { falls: 'C5.status', alike: /^C[2-8]\.status$/, boundary: () => status('/callback', 400, isOther) },
  { falls: 'C6.once', boundary: () => balance(body => ('anotherMember' in body ? 5 : 0)) },
  { falls: 'S1.account', boundary: () => trustsAll('/verify-account') },
  { falls: 'S1.user', boundary: () => trustsAll('/verify-user') },
  { falls: 'S1.status', boundary: () => answers('/transaction-status', body => body) },
  { falls: 'S1.callback', boundary: () => trustsAll('/callback') },
  { falls: 'S2.account', boundary: () => status('/verify-account', 500) },
  { falls: 'S2.user', boundary: () => status('/verify-user', 500) },
  { falls: 'S2.status', boundary: () => status('/transaction-status', 500) },
  { falls: 'S2.callback', boundary: () => status('/callback', 500) },
  {
    falls: 'S3.unknown',
    with: ['S3.incoming'],
    boundary: () =>
      answers('/transaction-status', (_, { verificationUuid }) => ({
        verificationUuid,
        transactionStatus: 'CONFIRMED',
        txHash: ZERO_HASH,
      })),
  },
];

/** Conditions that have no mutant yet. The list may only become shorter. */
export const WITHOUT_MUTANT: readonly RegExp[] = [
  /^W1\.before-first$/,
  /^W2\.[d-h]\.result$/,
  /^W3\.[a-h]\.(amount|trade)$/,
  /^W3\.[ijk]\.result$/,
  /^W3\.i\.waits$/,
  /^W4\.1\.(after-verified|credited)$/,
  /^W4\.2\.credited$/,
  /^W4\.3\.(error|no-payment)$/,
  /^W4\.5\.(again|same)$/,
  /^D[12]\..\.reason$/,
  /^D4\.credited$/,
  /^D5\.no-inquiry$/,
  /^D6\.(credited|other-credited)$/,
  /^D7\./,
  /^C1\.body$/,
  /^C7\.result$/,
  /^S3\.incoming$/,
  /^S4\.https$/,
  /^R\d\./,
];
