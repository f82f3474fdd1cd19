import { expect, test } from 'vitest';
import type { AssessWcoPayload } from '../../../src/contract/requests.ts';
import { screenedParty } from '../../../src/enclave/risk/assess.ts';
import type { AssessmentContext } from '../../../src/enclave/risk/assessment.ts';
import { legal, natural } from '../../support/judge/judge-request.ts';

const contextOf = (party: 'originator' | 'beneficiary', rows: object) =>
  ({
    counterparty: { party },
    address: 'address',
    verification: { symbol: 'ETH', ivms101Answer: null, ...rows },
  }) as unknown as AssessmentContext<'wco'>;

const sent = { beneficiaryPersons: [natural('Robbins', 'Taylor')] };
const payloadOf = (ivms101: object) => ({ version: '1.0', ivms101 }) as AssessWcoPayload;

test('sent, answered and added names belong to one person', () => {
  const context = contextOf('beneficiary', {
    ivms101Beneficiary: sent,
    ivms101Answer: { beneficiaryPersons: [natural('Robins', 'Taylor')] },
  });
  const added = natural('Робинс', 'Тейлор', {
    dateAndPlaceOfBirth: { dateOfBirth: '1990-01-01', placeOfBirth: 'Oslo' },
  });
  expect(screenedParty(context, payloadOf({ beneficiary: { beneficiaryPersons: [added] } })).persons).toEqual([
    {
      kind: 'INDIVIDUAL',
      names: ['Taylor Robbins', 'Taylor Robins', 'Тейлор Робинс'],
      dateOfBirth: '1990-01-01',
      placeOfBirth: 'Oslo',
    },
  ]);
});

test('a company and its representatives stay separate, and added data is matched by kind', () => {
  const context = contextOf('originator', {
    ivms101Originator: {
      originatorPersons: [legal('Garrit Studio'), natural('Clarke', 'Jason'), natural('Lindqvist', 'Mara')],
    },
  });
  const added = natural('Clarke', 'Jason', { dateAndPlaceOfBirth: { dateOfBirth: '1980-05-05' } });
  expect(screenedParty(context, payloadOf({ originator: { originatorPersons: [added] } })).persons).toEqual([
    { kind: 'ORGANISATION', names: ['Garrit Studio'] },
    { kind: 'INDIVIDUAL', names: ['Jason Clarke'], dateOfBirth: '1980-05-05' },
    { kind: 'INDIVIDUAL', names: ['Mara Lindqvist'] },
  ]);
});

test('local and phonetic names are included, missing parts are not', () => {
  const person = {
    naturalPerson: {
      name: {
        nameIdentifier: [{ primaryIdentifier: 'Kim', secondaryIdentifier: null }],
        localNameIdentifier: [{ primaryIdentifier: '김', secondaryIdentifier: '철수' }],
        phoneticNameIdentifier: [{ primaryIdentifier: '', secondaryIdentifier: '' }],
      },
    },
  };
  const context = contextOf('beneficiary', { ivms101Beneficiary: { beneficiaryPersons: [person] } });
  expect(screenedParty(context, undefined).persons).toEqual([{ kind: 'INDIVIDUAL', names: ['Kim', '철수 김'] }]);
});

test('data about the own customer is not screened', () => {
  const context = contextOf('beneficiary', { ivms101Beneficiary: sent });
  const payload = payloadOf({ originator: { originatorPersons: [natural('Escobar', 'Pablo')] } });
  expect(screenedParty(context, payload).persons).toEqual([{ kind: 'INDIVIDUAL', names: ['Taylor Robbins'] }]);
});
