import { all, answers, balance, hears, late, status, trustsAll } from '../support/plans/break-a-rule.ts';
import { asksEdited, hearsEdited, isOther, isType, type Mutant, USER, ZERO_HASH } from '../support/plans/mutant.ts';

/** Mutants for the conditions of the callbacks, of security and of risk, and for the facts of user verifications. */

const isAssessment = (body: Record<string, unknown>) => /^PROVIDER/.test(String(body.callbackType));

/** It names a transaction for verifications that are not its own withdrawals. */
function namesTransactions(only: (uuid: unknown, incoming: ReadonlySet<unknown>) => boolean) {
  const incoming = new Set<unknown>();
  return all(
    answers('/verify-user', (body, { verificationUuid }) => {
      incoming.add(verificationUuid);
      return body;
    }),
    answers('/transaction-status', (body, { verificationUuid }) =>
      only(verificationUuid, incoming) ? { verificationUuid, transactionStatus: 'CONFIRMED', txHash: ZERO_HASH } : body,
    ),
  );
}

/** It answers for its counterparty what a report has named. */
function repeatsReports() {
  const named = new Map<unknown, unknown>();
  return all(
    hears('/callback', body => {
      const { verificationUuid, txHash } = body.data as Record<string, unknown>;
      if (isType('TX_REPORT')(body)) named.set(verificationUuid, txHash);
      return body;
    }),
    answers('/transaction-status', (body, { verificationUuid }) =>
      named.has(verificationUuid)
        ? { verificationUuid, transactionStatus: 'CONFIRMED', txHash: named.get(verificationUuid) }
        : body,
    ),
  );
}

export const OTHER_MUTANTS: readonly Mutant[] = [
  {
    fails: 'W3.a.originator-birth',
    alike: /^W3\.([a-hlm]|aa)\.originator-birth$/,
    boundary: () =>
      asksEdited(USER, ({ payload }) => {
        const [{ naturalPerson }] = payload.ivms101.originator.originatorPersons;
        naturalPerson.dateAndPlaceOfBirth.dateOfBirth = '1900-01-01';
      }),
  },
  {
    fails: 'W3.a.originator-birthplace',
    alike: /^W3\.([a-hlm]|aa)\.originator-birthplace$/,
    boundary: () =>
      asksEdited(USER, ({ payload }) => {
        const [{ naturalPerson }] = payload.ivms101.originator.originatorPersons;
        naturalPerson.dateAndPlaceOfBirth.placeOfBirth = 'Atlantis';
      }),
  },
  {
    fails: 'W3.x.moment',
    alike: /^W3\.y\.moment$/,
    boundary: () =>
      asksEdited(USER, ({ assetInfo }) => {
        assetInfo.tradeISODatetime = '2019-03-03T12:45:34.085Z';
      }),
  },
  {
    fails: 'W3.y.price',
    with: ['W3.y.threshold'],
    before: 'W3.x',
    boundary: () =>
      asksEdited(USER, ({ assetInfo }) => {
        assetInfo.tradePrice = '1';
        assetInfo.isExceedingThreshold = false;
      }),
  },
  {
    fails: 'W3.y.threshold',
    boundary: () =>
      asksEdited(USER, ({ assetInfo }) => {
        if (assetInfo.tradePrice.length > 6) assetInfo.tradePrice = Number(assetInfo.tradePrice).toExponential();
      }),
  },
  {
    fails: 'W3.x.threshold',
    boundary: () =>
      asksEdited(USER, ({ assetInfo }) => {
        assetInfo.isExceedingThreshold = String(assetInfo.isExceedingThreshold);
      }),
  },
  { fails: 'C1.in-time', boundary: () => late('/callback') },
  { fails: 'C2.once', alike: /^C[2348]\.once$/, boundary: () => balance(body => (isType('TX_REPORT')(body) ? 5 : 0)) },
  { fails: 'C2.in-time', alike: /^C[2-8]\.in-time$/, boundary: () => late('/callback') },
  { fails: 'C5.status', alike: /^C[2-8]\.status$/, boundary: () => status('/callback', 400, isOther) },
  { fails: 'C6.once', boundary: () => balance(body => ('anotherMember' in body ? 5 : 0)) },
  { fails: 'S1.account', boundary: () => trustsAll('/verify-account') },
  { fails: 'S1.user', boundary: () => trustsAll('/verify-user') },
  { fails: 'S1.callback', boundary: () => trustsAll('/callback') },
  { fails: 'S2.account', boundary: () => status('/verify-account', 500) },
  { fails: 'S2.user', boundary: () => status('/verify-user', 500) },
  { fails: 'S2.status', boundary: () => status('/transaction-status', 500) },
  { fails: 'S2.callback', boundary: () => status('/callback', 500) },
  {
    fails: 'S2.account',
    boundary: () => answers('/verify-account', () => ({ accountVerificationResult: 'VERIFIED' })),
  },
  { fails: 'S2.user', boundary: () => answers('/verify-user', () => ({ result: 'VERIFIED', reason: 'OK' })) },
  {
    fails: 'S2.status',
    boundary: () => answers('/transaction-status', () => ({ transactionStatus: 'PENDING', txHash: ZERO_HASH })),
  },
  { fails: 'S3.unknown', boundary: () => namesTransactions((uuid, incoming) => !incoming.has(uuid)) },
  { fails: 'C1.body', boundary: () => answers('/callback', () => ({ taken: 'yes' })) },
  {
    fails: 'S3.incoming',
    with: ['S3.reported'],
    boundary: () => namesTransactions((uuid, incoming) => incoming.has(uuid)),
  },
  { fails: 'S3.reported', boundary: repeatsReports },
  { fails: 'S4.https', callbackUrl: 'http://vasp.example/callback', boundary: () => ({}) },
  {
    fails: 'R1.asked',
    alike: /^R\d\.asked$/,
    boundary: () =>
      hearsEdited('/driver', ({ action, parameters }) => {
        if (action === 'assess') parameters.kinds = [];
      }),
  },
  { fails: 'R2.in-time', alike: /^R\d\.in-time$/, boundary: () => late('/callback', isAssessment) },
  { fails: 'R2.status', alike: /^R\d\.status$/, boundary: () => status('/callback', 500, isAssessment) },
];
