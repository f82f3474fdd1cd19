import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import {
  VaspCallbackAnswer,
  VaspVerifyAccountAnswer,
  VaspVerifyAccountRequest,
  VaspVerifyUserAnswer,
  VaspVerifyUserRequest,
} from '../../src/contract/vasp-api.ts';
import { TransactionStatusResult } from '../../src/contract/verification.ts';
import { ADDRESS, AT, assetInfo, ivms101, person, UUID } from '../support/contract/samples.ts';

const ok = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

test('what a VASP is asked', () => {
  const account = {
    originatingVaspId: '15952089931162060684',
    symbol: 'ETH',
    network: 'Ethereum',
    version: '1.0',
    ivms101: { beneficiary: { accountNumber: ['0x5811001506550d8356a215be229c15b6ef371a9b'] } },
  };
  expect(VaspVerifyAccountRequest.parse(account)).toEqual(account);
  const user = {
    verificationUuid: UUID,
    assetInfo,
    requiredBeneficiaryInfo: 'ACCOUNT_NUMBER',
    originatingVaspId: '15952089931162060684',
    version: '1.0',
    ivms101,
  };
  expect(VaspVerifyUserRequest.parse(user)).toEqual(user);
});

describe('D-12: the answer of a VASP to an account verification', () => {
  const verified = { accountVerificationResult: 'VERIFIED', verifiedAt: AT };
  const denied = { accountVerificationResult: 'DENIED', reason: 'UNVERIFIED-KYC', verifiedAt: AT };
  test.each([
    verified,
    denied,
    { ...verified, reason: 'OK', message: '' },
    { ...verified, reason: null, message: null, extra: 1 },
    { ...verified, verifiedAt: '2022-03-03T12:45:34+09:00' },
    { ...denied, reason: 'UNKNOWN-NETWORK', message: '`network` is necessary' },
  ])('%j is in shape', answer => {
    expect(ok(VaspVerifyAccountAnswer, answer)).toBe(true);
  });
  test.each([
    {},
    [],
    'VERIFIED',
    null,
    { accountVerificationResult: 'VERIFIED' },
    { ...verified, accountVerificationResult: 'UNKNOWN' },
    { ...verified, accountVerificationResult: '15952089931162060684' },
    { ...verified, verifiedAt: 'now' },
    { ...verified, reason: 'BLACKLISTED' },
    { ...denied, reason: undefined },
    { ...denied, reason: 'OK' },
    { ...denied, reason: 'LACK-OF-INFORMATION' },
    { ...denied, reason: 'NO' },
    { ...denied, reason: 'NOT-ALLOWED' },
    { ...verified, verifiedAt: '2022-02-30T12:45:34.085Z' },
  ])('%j is not', answer => {
    expect(ok(VaspVerifyAccountAnswer, answer)).toBe(false);
  });
});

describe('D-12: the answer of a VASP to a user verification', () => {
  const verified = {
    result: 'VERIFIED',
    reason: 'OK',
    message: '',
    version: '1.0',
    ivms101: { beneficiary: ivms101.beneficiary },
  };
  const denied = { result: 'DENIED', reason: 'MISMATCHED-NAME', version: '1.0' };
  test.each([
    verified,
    denied,
    { ...denied, ivms101: null, message: null },
    { ...denied, ivms101: {} },
    { ...denied, ivms101: { beneficiary: {} } },
    { ...verified, ivms101: { beneficiary: { accountNumber: [ADDRESS] } } },
    { ...verified, ivms101: { beneficiary: { beneficiaryPersons: [], accountNumber: [ADDRESS] } } },
    { ...denied, result: 'UNKNOWN', reason: 'UNKNOWN-ADDRESS' },
    { ...denied, result: 'ERROR', reason: 'UNDEFINED-ERROR' },
    { ...verified, ivms101: { beneficiary: { beneficiaryPersons: [person('R', 'T')], accountNumber: [ADDRESS] } } },
  ])('%j is in shape', answer => {
    expect(ok(VaspVerifyUserAnswer, answer)).toBe(true);
  });
  test.each([
    {},
    null,
    'OK',
    { verificationResult: 'VERIFIED', reason: 'OK', version: '1.0' },
    { ...verified, reason: 'MISMATCHED-NAME' },
    { ...verified, reason: undefined },
    { ...verified, version: undefined },
    { ...verified, ivms101: undefined },
    { ...verified, ivms101: { beneficiary: { beneficiaryPersons: [], accountNumber: [] } } },
    { ...verified, ivms101: { beneficiary: { accountNumber: ADDRESS } } },
    { ...verified, result: 'WAIT' },
    { ...denied, reason: 'OK' },
    { ...denied, reason: 'REQUEST-TIMEOUT' },
    { ...denied, reason: 'SOMETHING' },
    { ...denied, message: 'x'.repeat(1025) },
    { ...verified, message: '\ud800' },
    { ...verified, result: 'ERROR' },
    { ...verified, result: 'UNKNOWN' },
  ])('%j is not', answer => {
    expect(ok(VaspVerifyUserAnswer, answer)).toBe(false);
  });
});

test('D-12: the answer of a VASP to a status query', () => {
  const answer = { verificationUuid: UUID, transactionStatus: 'WAIT-CONFIRM', txHash: '0x1', vout: '0' };
  expect(TransactionStatusResult.parse(answer)).toEqual(answer);
  expect(ok(TransactionStatusResult, { verificationUuid: UUID, transactionStatus: 'PENDING', txHash: '' })).toBe(true);
  for (const wrong of [
    { transactionStatus: 'PENDING' },
    { verificationUuid: UUID },
    { ...answer, transactionStatus: 'CANCELLED' },
    { ...answer, txHash: 1 },
  ])
    expect(ok(TransactionStatusResult, wrong)).toBe(false);
});

test('a callback is taken by {"result":true} and by nothing else', () => {
  expect(ok(VaspCallbackAnswer, { result: true })).toBe(true);
  for (const other of [{}, { result: false }, { result: 'true' }, null, 'OK'])
    expect(ok(VaspCallbackAnswer, other)).toBe(false);
});
