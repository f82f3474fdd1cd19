import { describe, expect, test } from 'vitest';
import type { Person } from '../../src/contract/ivms101.ts';
import { ivms101Flaw } from '../../src/plans/ivms101-flaw.ts';

const NAME = { primaryIdentifier: 'Kim', secondaryIdentifier: 'Min', nameIdentifierType: 'LEGL' };
const COMPANY = { legalPersonName: 'Kim Ltd', legalPersonNameIdentifierType: 'LEGL' };
const ADDRESS = { addressType: 'HOME', streetName: 'Kim street', buildingNumber: '1', country: 'KR' };
const PASSPORT = { nationalIdentifier: 'K1', nationalIdentifierType: 'CCPT', countryOfIssue: 'KR' };
const REGISTER = {
  nationalIdentifier: 'K2',
  nationalIdentifierType: 'RAID',
  registrationAuthority: 'RA000025',
};

const natural = (more: object = {}, names: object = {}): Person => ({
  naturalPerson: { name: { nameIdentifier: [NAME], ...names }, ...more },
});
const legal = (more: object = {}, names: object = {}): Person => ({
  legalPerson: { name: { nameIdentifier: [COMPANY], ...names }, ...more },
});

describe('WIRE-4: a person without a flaw', () => {
  test.each<[string, Person]>([
    ['a name alone', natural()],
    [
      'a local and a phonetic name',
      natural({}, { localNameIdentifier: [NAME], phoneticNameIdentifier: [NAME] }),
    ],
    [
      'every member',
      natural({ geographicAddress: [ADDRESS], nationalIdentification: PASSPORT, nationality: 'KR' }),
    ],
    [
      'an address of lines',
      natural({ geographicAddress: [{ addressLine: ['Kim street 1'], country: 'KR' }] }),
    ],
    [
      'codes in lower case',
      natural({ nationality: 'kr' }, { nameIdentifier: [{ ...NAME, nameIdentifierType: 'legl' }] }),
    ],
    [
      'empty members',
      natural(
        {
          dateAndPlaceOfBirth: { dateOfBirth: '', placeOfBirth: null },
          geographicAddress: [{ addressLine: [] }],
          nationalIdentification: { nationalIdentifier: '' },
          countryOfResidence: '',
        },
        { localNameIdentifier: [{ primaryIdentifier: '', nameIdentifierType: '' }] },
      ),
    ],
    ['a company', legal({ nationalIdentification: REGISTER, dateOfIncorporation: '2001-02-03' })],
  ])('%s', (_, person) => expect(ivms101Flaw([person], 'persons')).toBeUndefined());
});

describe('WIRE-4: a flaw is found and named', () => {
  test.each<[string, Person]>([
    ['name.nameIdentifier', natural({}, { nameIdentifier: [{ ...NAME, nameIdentifierType: 'NICK' }] })],
    ['name.nameIdentifier', natural({}, { nameIdentifier: [{ ...NAME, nameIdentifierType: 'ALIA' }] })],
    [
      'name.localNameIdentifier',
      natural({}, { localNameIdentifier: [{ ...NAME, nameIdentifierType: 'NICK' }] }),
    ],
    [
      'name.phoneticNameIdentifier',
      legal(
        {},
        {
          phoneticNameIdentifier: [
            { legalPersonNameIdentifierType: 'LEGL', legalPersonName: 'K' },
            { legalPersonName: 'K' },
          ],
        },
      ),
    ],
    [
      'dateAndPlaceOfBirth.dateOfBirth',
      natural({ dateAndPlaceOfBirth: { dateOfBirth: '1990-02-30', placeOfBirth: 'Seoul' } }),
    ],
    ['dateAndPlaceOfBirth.placeOfBirth', natural({ dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28' } })],
    ['dateOfIncorporation', legal({ dateOfIncorporation: '20010203' })],
    ['nationality', natural({ nationality: 'KOR' })],
    ['geographicAddress[0].country', natural({ geographicAddress: [{ ...ADDRESS, country: undefined }] })],
    [
      'geographicAddress[1].country',
      natural({ geographicAddress: [ADDRESS, { ...ADDRESS, country: 'Korea' }] }),
    ],
    [
      'geographicAddress[0].addressType',
      natural({ geographicAddress: [{ ...ADDRESS, addressType: 'HAUS' }] }),
    ],
    ['geographicAddress[0]', natural({ geographicAddress: [{ ...ADDRESS, buildingNumber: undefined }] })],
    [
      'geographicAddress[0].addressLine',
      natural({ geographicAddress: [{ addressLine: Array(8).fill('x'), country: 'KR' }] }),
    ],
    [
      'nationalIdentification.nationalIdentifier',
      natural({ nationalIdentification: { ...PASSPORT, nationalIdentifier: '' } }),
    ],
    [
      'nationalIdentification.nationalIdentifierType',
      natural({ nationalIdentification: { ...PASSPORT, nationalIdentifierType: 'CARD' } }),
    ],
    [
      'nationalIdentification.nationalIdentifierType',
      legal({ nationalIdentification: { nationalIdentifier: 'K1', nationalIdentifierType: 'CCPT' } }),
    ],
    [
      'nationalIdentification.countryOfIssue',
      natural({ nationalIdentification: { ...PASSPORT, countryOfIssue: 'KOR' } }),
    ],
    [
      'nationalIdentification.countryOfIssue',
      legal({ nationalIdentification: { ...REGISTER, countryOfIssue: 'KR' } }),
    ],
    [
      'nationalIdentification.registrationAuthority',
      legal({ nationalIdentification: { ...REGISTER, registrationAuthority: 'RA25' } }),
    ],
    [
      'nationalIdentification.registrationAuthority',
      legal({ nationalIdentification: { ...REGISTER, nationalIdentifierType: 'LEIX' } }),
    ],
  ])('%s', (path, person) => {
    const kind = person.naturalPerson ? 'naturalPerson' : 'legalPerson';
    const flaw = ivms101Flaw([person], 'persons');
    expect(flaw?.split(/:? /)[0]).toBe(`persons[0].${kind}.${path}`);
  });
});

test.each<[unknown, string]>([
  [undefined, 'persons'],
  [[], 'persons'],
  [natural(), 'persons'],
  [[null], 'persons[0]'],
  [['Kim'], 'persons[0]'],
  [[{ naturalPerson: null }], 'persons[0]'],
  [[{ naturalPerson: 'Kim' }], 'persons[0].naturalPerson.name.nameIdentifier'],
  [[natural({}, { nameIdentifier: NAME })], 'persons[0].naturalPerson.name.nameIdentifier'],
  [[natural({ dateAndPlaceOfBirth: '1990' })], 'persons[0].naturalPerson.dateAndPlaceOfBirth.dateOfBirth'],
])('WIRE-4: a list of another shape has a flaw: %j', (persons, path) =>
  expect(ivms101Flaw(persons, 'persons')?.split(' ')[0]).toBe(path),
);
