import { expect, test } from 'vitest';
import { AssetInfo } from '../../src/contract/assets.ts';
import { CALLBACK_TYPES, CALLBACKS } from '../../src/contract/callbacks.ts';
import {
  ACCOUNT_REASONS,
  type MessageKind,
  REASON_CODES,
  REASONS,
  RESULT_VALUES,
  type Reason,
  unknownVerdict,
  VERIFIED,
  verdict,
} from '../../src/contract/clauses.ts';
import { FINDING_CODES, FINDINGS } from '../../src/contract/findings.ts';
import { REPORT_VERDICT_VALUES, REPORT_VERDICTS } from '../../src/contract/plan-list.ts';
import { parseRequiredInfo, REQUIRED_INFO, REQUIRED_INFO_CODES } from '../../src/contract/required-info.ts';
import * as risk from '../../src/contract/risk.ts';
import { VASP_API } from '../../src/contract/vasp-api.ts';
import { VASP_STATUSES, VaspEntry } from '../../src/contract/vasps.ts';
import { TRANSACTION_STATUSES, TransactionStatusResult, VerificationResult } from '../../src/contract/verification.ts';

test('REF-2.3: the result values', () => {
  expect(RESULT_VALUES).toEqual(['VERIFIED', 'DENIED', 'UNKNOWN', 'ERROR']);
});

const reasonRows: [Reason, string, MessageKind][] = [
  ['UNKNOWN-SYMBOL', 'DENIED', 'symbol'],
  ['UNKNOWN-NETWORK', 'DENIED', 'network'],
  ['UNKNOWN-ADDRESS', 'DENIED', 'address'],
  ['LACK-OF-INFORMATION', 'DENIED', 'fields'],
  ['UNAVAILABLE-INFORMATION', 'DENIED', 'fields'],
  ['BLACKLISTED', 'DENIED', 'none'],
  ['UNVERIFIED-KYC', 'DENIED', 'none'],
  ['MISMATCHED-NAME', 'DENIED', 'none'],
  ['NOT-ALLOWED', 'DENIED', 'text'],
  ['UNDEFINED-ERROR', 'DENIED', 'text'],
  ['BENEFICIARY-ACCOUNT-NOT-MATCHED', 'ERROR', 'none'],
  ['REQUEST-TIMEOUT', 'ERROR', 'none'],
];

test.each(reasonRows)('REF-2.3: %s is %s with message %s', (reason, result, message) => {
  expect(REASONS[reason]).toMatchObject({ result, message });
  expect(verdict(reason, 'detail')).toEqual({ result, reason, message: message === 'none' ? '' : 'detail' });
});

test('REF-2.3: there is no reason beside those of the table and OK', () => {
  expect(REASON_CODES).toEqual(['OK', ...reasonRows.map(([reason]) => reason)]);
  expect(VERIFIED).toEqual({ result: 'VERIFIED', reason: 'OK', message: '' });
  expect(verdict('OK')).toEqual(VERIFIED);
  expect(unknownVerdict('0xab').result).toBe('UNKNOWN');
});

test('the reasons of an account verification', () => {
  expect(new Set(ACCOUNT_REASONS)).toEqual(
    new Set([
      'UNKNOWN-SYMBOL',
      'UNKNOWN-NETWORK',
      'UNKNOWN-ADDRESS',
      'MISMATCHED-NAME',
      'UNVERIFIED-KYC',
      'BLACKLISTED',
      'UNDEFINED-ERROR',
    ]),
  );
});

test('REF-3: the transaction states', () => {
  expect(Object.keys(TRANSACTION_STATUSES)).toEqual(['PENDING', 'PROCESSING', 'WAIT-CONFIRM', 'CONFIRMED', 'CANCELED']);
});

test('REF-3, REF-2.7, REF-2.8: the values of the assessments, the scales in ascending order', () => {
  expect(risk.ASSESSMENT_STATUSES).toEqual(['REGISTERED', 'PROCESSED']);
  expect(risk.ALERT_LEVELS).toEqual(['LOW', 'MEDIUM', 'HIGH', 'SEVERE']);
  expect(risk.MATCH_STRENGTHS).toEqual(['WEAK', 'MEDIUM', 'STRONG', 'EXACT']);
});

test.each([
  ['originating', 'unreported', 'ATTEMPT'],
  ['originating', 'reported', 'TRANSFER'],
  ['beneficiary', 'unreported', null],
  ['beneficiary', 'reported', 'TRANSFER'],
] as const)('REF-4.2: monitoring by the %s VASP, txHash %s: %s', (role, reported, apiType) => {
  expect(risk.KYT_API_TYPE[role][reported]).toBe(apiType);
});

test.each([
  ['VERIFICATION_RESULT', 'originating', true],
  ['TX_REPORT', 'beneficiary', true],
  ['ERROR_REPORT', 'beneficiary', true],
  ['PROVIDER_A_KYT_RESULT', 'caller', false],
  ['PROVIDER_B_WCO_RESULT', 'caller', false],
] as const)('REF-6: %s goes to the %s VASP; mandatory: %s', (type, receiver, mandatory) => {
  expect(CALLBACKS[type]).toMatchObject({ receiver, mandatory });
});

test('REF-6: there are five callback types', () => {
  expect(CALLBACK_TYPES).toHaveLength(5);
});

test.each([
  ['verifyAccount', 'beneficiary'],
  ['verifyUser', 'beneficiary'],
  ['transactionStatus', 'originating'],
  ['callback', 'both'],
] as const)('the VASP operation %s asks the VASP in the role %s', (operation, role) => {
  expect(VASP_API[operation].role).toBe(role);
});

const N = ['persons', 0, 'naturalPerson'];
const L = ['persons', 0, 'legalPerson'];
const R = ['persons', 1, 'naturalPerson'];
const infoRows: [string, (string | number)[], boolean, string][] = [
  ['ACCOUNT_NUMBER', ['accountNumber'], true, 'both'],
  ['NATURAL_PERSON_NAME', [...N, 'name', 'nameIdentifier'], true, 'natural'],
  ['LOCAL_NATURAL_PERSON_NAME', [...N, 'name', 'localNameIdentifier'], false, 'natural'],
  ['NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH', [...N, 'dateAndPlaceOfBirth'], false, 'natural'],
  ['NATURAL_PERSON_NATIONALITY', [...N, 'nationality'], false, 'natural'],
  ['NATURAL_PERSON_GEOGRAPHIC_ADDRESS', [...N, 'geographicAddress'], false, 'natural'],
  ['NATURAL_PERSON_NATIONAL_IDENTIFICATION', [...N, 'nationalIdentification'], false, 'natural'],
  ['NATURAL_PERSON_CUSTOMER_IDENTIFICATION', [...N, 'customerIdentification'], false, 'natural'],
  ['NATURAL_PERSON_COUNTRY_OF_RESIDENCE', [...N, 'countryOfResidence'], false, 'natural'],
  ['LEGAL_PERSON_NAME', [...L, 'name', 'nameIdentifier'], true, 'legal'],
  ['LOCAL_LEGAL_PERSON_NAME', [...L, 'name', 'localNameIdentifier'], false, 'legal'],
  ['CORPORATE_REPRESENTATIVE_NAME', [...R, 'name', 'nameIdentifier'], true, 'legal'],
  ['LOCAL_CORPORATE_REPRESENTATIVE_NAME', [...R, 'name', 'localNameIdentifier'], false, 'legal'],
  ['CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH', [...R, 'dateAndPlaceOfBirth'], false, 'legal'],
  ['CORPORATE_REPRESENTATIVE_NATIONALITY', [...R, 'nationality'], false, 'legal'],
  ['HEAD_OFFICE_GEOGRAPHIC_ADDRESS', [...L, 'geographicAddress', 0], false, 'legal'],
  ['BRANCH_OFFICE_GEOGRAPHIC_ADDRESS', [...L, 'geographicAddress', 1], false, 'legal'],
  ['LEGAL_PERSON_CUSTOMER_IDENTIFICATION', [...L, 'customerIdentification'], false, 'legal'],
  ['LEGAL_PERSON_NATIONAL_IDENTIFICATION', [...L, 'nationalIdentification'], false, 'legal'],
  ['LEGAL_PERSON_COUNTRY_OF_REGISTRATION', [...L, 'countryOfRegistration'], false, 'legal'],
  ['LEGAL_PERSON_DATE_OF_INCORPORATION', [...L, 'dateOfIncorporation'], false, 'legal'],
];

test.each(infoRows)('the code %s stands for %j', (code, path, basic, kind) => {
  expect(REQUIRED_INFO[code as keyof typeof REQUIRED_INFO]).toEqual({ path, basic, kind });
});

test('there is no code beside those of the table', () => {
  expect(REQUIRED_INFO_CODES).toEqual(infoRows.map(([code]) => code));
});

test.each([
  ['NATURAL_PERSON_NAME,ACCOUNT_NUMBER', ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER']],
  [' NATURAL_PERSON_NAME ,\tACCOUNT_NUMBER ', ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER']],
  ['ACCOUNT_NUMBER,,ACCOUNT_NUMBER,', ['ACCOUNT_NUMBER']],
  ['ACCOUNT_NUMBER,SHOE_SIZE', ['ACCOUNT_NUMBER', 'SHOE_SIZE']],
  [' , ', []],
])('the list %j holds %j', (list, codes) => {
  expect(parseRequiredInfo(list)).toEqual(codes);
});

test('the states of a VASP', () => {
  expect(Object.keys(VASP_STATUSES)).toEqual(['VERIFIED-MEMBER', 'VERIFIED', 'UNVERIFIED', 'INTEROPERATED']);
});

/** Field -> is it required? As the tables give it, with what the decisions make present. */
const objects: [string, { shape: Record<string, { safeParse(value: unknown): { success: boolean } }> }, string][] = [
  [
    'REF-2.2 verification',
    VerificationResult,
    'verificationId! verificationUuid! result reason message! assetInfo! txHash! vout originatingVaspId! originatorAccountNumber! ivms101Originator! ivms101OriginatingVasp! beneficiaryVaspId! beneficiaryAccountNumber! ivms101Beneficiary! ivms101BeneficiaryVasp! verifiedAt! orderedAt! createdAt!',
  ],
  [
    'REF-2.2 assetInfo',
    AssetInfo,
    'symbol! network amount! isExceedingThreshold! tradePrice! tradeCurrency! tradeISODatetime!',
  ],
  ['REF-2.4', TransactionStatusResult, 'verificationUuid! transactionStatus! txHash vout'],
  [
    'REF-2.5',
    risk.ProviderASanction,
    'requestId! counterpartyVaspId! direction! address! status! ofacName ofacDescription ofacUrl createdAt!',
  ],
  [
    'REF-2.6',
    risk.ProviderAKYT,
    'requestId! counterpartyVaspId! apiType! userId! direction! network! asset! amount! usdPrice transferRef outputAddress! timestamp! externalId status! alertCount createdAt! assessedAt',
  ],
  [
    'REF-2.7',
    risk.ProviderAKYTAlert,
    'counterpartyVaspId! externalId! direction! alertId! alertLevel! entityCategory serviceName exposureType! alertAmount! createdAt!',
  ],
  [
    'REF-2.8',
    risk.ProviderBWCO,
    'requestId! counterpartyVaspId! direction! caseSystemId status! matchStrength aggregatedSummaryResult createdAt! assessedAt',
  ],
  [
    'the list of VASPs',
    VaspEntry,
    'health! vaspId! vaspName! legalName jurisdiction isAlliance country countryCode protocol! licensedStatus vaspStatus! createdAt! updatedAt!',
  ],
];

test.each(objects)('%s has these fields, of which those marked ! are required', (_name, schema, fields) => {
  const found = Object.entries(schema.shape).map(
    ([field, type]) => field + (type.safeParse(undefined).success ? '' : '!'),
  );
  expect(found).toEqual(fields.split(' '));
});

test('D-24: the verdicts on a report, each with its meaning and what to do', () => {
  const kinds = REPORT_VERDICT_VALUES.map(verdict => [verdict, REPORT_VERDICTS[verdict].kind]);
  expect(kinds).toEqual([
    ['AWAITED', 'waiting'],
    ['NOT-FOUND', 'wrong'],
    ['NOT-FINAL', 'waiting'],
    ['REPLACED', 'wrong'],
    ['REVERTED', 'wrong'],
    ['BATCH', 'wrong'],
    ['WRONG-RECIPIENT', 'wrong'],
    ['WRONG-TAG', 'wrong'],
    ['WRONG-AMOUNT', 'wrong'],
    ['WRONG-VOUT', 'wrong'],
    ['PAID-BEFORE-VERIFIED', 'wrong'],
    ['OF-ANOTHER-VASP', 'wrong'],
    ['ALREADY-USED', 'wrong'],
    ['CREDITED', 'credited'],
  ]);
  for (const { meaning, advice } of Object.values(REPORT_VERDICTS)) {
    expect(meaning).toMatch(/^[A-Z].*\.$/);
    expect(advice).toMatch(/^[A-Z].*\.$/);
  }
});

test('D-27: the findings, each with its clause', () => {
  expect(FINDING_CODES.map(code => [code, FINDINGS[code].clause])).toEqual([
    ['PAID-BEFORE-VERIFIED', 'REF-4.6.2'],
    ['PAID-AFTER-DENIED', 'REF-4.6.2'],
    ['PAID-AFTER-ERROR', 'REF-4.6.2'],
    ['ERROR-AFTER-PAYMENT', 'WIRE-2.8'],
    ['INFORMATION-MISSING', 'WIRE-3.2'],
    ['NAME-DIFFERS', 'WIRE-3.2'],
    ['INFORMATION-NOT-REQUESTED', 'WIRE-3.2'],
    ['UNKNOWN-NAME-TYPE', 'WIRE-4'],
    ['IVMS101-PROBLEM', 'WIRE-4'],
    ['THRESHOLD-WRONG', 'REF-2.2'],
    ['STATUS-CONTRADICTS-CHAIN', 'REF-3'],
    ['REPORT-LATE', 'WIRE-2.7'],
    ['REPORT-REPEATED', 'D-14'],
  ]);
  for (const { meaning } of Object.values(FINDINGS)) expect(meaning).toMatch(/\.$/);
});
