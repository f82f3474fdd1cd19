import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { VaspEntry } from '../../src/contract/vasps.ts';
import { VerificationResult } from '../../src/contract/verification.ts';
import { ADDRESS, AT, assetInfo, ivms101, set, UUID } from '../support/contract/samples.ts';

const ok = (schema: z.ZodType, value: unknown) => schema.safeParse(value).success;

test('a VASP of the list', () => {
  const entry = {
    health: 'UP',
    vaspId: '27372039731940770',
    vaspName: 'A Exchange',
    legalName: 'A Exchange',
    jurisdiction: 'Singapore',
    isAlliance: true,
    country: 'Singapore',
    countryCode: 'SG',
    protocol: 'VERIFYVASP',
    licensedStatus: null,
    vaspStatus: 'VERIFIED-MEMBER',
    createdAt: '2021-09-27T01:48:38.000Z',
    updatedAt: '2021-09-27T01:48:38.000Z',
  };
  expect(VaspEntry.parse(entry)).toEqual(entry);
  for (const [field, wrong] of [
    ['health', 'up'],
    ['protocol', 'ALL'],
    ['vaspStatus', 'MEMBER'],
    ['createdAt', '2021-09-27T01:48:38Z'],
  ] as const)
    expect(ok(VaspEntry, set(entry, field, wrong))).toBe(false);
});

const row = {
  verificationId: '25',
  verificationUuid: UUID,
  result: 'VERIFIED',
  reason: 'OK',
  message: '',
  assetInfo,
  txHash: '0xabc',
  vout: null,
  originatingVaspId: '15952089931162060684',
  originatorAccountNumber: '0x5811001506550d8356',
  ivms101Originator: JSON.stringify(ivms101.originator),
  ivms101OriginatingVasp: '{}',
  beneficiaryVaspId: '17104899575711300402',
  beneficiaryAccountNumber: ADDRESS,
  ivms101Beneficiary: JSON.stringify(ivms101.beneficiary),
  ivms101BeneficiaryVasp: '{}',
  verifiedAt: AT,
  orderedAt: AT,
  createdAt: AT,
};

describe('REF-2.2: a verification', () => {
  test('with a result and a report', () => {
    expect(VerificationResult.parse(row)).toEqual(row);
  });

  test('D-02: while it is open it has neither result nor reason, and verifiedAt is null', () => {
    const { result: _result, reason: _reason, ...rest } = row;
    const open = { ...rest, verifiedAt: null, txHash: null, orderedAt: null };
    expect(VerificationResult.parse(open)).toEqual(open);
    expect(ok(VerificationResult, { ...open, verifiedAt: AT })).toBe(false);
    expect(ok(VerificationResult, { ...open, reason: 'OK' })).toBe(false);
    expect(ok(VerificationResult, { ...row, verifiedAt: null })).toBe(false);
  });

  test('txHash and orderedAt are null together', () => {
    expect(ok(VerificationResult, { ...row, txHash: null, orderedAt: null })).toBe(true);
    expect(ok(VerificationResult, { ...row, txHash: null })).toBe(false);
    expect(ok(VerificationResult, { ...row, orderedAt: null })).toBe(false);
  });

  test('D-03: verificationId is decimal text', () => {
    expect(ok(VerificationResult, { ...row, verificationId: 25 })).toBe(false);
    expect(ok(VerificationResult, { ...row, verificationId: 'x' })).toBe(false);
  });

  test('after an error report any reason may stand there', () => {
    expect(ok(VerificationResult, { ...row, result: 'ERROR', reason: 'USER-CANCELED', message: 'x' })).toBe(true);
  });
});
