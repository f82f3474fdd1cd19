import { expect, test } from 'vitest';
import {
  COMMON_ERRORS,
  INTERNAL_ERROR,
  OPERATIONS,
  type Operation,
  wireError,
} from '../../src/contract/errors.ts';
import { FAULT_KINDS, type Fault, faults } from '../../src/contract/faults.ts';
import { UUID } from './samples.ts';

const missing = faults.verificationMissing(UUID);
const notFound = `Verification(${UUID}) is not found`;

const rows: [Operation, Fault, number, string, string?][] = [
  [
    'verify-account',
    faults.missingField('beneficiaryVaspId'),
    400,
    'MISSING-VASP',
    '`beneficiaryVaspId` is required.',
  ],
  ['verify-account', faults.invalidKeyType(), 400, 'INVALID-KEY-TYPE', '`keyType` is invalid value.'],
  [
    'verify-account',
    faults.unknownVasp(),
    400,
    'ALLIANCE-NOT-FOUND',
    'Alliance is not found in given vendor',
  ],
  ['verify-account', faults.vaspNotActive(), 400, 'ALLIANCE-NOT-ACTIVE', 'Alliance is not active now'],
  ['verify-account', faults.noAnswer(5000), 408, 'REQUEST-TIMEOUT', 'timeout of 5000ms exceeded'],
  [
    'verify-user',
    faults.missingField('requiredBeneficiaryInfo'),
    400,
    'MISSING-REQUIRED-BENEFICIARY-INFO',
    '`requiredBeneficiaryInfo` is required.',
  ],
  [
    'verify-user',
    faults.requiredInfoWithoutAccountNumber(),
    400,
    'INVALID-REQUIRED-BENEFICIARY-INFO',
    '`requiredBeneficiaryInfo` is required `ACCOUNT_NUMBER`',
  ],
  ['verify-user', faults.invalidKeyType(), 400, 'INVALID-KEY-TYPE'],
  ['verify-user', faults.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND', 'Alliance is not found in given vendor'],
  ['verify-user', faults.vaspNotActive(), 400, 'ALLIANCE-NOT-ACTIVE', 'Alliance is not active now'],
  ['verify-user', faults.noAnswer(5000), 408, 'REQUEST-TIMEOUT', 'timeout of 5000ms exceeded'],
  ['get-verification', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  [
    'report-transaction',
    faults.missingField('verificationUuid'),
    400,
    'MISSING-VERIFICATION-UUID',
    '`verificationUuid` is required.',
  ],
  ['report-transaction', missing, 400, 'VERIFICATION-NOT-FOUND', notFound],
  ['report-transaction', faults.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['report-transaction', faults.notVerified(UUID), 400, 'NOT-VERIFIED'],
  ['report-transaction', faults.alreadyReported(UUID), 400, 'ALREADY-REPORTED'],
  ['report-error', faults.missingField('result'), 400, 'MISSING-RESULT', '`result` is required.'],
  [
    'report-error',
    faults.invalidResult(),
    400,
    'INVALID-RESULT',
    '`result` should be one of `VERIFIED`, `DENIED`, `ERROR`.',
  ],
  ['report-error', missing, 400, 'VERIFICATION-NOT-FOUND', notFound],
  ['report-error', faults.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['report-error', faults.alreadyReported(UUID), 400, 'ALREADY-REPORTED'],
  ['inquire-transaction', faults.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['inquire-transaction', missing, 400, 'VERIFICATION-NOT-FOUND', notFound],
  [
    'inquire-transaction',
    faults.notBeneficiary(),
    400,
    'VASP-NOT-MATCHED',
    'You are not the beneficiary VASP for the verification',
  ],
  ['inquire-transaction', faults.noAnswer(1000), 408, 'REQUEST-TIMEOUT', 'timeout of 1000ms exceeded'],
  ['assess-sanction', faults.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['assess-sanction', missing, 400, 'NOT-FOUND-VERIFICATION', notFound],
  ['assess-sanction', faults.providerRefused(), 401, 'UNKNOWN-ERROR-CODE', 'Invalid API Key'],
  ['assess-kyt', faults.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['assess-kyt', missing, 400, 'NOT-FOUND-VERIFICATION', notFound],
  ['assess-kyt', faults.txHashNotReported(), 400, 'UNSUPPORTED-RISK-ASSESSMENT'],
  ['assess-kyt', faults.providerRefused(), 403, 'UNKNOWN-ERROR-CODE', 'AccessDenied'],
  ['assess-wco', faults.missingField('verificationUuid'), 400, 'MISSING-VERIFICATION-UUID'],
  ['assess-wco', missing, 400, 'NOT-FOUND-VERIFICATION', notFound],
  ['assess-wco', faults.groupNotFound(), 404, 'GROUP_NOT_FOUND'],
  ['assess-wco', faults.providerRefused(), 401, 'UNKNOWN-ERROR-CODE'],
  ['robot-balance', faults.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND'],
  ['robot-balance', faults.unknownSymbol('BTC'), 400, 'UNKNOWN-SYMBOL', 'Symbol(BTC) is not supported'],
  ['robot-balance', faults.unknownAddress('address'), 400, 'UNKNOWN-ADDRESS'],
  ['robot-inquire-tx', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-inquire-tx', faults.notBeneficiary(), 400, 'VASP-NOT-MATCHED'],
  ['robot-inquire-tx', faults.noAnswer(1000), 408, 'REQUEST-TIMEOUT'],
  ['robot-verify-account', faults.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND'],
  ['robot-verify-account', faults.unknownSymbol('BTC'), 400, 'UNKNOWN-SYMBOL'],
  ['robot-verify-account', faults.missingField('beneficiaryVaspId'), 400, 'MISSING-VASP'],
  ['robot-verify-user', faults.unknownVasp(), 400, 'ALLIANCE-NOT-FOUND'],
  ['robot-verify-user', faults.unknownSymbol('BTC'), 400, 'UNKNOWN-SYMBOL'],
  [
    'robot-verify-user',
    faults.unknownAddress('payload.ivms101.originator.accountNumber'),
    400,
    'UNKNOWN-ADDRESS',
  ],
  ['robot-withdraw', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-withdraw', faults.notVerified(UUID), 400, 'NOT-VERIFIED'],
  ['robot-withdraw', faults.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  [
    'robot-withdraw',
    faults.insufficientBalance('XRP', '25', '10.5'),
    400,
    'INSUFFICIENT-BALANCE',
    '25 XRP wanted, 10.5 XRP available.',
  ],
  ['robot-report-tx', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-report-tx', faults.notVerified(UUID), 400, 'NOT-VERIFIED'],
  ['robot-report-tx', faults.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['robot-report-error', missing, 404, 'VERIFICATION-NOT-FOUND', notFound],
  ['robot-report-error', faults.invalidResult(), 400, 'INVALID-RESULT'],
  ['robot-report-error', faults.notOriginator(), 400, 'VASP-NOT-MATCHED'],
  ['sandbox', faults.embeddedOnly(), 409, 'EMBEDDED-ONLY'],
  ['sandbox', faults.notFound('User(7)'), 404, 'NOT-FOUND', 'User(7) is not found'],
];

test.each(
  rows.map(([operation, fault, status, code, message]) => ({ operation, fault, status, code, message })),
)('REF-7: $operation, $fault.kind: $status $code', ({ operation, fault, status, code, message }) => {
  expect(wireError(operation, fault)).toEqual({ status, code, message: message ?? fault.message });
});

const operations = Object.keys(OPERATIONS) as Operation[];

test.each(operations)('D-05: %s answers the common faults', operation => {
  const answer = (fault: Fault) => {
    const { status, code } = wireError(operation, fault);
    return `${status} ${code}`;
  };
  expect(answer(faults.invalidField('x', 'should be text'))).toBe('400 BAD-REQUEST');
  expect(answer(faults.notJson())).toBe('400 BAD-REQUEST');
  expect(answer(faults.notObject())).toBe('400 BAD-REQUEST');
  expect(answer(faults.tooLarge(262_144))).toBe('413 PAYLOAD-TOO-LARGE');
  expect(answer(faults.unknownPath())).toBe('404 NOT-FOUND');
  expect(answer(faults.wrongMethod(['POST']))).toBe('405 METHOD-NOT-ALLOWED');
  expect(answer(faults.unauthorized())).toBe('401 UNAUTHORIZED');
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
  expect(wireError('verify-user', faults.missingField(field))).toEqual({
    status: 400,
    code,
    message: `\`${field}\` is required.`,
  });
});

test.each(['assess-sanction', 'assess-kyt', 'assess-wco'] as const)(
  'REF-7: %s knows MISSING-VERIFICATION-UUID and no other MISSING code',
  operation => {
    expect(wireError(operation, faults.missingField('payload.version'))).toEqual({
      status: 400,
      code: 'BAD-REQUEST',
      message: '`payload.version` is required.',
    });
    expect(wireError(operation, faults.missingField('verificationUuid')).code).toBe(
      'MISSING-VERIFICATION-UUID',
    );
  },
);

test('a fault that the operation does not know is an internal error that tells nothing', () => {
  expect(wireError('get-self', missing)).toBe(INTERNAL_ERROR);
  expect(wireError('list-vasps', faults.insufficientBalance('XRP', '2', '1'))).toBe(INTERNAL_ERROR);
});

test('every kind of fault can reach the wire in at least one operation', () => {
  const mapped = new Set([
    ...Object.keys(COMMON_ERRORS),
    ...operations.flatMap(o => Object.keys(OPERATIONS[o])),
  ]);
  expect(FAULT_KINDS.filter(kind => !mapped.has(kind))).toEqual([]);
});

test('a forgotten row does not compile', () => {
  // @ts-expect-error: verification-missing is forgotten
  const rowsOfGet: (typeof OPERATIONS)['get-verification'] = {};
  expect(Object.keys(rowsOfGet)).not.toEqual(Object.keys(OPERATIONS['get-verification']));
});
