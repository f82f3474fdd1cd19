import type { Payment } from '../../src/reference-vasp/ledgers/port.ts';
import type { Boundary } from '../../src/reference-vasp/vasp.ts';
import { answers, balance, balanceAfter, believesAmount, late, status } from '../support/plans/break-a-rule.ts';
import { creditsUnmined } from '../support/plans/credits-unmined.ts';
import { answersEdited, edit, INQUIRY, isType, type Mutant } from '../support/plans/mutant.ts';
import { overlooksReverts } from '../support/plans/overlooks-reverts.ts';

/** Mutants for the conditions of D1 to D7. */

const anotherName = edit(({ ivms101 }) => {
  const [{ naturalPerson }] = ivms101.beneficiary.beneficiaryPersons;
  naturalPerson.name.nameIdentifier[0].secondaryIdentifier = 'Somebody else';
});

/** Who does not take note of the error report credits the payment after it, too. */
const AFTER_ERROR = ['D5.a.not-credited'];

const without = (member: string) => (body: Record<string, unknown>) => ({ ...body, [member]: undefined });

type Payments = readonly Payment[];

/** Changes what the VASP finds in one transaction of Ethereum. */
const finds = (change: (payments: Payments, hash: string) => Payments): Boundary => ({
  paying: ledger => ({
    ...ledger,
    async paymentsOf(hash) {
      const payments = await ledger.paymentsOf(hash);
      return payments && change(payments, hash);
    },
  }),
});

/** The first payment is that to the contract. */
const ofFirstPayee = (payments: Payments): Payments =>
  payments.length < 2 ? payments : payments.filter(({ to }) => to === payments[1]?.to);
const onePerPayee = (payments: Payments): Payments =>
  payments.filter(({ to }, index) => payments.findIndex(each => each.to === to) === index);
/** It keeps credits by the hash. */
const oncePerHash = () => {
  const found = new Set<string>();
  return (payments: Payments, hash: string) => (found.has(hash) || !found.add(hash) ? [] : payments);
};

export const DEPOSIT_MUTANTS: readonly Mutant[] = [
  { fails: 'D2.e.message', alike: /^D2\.d\.message$/, boundary: () => answers('/verify-user', without('message')) },
  { fails: 'D15.each-payment', boundary: () => finds(onePerPayee) },
  { fails: 'D15.each-customer', boundary: () => finds(ofFirstPayee) },
  { fails: 'D15.each-customer', with: ['D15.each-payment'], boundary: () => finds(oncePerHash()) },
  { fails: 'D1.a.in-time', alike: /^D1\..\.in-time$/, boundary: () => late('/verify-account') },
  { fails: 'D1.a.status', alike: /^D1\..\.status$/, boundary: () => status('/verify-account', 500) },
  {
    fails: 'D1.a.shape',
    alike: /^D1\..\.shape$/,
    boundary: () => answers('/verify-account', () => ({ result: 'VERIFIED' })),
  },
  {
    fails: 'D1.b.result',
    alike: /^D1\..\.result$/,
    boundary: () =>
      answers('/verify-account', ({ verifiedAt }) => ({ accountVerificationResult: 'VERIFIED', verifiedAt })),
  },
  {
    fails: 'D1.e.result',
    boundary: () =>
      answers('/verify-account', body => ({
        ...body,
        accountVerificationResult: 'DENIED',
        reason: 'MISMATCHED-NAME',
        message: 'It looks at the first person as a natural person.',
      })),
  },
  {
    fails: 'D1.f.result',
    boundary: () =>
      answers('/verify-account', body => ({ ...body, accountVerificationResult: 'DENIED', reason: 'UNKNOWN-ADDRESS' })),
  },
  {
    fails: 'D2.b.in-time',
    // Its repeated answer comes too late as well, where the first one still arrived.
    with: ['D2.b.same'],
    alike: /^D2\..\.in-time$/,
    boundary: () => late('/verify-user'),
  },
  { fails: 'D2.a.status', alike: /^D2\..\.status$/, boundary: () => status('/verify-user', 500) },
  {
    fails: 'D2.a.shape',
    alike: /^D2\..\.shape$/,
    boundary: () => answers('/verify-user', () => ({ verificationResult: 'VERIFIED' })),
  },
  {
    fails: 'D2.b.result',
    alike: /^D2\..\.result$/,
    boundary: () => answers('/verify-user', body => ({ ...body, reason: 'UNVERIFIED-KYC' })),
  },
  {
    fails: 'D2.a.account',
    alike: /^D2\..\.account$/,
    boundary: () =>
      answersEdited('/verify-user', ({ ivms101 }) => {
        ivms101.beneficiary.accountNumber = ['0x00000000000000000000000000000000000dEaD0'];
      }),
  },
  {
    fails: 'D2.a.account',
    with: ['D2.a.wanted'],
    boundary: () => answers('/verify-user', ({ ivms101: _, ...bare }) => bare),
  },
  {
    fails: 'D2.a.wanted',
    boundary: () =>
      answersEdited('/verify-user', ({ ivms101 }) => {
        ivms101.beneficiary.beneficiaryPersons = [];
      }),
  },
  { fails: 'D2.h.wanted', boundary: () => answers('/verify-user', anotherName) },
  {
    fails: 'D2.i.wanted',
    boundary: () =>
      answersEdited('/verify-user', ({ ivms101 }) => {
        ivms101.beneficiary.beneficiaryPersons.length = 1;
      }),
  },
  {
    fails: 'D2.j.result',
    boundary: () =>
      answers('/verify-user', ({ version }, { ivms101 }) => {
        const { beneficiary } = ivms101 as { beneficiary: object };
        return { result: 'VERIFIED', reason: 'OK', version, ivms101: { beneficiary } };
      }),
  },
  {
    fails: 'D2.a.ivms101',
    alike: /^D2\..\.ivms101$/,
    boundary: () =>
      answersEdited('/verify-user', ({ ivms101 }) => {
        ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].nameIdentifierType = 'BIRT';
      }),
  },
  {
    fails: 'D2.a.only-wanted',
    alike: /^D2\..\.only-wanted$/,
    boundary: () =>
      answersEdited('/verify-user', ({ ivms101 }) => {
        ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.countryOfResidence = 'KR';
      }),
  },
  {
    fails: 'D2.h.only-wanted',
    boundary: () =>
      answersEdited('/verify-user', ({ ivms101 }) => {
        ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.localNameIdentifier = [
          { primaryIdentifier: '반스', nameIdentifierType: 'LEGL' },
        ];
      }),
  },
  {
    fails: 'D2.a.same',
    alike: /^D2\..\.same$/,
    boundary: () => {
      let count = 0;
      return answers('/verify-user', body =>
        ++count > 1 ? { ...body, result: 'DENIED', reason: 'UNVERIFIED-KYC' } : body,
      );
    },
  },
  { fails: 'D3.in-time', boundary: () => late('/callback', isType('TX_REPORT')) },
  { fails: 'D3.status', with: ['D3.credited'], boundary: () => status('/callback', 202, isType('TX_REPORT')) },
  { fails: 'D3.credited', boundary: () => balance(body => (isType('TX_REPORT')(body) ? 5 : 0)) },
  { fails: 'D5.in-time', with: AFTER_ERROR, boundary: () => late('/callback', isType('ERROR_REPORT')) },
  { fails: 'D5.status', with: AFTER_ERROR, boundary: () => status('/callback', 500, isType('ERROR_REPORT')) },
  {
    fails: 'D5.not-credited',
    with: AFTER_ERROR,
    boundary: () => balance(body => (isType('ERROR_REPORT')(body) ? 5 : 0)),
  },
  {
    fails: 'D1.a.reason',
    alike: /^D1\..\.reason$/,
    boundary: () => answers('/verify-account', body => ({ ...body, reason: 'UNKNOWN-ADDRESS' })),
  },
  {
    fails: 'D2.b.reason',
    alike: /^D2\..\.reason$/,
    boundary: () => answers('/verify-user', body => ({ ...body, reason: 'OK' })),
  },
  {
    fails: 'D1.a.moment',
    with: ['D1.a.grows'],
    boundary: () => answers('/verify-account', body => ({ ...body, verifiedAt: '2099-03-03T12:45:34.085Z' })),
  },
  { fails: 'D3.not-early', boundary: creditsUnmined },
  { fails: 'D7.s.not-credited', boundary: overlooksReverts },
  { fails: 'D4.credited', alike: /^D[46]\.credited$/, boundary: () => balanceAfter(INQUIRY, 5) },
  {
    fails: 'D7.a.not-credited',
    alike: /^D7\.[a-o]\.not-credited$/,
    boundary: () => balance(body => (isType('TX_REPORT')(body) ? 5 : 0)),
  },
  { fails: 'D7.p.not-credited', symbol: 'XRP', boundary: believesAmount },
  {
    fails: 'D7.a.next-credited',
    alike: /^(D7\..|D4\.[a-f]|D5\.a|C9|C10|S6)\.next-credited$/,
    boundary: () => balance(body => (isType('TX_REPORT')(body) ? -5 : 0)),
  },
];
