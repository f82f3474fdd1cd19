import { describe, expect, test } from 'vitest';
import {
  ADDRESS,
  BIRTH,
  COMPANY,
  found,
  idOf,
  LEI,
  legal,
  NAME,
  natural,
  PASSPORT,
  REGISTER,
} from '../support/ivms101.ts';

const countries = ['UK', 'EU', 'ZZ', 'AA', 'QQ', 'AN', 'SU', 'XK', 'KOR', 'Korea', '410', 'K'];

describe('IVMS101: each clause is found and named', () => {
  test.each<[string, object]>([
    ['C2 dateAndPlaceOfBirth.dateOfBirth', natural({ dateAndPlaceOfBirth: { ...BIRTH, dateOfBirth: '2026-11-27' } })],
    ['C2 dateAndPlaceOfBirth.dateOfBirth', natural({ dateAndPlaceOfBirth: { ...BIRTH, dateOfBirth: '2026-11-26' } })],
    ['Date dateAndPlaceOfBirth.dateOfBirth', natural({ dateAndPlaceOfBirth: { ...BIRTH, dateOfBirth: '1990-02-30' } })],
    ['Date dateAndPlaceOfBirth.dateOfBirth', natural({ dateAndPlaceOfBirth: { ...BIRTH, dateOfBirth: '19900228' } })],
    [
      'DateAndPlaceOfBirth dateAndPlaceOfBirth.placeOfBirth',
      natural({ dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28' } }),
    ],
    ['Date dateOfIncorporation', legal({ dateOfIncorporation: '20010203' })],
    ...countries.flatMap((country): [string, object][] => [
      ['C3 nationality', natural({ nationality: country })],
      ['C3 countryOfResidence', natural({ countryOfResidence: country })],
      ['C3 geographicAddress[0].country', natural({ geographicAddress: [{ ...ADDRESS, country }] })],
      ['C3 nationalIdentification.countryOfIssue', natural(idOf({ ...PASSPORT, countryOfIssue: country }))],
      ['C3 countryOfRegistration', legal({ countryOfRegistration: country })],
    ]),
    ['Address geographicAddress[0].country', natural({ geographicAddress: [{ ...ADDRESS, country: null }] })],
    ['C5 name.nameIdentifier', legal({}, { nameIdentifier: [{ ...COMPANY, legalPersonNameIdentifierType: 'TRAD' }] })],
    ['C6 name.nameIdentifier', natural({}, { nameIdentifier: [{ ...NAME, nameIdentifierType: 'ALIA' }] })],
    ['NaturalPersonName name.nameIdentifier', natural({}, { nameIdentifier: [] })],
    ['NaturalPersonName name.nameIdentifier', natural({}, { nameIdentifier: undefined, localNameIdentifier: [NAME] })],
    [
      'NaturalPersonNameID name.nameIdentifier[1].primaryIdentifier',
      natural({}, { nameIdentifier: [NAME, { secondaryIdentifier: 'Min', nameIdentifierType: 'ALIA' }] }),
    ],
    [
      'LegalPersonNameTypeCode name.phoneticNameIdentifier[0].legalPersonNameIdentifierType',
      legal({}, { phoneticNameIdentifier: [{ legalPersonName: 'K', legalPersonNameIdentifierType: 'MAID' }] }),
    ],
    ['C7 nationalIdentification.nationalIdentifierType', legal(idOf({ ...REGISTER, nationalIdentifierType: 'CCPT' }))],
    ['C8 geographicAddress[0]', natural({ geographicAddress: [{ ...ADDRESS, buildingNumber: undefined }] })],
    [
      'C8 geographicAddress[1]',
      natural({ geographicAddress: [ADDRESS, { addressType: 'HOME', townName: 'Seoul', country: 'KR' }] }),
    ],
    [
      'AddressTypeCode geographicAddress[0].addressType',
      natural({ geographicAddress: [{ ...ADDRESS, addressType: 'HAUS' }] }),
    ],
    [
      'WARNING Address geographicAddress[0].addressType',
      natural({ geographicAddress: [{ ...ADDRESS, addressType: undefined }] }),
    ],
    [
      'Max70Text geographicAddress[0].addressLine',
      natural({ geographicAddress: [{ ...ADDRESS, addressLine: Array(8).fill('x') }] }),
    ],
    ...['RAID', 'TXID', 'MISC'].map((nationalIdentifierType): [string, object] => [
      'C9 nationalIdentification.registrationAuthority',
      legal(idOf({ nationalIdentifier: 'K2', nationalIdentifierType })),
    ]),
    ['C9 nationalIdentification.registrationAuthority', legal(idOf({ ...LEI, registrationAuthority: 'RA000025' }))],
    ['C9 nationalIdentification.countryOfIssue', legal(idOf({ ...REGISTER, countryOfIssue: 'KR' }))],
    ['C9 nationalIdentification.nationalIdentifierType', natural(idOf(LEI))],
    [
      'C9 nationalIdentification.registrationAuthority',
      natural(idOf({ ...PASSPORT, registrationAuthority: 'RA000025' })),
    ],
    ['C10 nationalIdentification.registrationAuthority', legal(idOf({ ...REGISTER, registrationAuthority: 'RA25' }))],
    ['C11 nationalIdentification.nationalIdentifier', legal(idOf({ ...LEI, nationalIdentifier: 'HELLO' }))],
    [
      'C11 nationalIdentification.nationalIdentifier',
      legal(idOf({ ...LEI, nationalIdentifier: '5493001KJTIIGC8Y1R1' })),
    ],
    [
      'WARNING C11 nationalIdentification.nationalIdentifier',
      legal(idOf({ ...LEI, nationalIdentifier: '5493001KJTIIGC8Y1R13' })),
    ],
  ])('%s', (expected, person) => expect(found(person)).toEqual([expected]));
});
