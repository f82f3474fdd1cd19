import { expect, test } from 'vitest';
import { INTERNAL_ERROR, OPERATIONS, type Operation, wireError } from '../../src/contract/errors.ts';
import { Refusal, refusals } from '../../src/contract/refusals.ts';
import { UUID } from '../support/contract/samples.ts';

/** Those that no call of another test gets. */
const rows: [Operation, Refusal, number, string, string?][] = [
  ['verify-user', refusals.noAnswer(5000), 408, 'REQUEST-TIMEOUT', 'timeout of 5000ms exceeded'],
  ['report-transaction', refusals.alreadyReported(UUID), 400, 'ALREADY-REPORTED'],
  ['report-error', refusals.alreadyReported(UUID), 400, 'ALREADY-REPORTED'],
  ['assess-sanction', refusals.providerRefused(), 401, 'UNKNOWN-ERROR-CODE', 'Invalid API Key'],
  ['assess-kyt', refusals.txHashNotReported(), 400, 'UNSUPPORTED-RISK-ASSESSMENT'],
  ['assess-kyt', refusals.providerRefused(), 403, 'UNKNOWN-ERROR-CODE', 'AccessDenied'],
  ['assess-wco', refusals.groupNotFound(), 404, 'GROUP_NOT_FOUND'],
  ['assess-wco', refusals.providerRefused(), 401, 'UNKNOWN-ERROR-CODE'],
  [
    'robot-balance',
    refusals.unknownSymbol('BTC'),
    400,
    'UNKNOWN-SYMBOL',
    'Symbol(BTC) is not supported. Use ETH or XRP.',
  ],
  ['robot-inquire-tx', refusals.notBeneficiary(), 400, 'VASP-NOT-MATCHED'],
  ['robot-inquire-tx', refusals.noAnswer(1000), 408, 'REQUEST-TIMEOUT'],
  ['robot-verify-account', refusals.unknownSymbol('BTC'), 400, 'UNKNOWN-SYMBOL'],
  [
    'robot-withdraw',
    refusals.insufficientBalance('XRP', '25', '10.5'),
    400,
    'INSUFFICIENT-BALANCE',
    '25 XRP is needed, 10.5 XRP is available.',
  ],
];

test.each(rows.map(([operation, refusal, status, code, message]) => ({ operation, refusal, status, code, message })))(
  'REF-7: $operation, $refusal.kind: $status $code',
  ({ operation, refusal, status, code, message }) => {
    expect(wireError(operation, refusal)).toEqual({ status, code, message: message ?? refusal.message });
  },
);

const operations = Object.keys(OPERATIONS) as Operation[];

test.each(operations)('D-05: %s answers the common refusals', operation => {
  const answer = (refusal: Refusal) => {
    const { status, code } = wireError(operation, refusal);
    return `${status} ${code}`;
  };
  expect(answer(refusals.invalidField('x', 'should be text'))).toBe('400 BAD-REQUEST');
  expect(answer(refusals.notJson())).toBe('400 BAD-REQUEST');
  expect(answer(refusals.notObject())).toBe('400 BAD-REQUEST');
  expect(answer(refusals.tooLarge(262_144))).toBe('413 PAYLOAD-TOO-LARGE');
  expect(answer(refusals.unknownPath())).toBe('404 NOT-FOUND');
  expect(answer(refusals.wrongMethod(['POST']))).toBe('405 METHOD-NOT-ALLOWED');
  expect(answer(refusals.unauthorized())).toBe('401 UNAUTHORIZED');
});

test.each([
  ['payload.ivms101.originator.accountNumber[1]', 'MISSING-ACCOUNT-NUMBER'],
  ['payload.ivms101.originator.originatorPersons[0].x', 'MISSING-X'],
])('D-05: a missing %s is %s, the message names the whole path', (field, code) => {
  expect(wireError('verify-user', refusals.missingField(field))).toEqual({
    status: 400,
    code,
    message: `\`${field}\` is required.`,
  });
});

test.each(['assess-sanction', 'assess-kyt', 'assess-wco'] as const)(
  'REF-7: %s knows MISSING-VERIFICATION-UUID and no other MISSING code',
  operation => {
    expect(wireError(operation, refusals.missingField('payload.version'))).toEqual({
      status: 400,
      code: 'BAD-REQUEST',
      message: '`payload.version` is required.',
    });
    expect(wireError(operation, refusals.missingField('verificationUuid')).code).toBe('MISSING-VERIFICATION-UUID');
  },
);

test('a refusal that the operation does not know is an internal error that tells nothing', () => {
  expect(wireError('get-self', refusals.verificationMissing(UUID))).toBe(INTERNAL_ERROR);
  expect(wireError('list-vasps', refusals.insufficientBalance('XRP', '2', '1'))).toBe(INTERNAL_ERROR);
});

test('a forgotten row does not compile', () => {
  // @ts-expect-error: verification-missing is forgotten
  const rowsOfGet: (typeof OPERATIONS)['get-verification'] = {};
  expect(Object.keys(rowsOfGet)).not.toEqual(Object.keys(OPERATIONS['get-verification']));
  // @ts-expect-error: no operation has this kind
  expect(new Refusal('no-such-kind', 'It reaches no wire.').kind).toBe('no-such-kind');
});
