import { describe, expect, test } from 'vitest';
import { checkPayload } from '../../src/contract/ivms101-check/check.ts';
import { ADDRESS, BIRTH, NAME, NOW, natural, REQUEST } from '../support/ivms101.ts';

describe('IVMS101: the dialect is named, and the member that is wanted', () => {
  const snake = {
    originator: {
      originator_persons: [
        {
          natural_person: {
            name: { name_identifier: [{ primary_identifier: 'Kim', name_identifier_type: 'LEGL' }] },
            date_and_place_of_birth: { date_of_birth: '1990-02-28', place_of_birth: 'Seoul' },
          },
        },
      ],
      account_number: ['x'],
    },
  };
  const protojson = {
    beneficiary: {
      beneficiaryPersons: [
        {
          naturalPerson: {
            name: {
              nameIdentifiers: [{ primaryIdentifier: 'Kim', nameIdentifierType: 'NATURAL_PERSON_NAME_TYPE_CODE_LEGL' }],
            },
          },
        },
      ],
      accountNumbers: ['x'],
    },
  };
  const of2023 = {
    originator: {
      originatorPerson: [
        natural(
          { dateAndPlaceOfBirth: BIRTH },
          { nameIdentifier: [{ primaryIdentifier: 'Kim', naturalPersonNameIdentifierType: 'LEGL' }] },
        ),
      ],
    },
  };
  test.each<[string, unknown, [string, string][]]>([
    ['2020', REQUEST, []],
    [
      '101.2023',
      of2023,
      [
        ['originator.originatorPerson', 'originatorPersons'],
        [
          'originator.originatorPerson[0].naturalPerson.name.nameIdentifier[0].naturalPersonNameIdentifierType',
          'nameIdentifierType',
        ],
      ],
    ],
    [
      'snake_case',
      snake,
      [
        ['originator.originator_persons', 'originatorPersons'],
        ['originator.account_number', 'accountNumber'],
        ['originator.originator_persons[0].natural_person', 'naturalPerson'],
        ['originator.originator_persons[0].natural_person.date_and_place_of_birth', 'dateAndPlaceOfBirth'],
        ['originator.originator_persons[0].natural_person.name.name_identifier', 'nameIdentifier'],
        [
          'originator.originator_persons[0].natural_person.name.name_identifier[0].primary_identifier',
          'primaryIdentifier',
        ],
        [
          'originator.originator_persons[0].natural_person.name.name_identifier[0].name_identifier_type',
          'nameIdentifierType',
        ],
        ['originator.originator_persons[0].natural_person.date_and_place_of_birth.date_of_birth', 'dateOfBirth'],
        ['originator.originator_persons[0].natural_person.date_and_place_of_birth.place_of_birth', 'placeOfBirth'],
      ],
    ],
    [
      'protojson',
      protojson,
      [
        ['beneficiary.accountNumbers', 'accountNumber'],
        ['beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifiers', 'nameIdentifier'],
        [
          'beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifiers[0].nameIdentifierType',
          'one of ALIA, BIRT, MAID, LEGL, MISC',
        ],
      ],
    ],
    [
      'TAP',
      { beneficiary: { beneficiaryPersons: [{ naturalPerson: { name: [{ nameIdentifier: [NAME] }] } }] } },
      [['beneficiary.beneficiaryPersons[0].naturalPerson.name', 'one object']],
    ],
    ['PascalCase', { Beneficiary: REQUEST.beneficiary }, [['Beneficiary', 'beneficiary']]],
    ['2020', { beneficiary: { beneficiaryPersons: natural() } }, [['beneficiary.beneficiaryPersons', 'a list']]],
    ['2020', natural({ geographicAddress: ADDRESS }), [['naturalPerson.geographicAddress', 'a list']]],
    [
      '101.2023',
      { ...REQUEST, payloadMetadata: { payloadVersion: '101.2023' } },
      [['payloadMetadata.payloadVersion', 'payload.version']],
    ],
  ])('%s', (dialect, payload, expected) => {
    const { problems, ...checked } = checkPayload(payload, NOW);
    expect(checked.dialect).toBe(dialect);
    expect(problems.map(({ path, wanted }) => [path, wanted])).toEqual(expected);
    for (const { severity } of problems) expect(severity).toBe('FAILURE');
  });
});

test('B6: a member in another dialect is named behind any number of unknown ones, and a misspelt one among the first 50', () => {
  const unknown = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`extension${n}`, 0]));
  const pathsOf = (payload: object) => checkPayload(payload, NOW).problems.map(({ path }) => path);
  expect(pathsOf({ ...unknown(10_000), Originator: {} })).toContain('Originator');
  expect(pathsOf({ beneficiary: {}, ...unknown(10), originatorr: {} })).toContain('originatorr');
  expect(pathsOf({ originator: { ...unknown(10_000), originator_persons: [] } })).toContain(
    'originator.originator_persons',
  );
  expect(pathsOf({ originator: { ...unknown(10), originatorPerson5: [] } })).toContain('originator.originatorPerson5');
});

test.each([
  ['an envelope of a network', { data: { transfer: REQUEST } }, 'data.transfer.originator'],
  ['a text in an envelope', { message: { body: JSON.stringify(REQUEST) } }, 'message.body.originator'],
  ['a list of payloads', [REQUEST], '[0].originator'],
])('IVMS101 is found in %s', (_, body, at) => {
  const { originator } = REQUEST;
  const spoilt = JSON.parse(JSON.stringify(body).replaceAll('accountNumber', 'accountNumberr'));
  expect(originator).toBeDefined();
  expect(checkPayload(body, NOW).problems).toEqual([]);
  expect(checkPayload(spoilt, NOW).problems.map(({ path }) => path)).toContain(`${at}.accountNumberr`);
});

test('a body without a payload is searched for one, and has none', () => {
  const { problems } = checkPayload({ data: { user: { name: 'x' } } }, NOW);
  expect(problems.map(({ path, text }) => [path, text])).toEqual([['', 'The body holds no IVMS101.']]);
});

test('a large body is searched for a payload only in part, the outer values first', () => {
  let opened = 0;
  const hundred = (make: () => unknown) => Array.from({ length: 100 }, make);
  const leaf = () => ({
    get name() {
      opened++;
      return 'x';
    },
  });
  const large = hundred(() => hundred(leaf));
  expect(checkPayload({ data: large }, NOW).problems).toHaveLength(1);
  expect(opened).toBeLessThan(2_000);
  expect(checkPayload({ data: { log: large, sent: REQUEST } }, NOW).problems).toEqual([]);
});
