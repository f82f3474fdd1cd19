import { expect, test } from 'vitest';
import { checkPayload } from '../../src/contract/ivms101-check/check.ts';
import { NOW } from '../support/ivms101.ts';
import { PUBLIC_PAYLOADS } from '../support/ivms101-public-payloads.ts';

const SENDER = 'originator.originatorPersons[0].naturalPerson';
const isOfSpelling = ({ text }: { text: string }): boolean => text.includes(' is written ');

/** Body -> its dialect, and its problems beside those of the dialect. */
const VERDICTS: readonly [name: string, dialect: string, problems: string[]][] = [
  ['TRISA: identity payload', '2020', ['WARNING Payload originatingVASP', 'WARNING Payload beneficiaryVASP']],
  [
    'TRISA: a registration authority of a natural person',
    '2020',
    [`C9 ${SENDER}.nationalIdentification.registrationAuthority`],
  ],
  [
    'TRISA: other spellings',
    'snake_case',
    [
      `NaturalPersonNameID ${SENDER}.name.nameIdentifiers[1].primaryIdentifier`,
      `WARNING Address ${SENDER}.geographicAddresses[0].postalCode`,
      `C8 ${SENDER}.geographicAddresses[0]`,
      `DateAndPlaceOfBirth ${SENDER}.dateAndPlaceOfBirth.dateOfBirth`,
      `DateAndPlaceOfBirth ${SENDER}.dateAndPlaceOfBirth.placeOfBirth`,
    ],
  ],
  ['TRISA: protobuf as JSON', 'snake_case', ['WARNING Payload originating_vasp', 'WARNING Payload beneficiary_vasp']],
  [
    'TRISA: envelope',
    'snake_case',
    ['WARNING Payload identity.originating_vasp', 'WARNING Payload identity.beneficiary_vasp'],
  ],
  [
    'TRISA: empty transfer path and metadata',
    '2020',
    ['WARNING Payload originatingVASP', 'WARNING Payload beneficiaryVASP'],
  ],
  ['TRISA: numbers in place of codes', 'snake_case', []],
  ['TRISA: a legal person with numbers', 'snake_case', []],
  ['TRISA: a legal person', '2020', ['WARNING WIRE-5 customerNumber']],
  ['TRISA: a legal person in its person', '2020', ['WARNING WIRE-5 legalPerson.customerNumber']],
  ['TRISA: a tax number of a legal person', '2020', []],
  ['TRISA: a natural person', '2020', []],
  ['TRISA: a person of both kinds', '2020', ['Person ']],
  ['TRISA: empty texts for what is not known', '2020', []],
  ['TRISA: the name of a country in place of its code', '2020', [`C3 ${SENDER}.geographicAddress[0].country`]],
  ['TRP: inquiry', '2020', ['WARNING Payload IVMS101.originatingVASP']],
  ['TRP: inquiry, only its IVMS101', '2020', ['WARNING Payload originatingVASP']],
  ['TRP: identity of a VASP', '2020', ['Payload ']],
  ['envoy: a person of a form', '2020', ['Payload ']],
  [
    'envoy: the body of a form',
    '2020',
    ['Originator originator.originatorPersons', 'Beneficiary beneficiary.beneficiaryPersons'],
  ],
  ['envoy: a webhook without a payload', '2020', ['Payload payload']],
  [
    'envoy: only a maiden name, and USA',
    'snake_case',
    ['C6 natural_person.name.nameIdentifier', 'C3 natural_person.countryOfResidence'],
  ],
  ['CODE: names in Latin and local letters', '2020', []],
  ['CODE: an empty local second name', '2020', []],
  ['CODE: empty lists of persons', '2020', ['Originator ivms101.originatorPersons']],
  [
    'Sygna: snake case with RAID',
    'snake_case',
    ['WARNING C9 originator.originator_persons[0].natural_person.national_identification.registration_authority'],
  ],
  [
    'TAP: a list of names in place of the name',
    'TAP',
    [`NaturalPersonName ${SENDER}.name[0].nameIdentifier`, `WARNING WIRE-5 ${SENDER}.customerNumber`],
  ],
  ['TAP: version of 2023', '101.2023', []],
  ['TAP: version of 2020 with a transfer path from 1', '2020', ['C12 transferPath.transferPath']],
  ['TAP: a VASP with its name alone', '2020', ['WARNING WIRE-5 originatingVASP.legalPerson.customerNumber']],
  [
    'TAP: an LEI with a country of issue',
    '2020',
    ['C9 beneficiaryVASP.legalPerson.nationalIdentification.countryOfIssue'],
  ],
  [
    'Notabene: the name in a list, without a type',
    'TAP',
    [`NaturalPersonNameID ${SENDER}.name[0].nameIdentifier[0].nameIdentifierType`, `WARNING C1 ${SENDER}`],
  ],
  [
    'Notabene: the address as one line',
    'TAP',
    [
      `NaturalPersonNameID ${SENDER}.name[0].nameIdentifier[0].nameIdentifierType`,
      `WARNING Address ${SENDER}.geographicAddress[0].addressType`,
      `Address ${SENDER}.geographicAddress[0].country`,
      `NationalIdentifierTypeCode ${SENDER}.nationalIdentification.nationalIdentifierType`,
    ],
  ],
  ['Notabene: a birth in the future', '2020', [`C2 ${SENDER}.dateAndPlaceOfBirth.dateOfBirth`]],
  ['OpenKYC: a country of birth and a passport', '2020', []],
  [
    'a tutorial: the name as a text',
    '2020',
    [`NaturalPersonName ${SENDER}.name`, `Address ${SENDER}.geographicAddress`, `Address ${SENDER}.geographicAddress`],
  ],
  ['a tutorial: an address without a building', '2020', [`C8 ${SENDER}.geographicAddress[0]`]],
  [
    'a tutorial: an address without a type',
    '2020',
    [
      `NaturalPersonNameID ${SENDER}.name.nameIdentifier[0].nameIdentifierType`,
      `WARNING Address ${SENDER}.geographicAddress[0].addressType`,
    ],
  ],
  ['a library: names directly in the person', '2020', [`NaturalPerson ${SENDER}.name`, `WARNING C1 ${SENDER}`]],
  [
    'a library: an account in the person',
    '2020',
    [`WARNING Address ${SENDER}.geographicAddress[0].addressType`, `C8 ${SENDER}.geographicAddress[0]`],
  ],
  ['a library: institutions beside the persons', '2020', [`WARNING C1 ${SENDER}`]],
];

test('WIRE-4: each public body has a verdict', () => {
  expect(VERDICTS.map(([name]) => name)).toEqual(Object.keys(PUBLIC_PAYLOADS));
});

test.each(VERDICTS)('WIRE-4: %s', (name, dialect, expected) => {
  const checked = checkPayload(PUBLIC_PAYLOADS[name], NOW);
  expect(checked.dialect).toBe(dialect);
  expect(checked.problems.some(isOfSpelling)).toBe(dialect !== '2020');
  const others = checked.problems.filter(problem => !isOfSpelling(problem));
  expect(
    others.map(({ severity, clause, path }) => `${severity === 'WARNING' ? 'WARNING ' : ''}${clause} ${path}`),
  ).toEqual(expected);
});
