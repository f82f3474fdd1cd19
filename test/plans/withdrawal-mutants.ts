import {
  all,
  answers,
  asks,
  asksBefore,
  asksTwice,
  firstOnly,
  late,
  neverPays,
  pays,
  paysBefore,
  paysTwice,
  status,
} from '../support/plans/break-a-rule.ts';
import {
  ACCOUNT,
  asksEdited,
  believesEdited,
  ERROR,
  edit,
  hearsEdited,
  isType,
  type Mutant,
  REPORT,
  USER,
  ZERO_HASH,
} from '../support/plans/mutant.ts';

/** Mutants for the conditions of W1 to W4. */

const otherName = edit(({ payload }) => {
  payload.ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].primaryIdentifier = 'Nobody';
});
/** A denied user verification is VERIFIED for it. */
const hearsVerified = hearsEdited('/callback', ({ data }) => {
  if (data.verificationResult === 'DENIED') Object.assign(data, { verificationResult: 'VERIFIED', reason: 'OK' });
});
const goesOn = all(
  hearsEdited('/driver', body => {
    if (body.action.startsWith('verify-')) body.action = 'send-without-report';
  }),
  believesEdited(ACCOUNT, body => {
    body.accountVerificationResult = 'VERIFIED';
  }),
);

/** The report whose answer is lost names another transaction than the next one. */
const anotherHashFirst = () => {
  let count = 0;
  return edit(body => {
    if (count++ === 0) body.txHash = ZERO_HASH;
  });
};

export const WITHDRAWAL_MUTANTS: readonly Mutant[] = [
  { fails: 'W1.asked', boundary: () => asks('/v1/vasps', () => undefined, { vasps: [] }) },
  { fails: 'W2.a.result', alike: /^W2\.[abc]\.result$/, boundary: () => asks(ACCOUNT, otherName) },
  {
    fails: 'W2.a.one-account',
    alike: /^W2\..\.one-account$/,
    boundary: () =>
      asksEdited(
        ACCOUNT,
        ({
          payload: {
            ivms101: { beneficiary },
          },
        }) => beneficiary.accountNumber.push(beneficiary.accountNumber[0]),
      ),
  },
  {
    fails: 'W2.b.one-account',
    with: ['W2.b.result'],
    boundary: () =>
      asksEdited(ACCOUNT, ({ payload: { ivms101 } }) => {
        [ivms101.beneficiary.accountNumber] = ivms101.beneficiary.accountNumber;
      }),
  },
  {
    fails: 'W2.a.network',
    alike: /^W2\..\.network$/,
    with: ['W2.a.result'],
    boundary: () =>
      asksEdited(ACCOUNT, body => {
        body.network = 'Bitcoin';
      }),
  },
  { fails: 'W2.d.no-further', alike: /^W2\..\.no-further$/, afterwards: 'W4.1', boundary: () => goesOn },
  { fails: 'W3.a.result', alike: /^W3\.([a-hl-w]|aa)\.result$/, boundary: () => asks(USER, otherName) },
  {
    fails: 'W3.a.ivms101',
    alike: /^W3\.([a-hlm]|aa)\.ivms101$/,
    boundary: () =>
      asksEdited(USER, ({ payload }) => {
        payload.ivms101.beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier[0].nameIdentifierType =
          'NICK';
      }),
  },
  {
    fails: 'W3.c.no-payment',
    alike: /^W3\.[cdgh]\.no-payment$/,
    // The refused report of the wrong payment is repeated first.
    with: ['W4.1.reported'],
    afterwards: 'W4.1',
    boundary: () => all(goesOn, hearsVerified),
  },
  {
    fails: 'W3.j.account-first',
    alike: /^(W3\.[ijk]|W4\.[1235])\.account-first$/,
    boundary: () => asks(ACCOUNT, () => undefined, { accountVerificationResult: 'VERIFIED' }),
  },
  {
    fails: 'W3.j.one-transfer',
    with: ['W3.j.later'],
    alike: /^(W3\.[ijk]|W4\.([578]|10)|C7)\.one-transfer$/,
    boundary: () => paysTwice,
  },
  { fails: 'W4.1.reported', boundary: () => asks(REPORT, () => undefined) },
  {
    fails: 'W4.1.hash',
    boundary: () =>
      asksEdited(REPORT, body => {
        body.txHash = ZERO_HASH;
      }),
  },
  {
    fails: 'W4.1.recipient',
    boundary: () => pays((_, units) => ['0x00000000000000000000000000000000000dEaD0', units]),
  },
  { fails: 'W4.1.tag', symbol: 'XRP', boundary: () => pays((to, units) => [`${to.split(':')[0]}:4000000001`, units]) },
  { fails: 'W4.1.once', boundary: () => asksTwice(REPORT) },
  { fails: 'W4.2.paid', boundary: () => neverPays },
  { fails: 'W4.2.in-time', boundary: () => late('/transaction-status') },
  { fails: 'W4.2.status', boundary: () => status('/transaction-status', 500) },
  {
    fails: 'W4.2.shape',
    boundary: () => answers('/transaction-status', body => ({ ...body, transactionStatus: 'MAYBE' })),
  },
  { fails: 'W4.2.truth', boundary: () => answers('/transaction-status', body => ({ ...body, txHash: ZERO_HASH })) },
  { fails: 'W4.3.reported', boundary: () => asks(ERROR, () => undefined) },
  { fails: 'W4.4.in-time', boundary: () => late('/transaction-status', firstOnly()) },
  { fails: 'W4.4.status', boundary: () => status('/transaction-status', 500) },
  {
    fails: 'W4.4.shape',
    boundary: () => answers('/transaction-status', body => ({ ...body, transactionStatus: 'MAYBE' })),
  },
  {
    fails: 'W4.4.not-sent',
    boundary: () => answers('/transaction-status', body => ({ ...body, transactionStatus: 'PROCESSING' })),
  },
  { fails: 'W1.before-first', boundary: () => asksBefore('/v1/vasps', ACCOUNT) },
  {
    fails: 'W2.d.result',
    alike: /^W2\.[d-h]\.result$/,
    boundary: () => asksEdited(ACCOUNT, ({ payload }) => delete payload.version),
  },
  {
    fails: 'W3.a.amount',
    alike: /^W3\.([a-hlm]|aa)\.amount$/,
    boundary: () =>
      asksEdited(USER, ({ assetInfo }) => {
        assetInfo.amount = Number(assetInfo.amount);
      }),
  },
  {
    fails: 'W3.a.trade',
    alike: /^W3\.([a-hlm]|aa)\.trade$/,
    boundary: () => asksEdited(USER, ({ assetInfo }) => delete assetInfo.tradePrice),
  },
  {
    fails: 'W3.a.originator',
    alike: /^W3\.([a-hlm]|aa)\.originator$/,
    boundary: () =>
      asksEdited(USER, ({ payload }) => {
        const [{ naturalPerson }] = payload.ivms101.originator.originatorPersons;
        naturalPerson.name.nameIdentifier[0].primaryIdentifier = 'Nobody';
      }),
  },
  {
    fails: 'W3.a.originator-account',
    alike: /^W3\.([a-hlm]|aa)\.originator-account$/,
    boundary: () =>
      asksEdited(USER, ({ payload }) => {
        payload.ivms101.originator.accountNumber = ['0x00000000000000000000000000000000000dEaD0'];
      }),
  },
  { fails: 'W3.j.result', alike: /^(W3\.[ijk]|C7)\.result$/, boundary: () => asks(USER, otherName) },
  { fails: 'W3.i.waits', boundary: () => paysBefore(USER) },
  { fails: 'W4.1.after-verified', boundary: () => paysBefore(USER) },
  {
    fails: 'W4.1.credited',
    boundary: () =>
      asksEdited(REPORT, body => {
        body.vout = '7';
      }),
  },
  { fails: 'W4.2.credited', boundary: () => answers('/transaction-status', body => ({ ...body, vout: '7' })) },
  {
    fails: 'W4.4.shape',
    boundary: () => answers('/transaction-status', body => ({ ...body, verificationUuid: crypto.randomUUID() })),
  },
  { fails: 'W4.3.no-payment', boundary: () => paysBefore(ERROR) },
  { fails: 'W4.6.in-time', boundary: () => late('/callback', isType('VERIFICATION_RESULT')) },
  {
    fails: 'W4.6.status',
    with: ['W4.6.reported', 'W4.6.one-transfer', 'W4.6.names-payment', 'W4.6.not-confirmed'],
    boundary: () => status('/callback', 500, isType('VERIFICATION_RESULT')),
  },
  { fails: 'W4.5.same', boundary: () => asks(REPORT, anotherHashFirst()) },
];
