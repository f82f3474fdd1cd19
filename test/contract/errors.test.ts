import { expect, test } from 'vitest';
import { INTERNAL_ERROR, OPERATIONS, type Operation, wireError } from '../../src/contract/errors.ts';
import { Refusal, refusals } from '../../src/contract/refusals.ts';
import { UUID } from '../support/contract/samples.ts';

const missing = refusals.verificationMissing(UUID);
const notFound = `Verification(${UUID}) is not found`;

const rows: [Operation, Refusal, number, string, string?][] = [
  [
    'verify-account',
    refusals.missingField('beneficiaryVaspId'),
    400,
    'MISSING-VASP',
    '`beneficiaryVaspId` is required.',
  ],
  ['verify-account', refusals.invalidKeyType(), 400, 'INVALID-KEY-TYPE', '`keyType` is invalid value.'],
  ['verify-account', refusals.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND', 'Alliance is not found in given vendor'],
  ['verify-account', refusals.vaspNotActive(), 400, 'ALLIANCE-NOT-ACTIVE', 'Alliance is not active now'],
  ['verify-account', refusals.noAnswer(5000), 408, 'REQUEST-TIMEOUT', 'timeout of 5000ms exceeded'],
  [
    'verify-user',
    refusals.missingField('requiredBeneficiaryInfo'),
    400,
    'MISSING-REQUIRED-BENEFICIARY-INFO',
    '`requiredBeneficiaryInfo` is required.',
  ],
  [
    'verify-user',
    refusals.requiredInfoWithoutAccountNumber(),
    400,
    'INVALID-REQUIRED-BENEFICIARY-INFO',
    '`requiredBeneficiaryInfo` is required `ACCOUNT_NUMBER`',
  ],
  ['verify-user', refusals.invalidKeyType(), 400, 'INVALID-KEY-TYPE'],
  ['verify-user', refusals.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND', 'Alliance is not found in given vendor'],
  ['verify-user', refusals.vaspNotActive(), 400, 'ALLIANCE-NOT-ACTIVE', 'Alliance is not active now'],
  ['verify-user', refusals.noAnswer(5000), 408, 'REQUEST-TIMEOUT', 'timeout of 5000ms exceeded'],
  ['get-verification', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  [
    'report-transaction',
    refusals.missingField('verificationUuid'),
    400,
    'MISSING-VERIFICATION-UUID',
    '`verificationUuid` is required.',
  ],
  ['report-transaction', missing, 400, 'VERIFICATION-NOT-FOUND', notFound],
  ['report-transaction', refusals.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['report-transaction', refusals.notVerified(UUID), 400, 'NOT-VERIFIED'],
  ['report-transaction', refusals.alreadyReported(UUID), 400, 'ALREADY-REPORTED'],
  ['report-error', refusals.missingField('result'), 400, 'MISSING-RESULT', '`result` is required.'],
  [
    'report-error',
    refusals.invalidResult(),
    400,
    'INVALID-RESULT',
    '`result` should be one of `VERIFIED`, `DENIED`, `ERROR`.',
  ],
  ['report-error', missing, 400, 'VERIFICATION-NOT-FOUND', notFound],
  ['report-error', refusals.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['report-error', refusals.alreadyReported(UUID), 400, 'ALREADY-REPORTED'],
  ['inquire-transaction', refusals.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['inquire-transaction', missing, 400, 'VERIFICATION-NOT-FOUND', notFound],
  [
    'inquire-transaction',
    refusals.notBeneficiary(),
    400,
    'VASP-NOT-MATCHED',
    'You are not the beneficiary VASP for the verification',
  ],
  ['inquire-transaction', refusals.noAnswer(1000), 408, 'REQUEST-TIMEOUT', 'timeout of 1000ms exceeded'],
  ['assess-sanction', refusals.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['assess-sanction', missing, 400, 'NOT-FOUND-VERIFICATION', notFound],
  ['assess-sanction', refusals.providerRefused(), 401, 'UNKNOWN-ERROR-CODE', 'Invalid API Key'],
  ['assess-kyt', refusals.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['assess-kyt', missing, 400, 'NOT-FOUND-VERIFICATION', notFound],
  ['assess-kyt', refusals.txHashNotReported(), 400, 'UNSUPPORTED-RISK-ASSESSMENT'],
  ['assess-kyt', refusals.providerRefused(), 403, 'UNKNOWN-ERROR-CODE', 'AccessDenied'],
  ['assess-wco', refusals.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['assess-wco', missing, 400, 'NOT-FOUND-VERIFICATION', notFound],
  ['assess-wco', refusals.groupNotFound(), 404, 'GROUP_NOT_FOUND'],
  ['assess-wco', refusals.providerRefused(), 401, 'UNKNOWN-ERROR-CODE'],
  ['robot-balance', refusals.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND'],
  [
    'robot-balance',
    refusals.unknownSymbol('BTC'),
    400,
    'UNKNOWN-SYMBOL',
    'Symbol(BTC) is not supported. Use ETH or XRP.',
  ],
  ['robot-balance', refusals.unknownAddress('address'), 400, 'UNKNOWN-ADDRESS'],
  ['robot-inquire-tx', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-inquire-tx', refusals.notBeneficiary(), 400, 'VASP-NOT-MATCHED'],
  ['robot-inquire-tx', refusals.noAnswer(1000), 408, 'REQUEST-TIMEOUT'],
  ['robot-verify-account', refusals.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND'],
  ['robot-verify-account', refusals.unknownSymbol('BTC'), 400, 'UNKNOWN-SYMBOL'],
  ['robot-verify-account', refusals.missingField('beneficiaryVaspId'), 400, 'MISSING-VASP'],
  ['robot-verify-user', refusals.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND'],
  ['robot-verify-user', refusals.unknownSymbol('BTC'), 400, 'UNKNOWN-SYMBOL'],
  ['robot-verify-user', refusals.unknownAddress('payload.ivms101.originator.accountNumber'), 400, 'UNKNOWN-ADDRESS'],
  ['robot-withdraw', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-withdraw', refusals.notVerified(UUID), 400, 'NOT-VERIFIED'],
  ['robot-withdraw', refusals.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  [
    'robot-withdraw',
    refusals.insufficientBalance('XRP', '25', '10.5'),
    400,
    'INSUFFICIENT-BALANCE',
    '25 XRP is needed, 10.5 XRP is available.',
  ],
  ['robot-report-tx', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-report-tx', refusals.notVerified(UUID), 400, 'NOT-VERIFIED'],
  ['robot-report-tx', refusals.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['robot-report-error', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-report-error', refusals.invalidResult(), 400, 'INVALID-RESULT'],
  ['robot-report-error', refusals.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['sandbox', refusals.embeddedOnly(), 409, 'EMBEDDED-ONLY'],
  ['sandbox', refusals.notFound('User(7)'), 404, 'NOT-FOUND', 'User(7) is not found'],
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
  ['verificationUuid', 'MISSING-VERIFICATION-UUID'],
  ['beneficiaryVaspId', 'MISSING-VASP'],
  ['vaspId', 'MISSING-VASP-ID'],
  ['keyType', 'MISSING-KEY-TYPE'],
  ['txHash', 'MISSING-TX-HASH'],
  ['reason', 'MISSING-REASON'],
  ['assetInfo', 'MISSING-ASSET-INFO'],
  ['assetInfo.symbol', 'MISSING-SYMBOL'],
  ['assetInfo.isExceedingThreshold', 'MISSING-IS-EXCEEDING-THRESHOLD'],
  ['assetInfo.tradeISODatetime', 'MISSING-TRADE-ISO-DATETIME'],
  ['payload.ivms101', 'MISSING-IVMS101'],
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
  expect(wireError('get-self', missing)).toBe(INTERNAL_ERROR);
  expect(wireError('list-vasps', refusals.insufficientBalance('XRP', '2', '1'))).toBe(INTERNAL_ERROR);
});

test('a forgotten row does not compile', () => {
  // @ts-expect-error: verification-missing is forgotten
  const rowsOfGet: (typeof OPERATIONS)['get-verification'] = {};
  expect(Object.keys(rowsOfGet)).not.toEqual(Object.keys(OPERATIONS['get-verification']));
  // @ts-expect-error: no operation has this kind
  expect(new Refusal('no-such-kind', 'It reaches no wire.').kind).toBe('no-such-kind');
});
