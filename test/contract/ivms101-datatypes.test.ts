import { describe, expect, test } from 'vitest';
import { ADDRESS, BIRTH, COMPANY, found, idOf, legal, NAME, natural, PASSPORT, text } from '../support/ivms101.ts';

describe('IVMS101: each datatype and component is found and named', () => {
  test.each<[string, object]>([
    [
      'NationalIdentifierTypeCode nationalIdentification.nationalIdentifierType',
      natural(idOf({ ...PASSPORT, nationalIdentifierType: 'CARD' })),
    ],
    [
      'NationalIdentification nationalIdentification.nationalIdentifier',
      natural(idOf({ ...PASSPORT, nationalIdentifier: '' })),
    ],
    [
      'Max100Text name.nameIdentifier[0].primaryIdentifier',
      natural({}, { nameIdentifier: [{ ...NAME, primaryIdentifier: text(101) }] }),
    ],
    [
      'Max100Text name.nameIdentifier[0].primaryIdentifier',
      natural({}, { nameIdentifier: [{ ...NAME, primaryIdentifier: 7 }] }),
    ],
    [
      'WARNING WIRE-4 name.nameIdentifier[0].primaryIdentifier',
      natural({}, { nameIdentifier: [{ ...NAME, primaryIdentifier: '김' }] }),
    ],
    [
      'LocalMax100Text name.localNameIdentifier[0].primaryIdentifier',
      natural({}, { localNameIdentifier: [{ ...NAME, primaryIdentifier: '김'.repeat(101) }] }),
    ],
    [
      'Max100Text name.nameIdentifier[0].legalPersonName',
      legal({}, { nameIdentifier: [{ ...COMPANY, legalPersonName: text(101) }] }),
    ],
    ['Max50Text customerIdentification', natural({ customerIdentification: text(51) })],
    [
      'Max70Text dateAndPlaceOfBirth.placeOfBirth',
      natural({ dateAndPlaceOfBirth: { ...BIRTH, placeOfBirth: text(71) } }),
    ],
    [
      'Max35Text nationalIdentification.nationalIdentifier',
      natural(idOf({ ...PASSPORT, nationalIdentifier: text(36) })),
    ],
    ...Object.entries({
      department: 50,
      subDepartment: 70,
      streetName: 70,
      buildingNumber: 16,
      buildingName: 35,
      floor: 70,
      postBox: 16,
      room: 70,
      postcode: 16,
      townName: 35,
      townLocationName: 35,
      districtName: 35,
      countrySubDivision: 35,
    }).map(([member, most]): [string, object] => [
      `Max${most}Text geographicAddress[0].${member}`,
      natural({ geographicAddress: [{ ...ADDRESS, [member]: text(most + 1) }] }),
    ]),
    ['WARNING WIRE-5 customerNumber', legal({ customerNumber: '7' })],
    ['WARNING NaturalPerson dataAndPlaceOfBirth', natural({ dataAndPlaceOfBirth: BIRTH })],
    ['Person ', { ...natural(), ...legal() }],
  ])('%s', (expected, person) => expect(found(person)).toEqual([expected]));
});

test.each<[string, object]>([
  ['Date dateAndPlaceOfBirth.dateOfBirth', natural({ dateAndPlaceOfBirth: { ...BIRTH, dateOfBirth: ' 1990-02-28' } })],
  ['C3 nationality', natural({ nationality: 'KR ' })],
  [
    'NationalIdentifierTypeCode nationalIdentification.nationalIdentifierType',
    natural(idOf({ ...PASSPORT, nationalIdentifierType: '\tCCPT' })),
  ],
  [
    'NaturalPersonNameTypeCode name.nameIdentifier[0].nameIdentifierType',
    natural({}, { nameIdentifier: [{ ...NAME, nameIdentifierType: 'LEGL ' }] }),
  ],
  [
    'C11 nationalIdentification.nationalIdentifier',
    legal(idOf({ nationalIdentifierType: 'LEIX', nationalIdentifier: ' 529900T8BM49AURSDO55' })),
  ],
  [
    'C10 nationalIdentification.registrationAuthority',
    legal(idOf({ nationalIdentifierType: 'RAID', nationalIdentifier: '7', registrationAuthority: 'RA000585\n' })),
  ],
])('a value is read as it came, and a blank around it is named: %s', (expected, person) => {
  expect(found(person)).toContain(expected);
});

describe('C10: a registration authority is a code of the dated list of GLEIF', () => {
  const of = (registrationAuthority: string) =>
    found(legal(idOf({ nationalIdentifierType: 'RAID', nationalIdentifier: '7', registrationAuthority })));

  test.each(['RA000001', 'RA000585', 'ra000657', 'RA001045', 'RA100001', 'RA777777', 'RA888888', 'RA999999'])(
    '%s: it is',
    code => expect(of(code)).toEqual([]),
  );

  test.each(['RA123456', 'RA000000', 'RA000191', 'RA001046', 'RA100002', 'RA777778'])(
    '%s: a warning, because the list grows',
    code => expect(of(code)).toEqual(['WARNING C10 nationalIdentification.registrationAuthority']),
  );

  test.each(['RA00585', 'RA0000585', 'GB000585', 'Companies House'])('%s: a failure', code =>
    expect(of(code)).toEqual(['C10 nationalIdentification.registrationAuthority']),
  );
});

test('a blank around a name is a warning, because it is folded in judging (D-09)', () => {
  const names = { nameIdentifier: [{ ...NAME, primaryIdentifier: ' Barnes' }] };
  expect(found(natural({}, names))).toEqual(['WARNING Max100Text name.nameIdentifier[0].primaryIdentifier']);
});
