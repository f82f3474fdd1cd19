import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { CALLBACK_TYPES, Callback } from '../../src/contract/callbacks.ts';
import { AssessSanctionAnswer } from '../../src/contract/risk.ts';
import { PROVIDER_NAME, REFERENCE_NAMES, renaming } from '../../src/contract/vasps.ts';

const names = renaming({ a: 'acmeChain', b: 'globex' });
const REFERENCE_WORDS = /provider[AB]|PROVIDER_[AB]/i;

test('by default nothing is touched: the very same body comes back', () => {
  const body = { callbackType: 'PROVIDER_A_KYT_RESULT', data: { riskAssessment: { providerAKYT: {} } } };
  const reference = renaming(REFERENCE_NAMES);
  expect(reference.body(body)).toBe(body);
  expect(reference.text('/v1/risk-assessment/providerA-kyt')).toBe('/v1/risk-assessment/providerA-kyt');
});

test.each([
  ['/v1/risk-assessment/providerA-sanction', '/v1/risk-assessment/acmeChain-sanction'],
  ['/v1/risk-assessment/providerB-wco', '/v1/risk-assessment/globex-wco'],
  ['providerAKYTAlerts', 'acmeChainKYTAlerts'],
  ['providerBWCO', 'globexWCO'],
  ['PROVIDER_A_KYT_RESULT', 'ACME_CHAIN_KYT_RESULT'],
  ['PROVIDER_B_WCO_RESULT', 'GLOBEX_WCO_RESULT'],
  ['#/components/schemas/ProviderASanction', '#/components/schemas/AcmeChainSanction'],
])('%s becomes %s', (text, wanted) => expect(names.text(text)).toBe(wanted));

test('names that are each other’s words change places', () => {
  expect(renaming({ a: 'providerB', b: 'providerA' }).text('providerA providerB')).toBe('providerB providerA');
});

describe('a body', () => {
  test('has its members and its callbackType renamed, at any depth', () => {
    const body = { callbacks: [{ callbackType: 'PROVIDER_B_WCO_RESULT', data: { providerBWCO: { a: [1] } } }] };
    expect(names.body(body)).toEqual({
      callbacks: [{ callbackType: 'GLOBEX_WCO_RESULT', data: { globexWCO: { a: [1] } } }],
    });
  });

  test('keeps every other value, whatever it says', () => {
    const body = { name: 'providerA', list: ['PROVIDER_A_KYT_RESULT', null, 1, true], providerAx: 'x' };
    expect(names.body(body)).toEqual(body);
  });
});

test('a callbackType is understood in both words', () => {
  for (const type of CALLBACK_TYPES) {
    expect(names.callbackType(names.text(type))).toBe(type);
    expect(names.callbackType(type)).toBe(type);
  }
  expect(names.callbackType('ANYTHING')).toBe('ANYTHING');
});

test('a document from the schemas speaks the names alone', () => {
  const schemas = [Callback, AssessSanctionAnswer].map(schema => z.toJSONSchema(schema, { io: 'input' }));
  const text = JSON.stringify(schemas);
  expect(text).toMatch(REFERENCE_WORDS);
  const document = names.text(text);
  expect(document).not.toMatch(REFERENCE_WORDS);
  for (const word of ['acmeChainSanction', 'acmeChainKYTAlerts', 'globexWCO', 'ACME_CHAIN_KYT_RESULT'])
    expect(document).toContain(`"${word}"`);
});

test.each([
  ['acme', true],
  ['acmeChain2', true],
  ['Acme', false],
  ['acme-chain', false],
  ['2acme', false],
  ['', false],
])('%s is a name: %s', (name, isName) => expect(PROVIDER_NAME.test(name)).toBe(isName));
