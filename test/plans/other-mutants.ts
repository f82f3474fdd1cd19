import {
  all,
  answers,
  asks,
  balance,
  hears,
  late,
  status,
  trustsAll,
} from '../support/plans/break-a-rule.ts';
import { edit, isOther, isType, type Mutant, USER, ZERO_HASH } from '../support/plans/mutant.ts';

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
      only(verificationUuid, incoming)
        ? { verificationUuid, transactionStatus: 'CONFIRMED', txHash: ZERO_HASH }
        : body,
    ),
  );
}

export const OTHER_MUTANTS: readonly Mutant[] = [
  {
    falls: 'W3.a.originator-birth',
    alike: /^W3\.[a-hlm]\.originator-birth$/,
    boundary: () =>
      asks(
        USER,
        edit(({ payload }) => {
          const [{ naturalPerson }] = payload.ivms101.originator.originatorPersons;
          naturalPerson.dateAndPlaceOfBirth.dateOfBirth = '1900-01-01';
        }),
      ),
  },
  {
    falls: 'W3.x.moment',
    alike: /^W3\.y\.moment$/,
    boundary: () =>
      asks(
        USER,
        edit(({ assetInfo }) => {
          assetInfo.tradeISODatetime = '2019-03-03T12:45:34.085Z';
        }),
      ),
  },
  {
    falls: 'W3.y.price',
    with: ['W3.y.threshold'],
    before: 'W3.x',
    boundary: () =>
      asks(
        USER,
        edit(({ assetInfo }) => {
          assetInfo.tradePrice = '1';
          assetInfo.isExceedingThreshold = false;
        }),
      ),
  },
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
  { falls: 'S3.unknown', boundary: () => namesTransactions((uuid, incoming) => !incoming.has(uuid)) },
  { falls: 'C1.body', boundary: () => answers('/callback', () => ({ taken: 'yes' })) },
  { falls: 'S3.incoming', boundary: () => namesTransactions((uuid, incoming) => incoming.has(uuid)) },
  { falls: 'S4.https', callbackUrl: 'http://vasp.example/callback', boundary: () => ({}) },
  {
    falls: 'R1.asked',
    alike: /^R\d\.asked$/,
    boundary: () =>
      hears(
        '/driver',
        edit(({ action, parameters }) => {
          if (action === 'assess') parameters.kinds = [];
        }),
      ),
  },
  { falls: 'R2.in-time', alike: /^R\d\.in-time$/, boundary: () => late('/callback', isAssessment) },
  { falls: 'R2.status', alike: /^R\d\.status$/, boundary: () => status('/callback', 500, isAssessment) },
];
