import { describe, expect, test } from 'vitest';
import {
  ADDRESS,
  BIRTH,
  found,
  idOf,
  LEI,
  legal,
  NAME,
  natural,
  PASSPORT,
  REGISTER,
  text,
} from '../support/ivms101.ts';

describe('IVMS101: a person without a problem', () => {
  test.each<[string, object]>([
    ['a name alone', natural()],
    ['local and phonetic names', natural({}, { localNameIdentifier: [NAME], phoneticNameIdentifier: [NAME] })],
    [
      'every member',
      natural({
        geographicAddress: [ADDRESS],
        nationality: 'KR',
        countryOfResidence: 'XX',
        dateAndPlaceOfBirth: BIRTH,
        ...idOf(PASSPORT),
      }),
    ],
    ['an address of lines', natural({ geographicAddress: [{ ...ADDRESS, addressLine: ['Kim 1'], streetName: '' }] })],
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
          countryOfResidence: '',
        },
        { localNameIdentifier: [{ primaryIdentifier: '', nameIdentifierType: '' }] },
      ),
    ],
    ['a company', legal({ ...idOf(REGISTER), dateOfIncorporation: '2001-02-03', customerIdentification: '7' })],
    ['a company with an LEI', legal(idOf(LEI))],
    ['an LEI in lower case', legal(idOf({ ...LEI, nationalIdentifier: LEI.nationalIdentifier.toLowerCase() }))],
    ['a Hangul local name', natural({}, { localNameIdentifier: [{ ...NAME, primaryIdentifier: '김' }] })],
    [
      'accents, hyphens and dots',
      natural({}, { nameIdentifier: [{ ...NAME, primaryIdentifier: 'Núñez-O’Neil Jr.' }] }),
    ],
    ['an extension', natural({ favouriteColour: 'blue' })],
    ['the longest name', natural({}, { nameIdentifier: [{ ...NAME, primaryIdentifier: '𝐱'.repeat(0) + text(100) }] })],
  ])('%s', (_, person) => expect(found(person)).toEqual([]));

  test('Example 2 of the standard has only a warning: a sole trader with a registration authority', () =>
    expect(found(natural({ ...idOf(REGISTER), countryOfResidence: 'TZ' }))).toEqual([
      'WARNING C9 nationalIdentification.registrationAuthority',
    ]));
});
