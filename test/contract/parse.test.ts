import { expect, test } from 'vitest';
import type { z } from 'zod';
import { parse } from '../../src/contract/parse.ts';
import {
  AssessKytRequest,
  AssessWcoRequest,
  ReportErrorRequest,
  ReportTransactionRequest,
  VerifyAccountRequest,
  VerifyUserRequest,
  WithdrawRequest,
} from '../../src/contract/requests.ts';
import { parseRefusalOf, problem } from '../support/contract/parse-refusal.ts';
import { person, set, UUID, verifyAccount, verifyUser } from '../support/contract/samples.ts';

const reportError = { verificationUuid: UUID, result: 'DENIED', reason: 'USER-CANCELED', message: 'User canceled' };
const NOTHING = [undefined, null];

test.each([
  [VerifyAccountRequest, verifyAccount, 'network'],
  [VerifyAccountRequest, verifyAccount, 'payload.ivms101.beneficiary.beneficiaryPersons'],
  [VerifyUserRequest, verifyUser, 'assetInfo.network'],
  [ReportTransactionRequest, { verificationUuid: UUID, txHash: '0x1', vout: '2' }, 'vout'],
  [ReportErrorRequest, reportError, 'message'],
  [AssessKytRequest, { verificationUuid: UUID, network: 'Ethereum' }, 'network'],
  [WithdrawRequest, { verificationUuid: UUID, omitTxReport: true }, 'omitTxReport'],
] as [z.ZodType, object, string][])('an optional field may be left out, or be null (%#)', (schema, body, field) => {
  for (const nothing of NOTHING) expect(parse(schema, set(body, field, nothing))).toBeTruthy();
});

test.each([1, 0, 'true', {}])('REF-2.2: isExceedingThreshold %j is no boolean', value => {
  const refusal = parseRefusalOf(VerifyUserRequest, set(verifyUser, 'assetInfo.isExceedingThreshold', value));
  expect(refusal.message).toBe('`assetInfo.isExceedingThreshold` should be true or false.');
});

test.each(['0.024', '1', '0.000000000000000001', '9'.repeat(128)])('the amount %j is valid', amount => {
  expect(parse(VerifyUserRequest, set(verifyUser, 'assetInfo.amount', amount)).assetInfo.amount).toBe(amount);
});

test.each([
  ['0', true],
  ['18446744073709551615', true],
  ['18446744073709551616', false],
  ['99999999999999999999', false],
  ['184467440737095516150', false],
  ['01', false],
  ['-1', false],
  ['1.0', false],
  ['abc', false],
  ['', false],
  [1595208993, false],
])('a vaspId %j: valid is %s', (vaspId, valid) => {
  const body = set(verifyUser, 'beneficiaryVaspId', vaspId);
  if (valid) expect(parse(VerifyUserRequest, body).beneficiaryVaspId).toBe(vaspId);
  else expect(problem(VerifyUserRequest, body)).toEqual({ kind: 'invalid-field', field: 'beneficiaryVaspId' });
});

test.each([
  ['assetInfo.symbol', 16],
  ['assetInfo.network', 128],
  ['assetInfo.tradeCurrency', 128],
  ['payload.ivms101.originator.accountNumber.0', 256],
])('%s holds %i characters and not one more', (path, max) => {
  expect(parse(VerifyUserRequest, set(verifyUser, path, 'A'.repeat(max)))).toBeTruthy();
  const refusal = parseRefusalOf(VerifyUserRequest, set(verifyUser, path, 'A'.repeat(max + 1)));
  expect(refusal.message).toBe(`\`${path.replace('.0', '[0]')}\` should have at most ${max} characters.`);
});

test.each([
  ['reason', 256],
  ['message', 1024],
])('%s of an error report holds %i characters and not one more', (field, max) => {
  expect(parse(ReportErrorRequest, set(reportError, field, 'x'.repeat(max)))).toBeTruthy();
  expect(problem(ReportErrorRequest, set(reportError, field, 'x'.repeat(max + 1)))).toEqual({
    kind: 'invalid-field',
    field,
  });
});

test('unknown extra fields of the envelope are ignored', () => {
  const parsed = parse(VerifyUserRequest, { ...verifyUser, originatingVaspId: '7', extra: {} });
  expect(parsed).toEqual(verifyUser);
});

test.each(['PerVasp', 'PerAddress', 'PerVerification'])('the keyType %s is valid', keyType => {
  expect(parse(VerifyUserRequest, { ...verifyUser, keyType }).keyType).toBe(keyType);
});

test('of several problems the first in the order of the schema is told', () => {
  const problems = { ...verifyUser, keyType: 'PerVasp', beneficiaryVaspId: 'x', assetInfo: null, payload: 7 };
  expect(problem(VerifyUserRequest, problems)).toEqual({ kind: 'invalid-field', field: 'beneficiaryVaspId' });
  expect(problem(VerifyUserRequest, { payload: 7 })).toEqual({ kind: 'missing-field', field: 'keyType' });
});

test('no value of the caller stands in the message of a refusal', () => {
  const secret = 'Taylor-Robbins';
  for (const path of [
    'keyType',
    'beneficiaryVaspId',
    'assetInfo.symbol',
    'assetInfo.amount',
    'assetInfo.isExceedingThreshold',
    'assetInfo.tradeISODatetime',
    'requiredBeneficiaryInfo',
    'payload.ivms101.originator.originatorPersons',
    'payload.ivms101.originator.originatorPersons.0.naturalPerson',
    'payload.ivms101.originator.accountNumber',
  ]) {
    const value = path === 'assetInfo.symbol' ? secret.repeat(2) : secret;
    expect(parseRefusalOf(VerifyUserRequest, set(verifyUser, path, value)).message).not.toContain(secret);
  }
});

test('REF-4.3: the payload of person screening is an object, or that object as a JSON text', () => {
  const payload = { version: '1.0', ivms101: { originator: { originatorPersons: [person('Din', 'James')] } } };
  const both = [payload, JSON.stringify(payload)];
  for (const given of both)
    expect(parse(AssessWcoRequest, { verificationUuid: UUID, payload: given }).payload).toEqual(payload);
  for (const wrong of ['{', '7', 7, []])
    expect(problem(AssessWcoRequest, { verificationUuid: UUID, payload: wrong })).toEqual({
      kind: 'invalid-field',
      field: 'payload',
    });
});

test('REF-4.6: omitTxReport is false unless it is said, and nothing but a boolean', () => {
  expect(parse(WithdrawRequest, { verificationUuid: UUID }).omitTxReport).toBe(false);
  expect(parse(WithdrawRequest, { verificationUuid: UUID, omitTxReport: true }).omitTxReport).toBe(true);
  expect(problem(WithdrawRequest, { verificationUuid: UUID, omitTxReport: 'true' }).field).toBe('omitTxReport');
});
