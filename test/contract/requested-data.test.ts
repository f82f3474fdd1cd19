import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keepRequestedData, unrequestedPaths } from '../../src/contract/requested-data.ts';
import { REQUIRED_INFO, REQUIRED_INFO_CODES, type RequiredInfoCode } from '../../src/contract/required-info.ts';
import type { AnsweredBeneficiary } from '../../src/contract/vasp-api.ts';

type Persons = NonNullable<AnsweredBeneficiary['beneficiaryPersons']>;

const name = (of: string) => ({
  nameIdentifier: [{ primaryIdentifier: of, nameIdentifierType: 'LEGL' }],
  localNameIdentifier: [{ primaryIdentifier: `${of} local`, nameIdentifierType: 'LEGL' }],
});
const natural = (of: string) => ({
  naturalPerson: {
    name: name(of),
    geographicAddress: [{ townName: `${of} town` }, { townName: `${of} second town` }],
    nationalIdentification: { nationalIdentifier: `${of} number` },
    customerIdentification: `${of} customer`,
    dateAndPlaceOfBirth: { dateOfBirth: '1990-02-28', placeOfBirth: `${of} place` },
    nationality: 'KR',
    countryOfResidence: 'KR',
  },
});
const NATURAL = [natural('P')] as Persons;
const LEGAL = [
  {
    legalPerson: {
      name: name('L'),
      geographicAddress: [{ townName: 'head' }, { townName: 'branch 1' }, { townName: 'branch 2' }],
      nationalIdentification: { nationalIdentifier: 'L number' },
      customerIdentification: 'L customer',
      countryOfRegistration: 'KR',
      dateOfIncorporation: '2001-01-01',
    },
  },
  natural('R1'),
  natural('R2'),
] as Persons;
const ACCOUNTS = ['rHb9CJAWyB4rj91VRWn96DkukG4bwdtyTh:1'];

const keep = (persons: Persons, codes: readonly string[]) =>
  keepRequestedData({ beneficiaryPersons: persons, accountNumber: ACCOUNTS }, codes.join(', '));

/** Every text of an answer with its place: `[1].naturalPerson.nationality`. */
const leavesOf = (value: unknown, path = ''): [path: string, value: unknown][] =>
  typeof value !== 'object' || value === null
    ? [[path, value]]
    : Object.entries(value).flatMap(([member, inner]) => leavesOf(inner, `${path}.${member}`));

/** A path of the table, where 1 stands for all that follow. */
const isNamed = (leaf: string, code: RequiredInfoCode): boolean => {
  const [, ...path] = REQUIRED_INFO[code].path;
  const steps = leaf.split('.').slice(1);
  return (
    code !== 'ACCOUNT_NUMBER' &&
    path.every((step, at) => (step === 1 ? Number(steps[at]) >= 1 : steps[at] === String(step)))
  );
};

const expectOnlyNamed = (persons: Persons, codes: readonly RequiredInfoCode[]) => {
  const wanted = leavesOf(persons).filter(([leaf]) => codes.some(code => isNamed(leaf, code)));
  const { beneficiaryPersons = [], accountNumber } = keep(persons, codes);
  expect(leavesOf(beneficiaryPersons), codes.join()).toEqual(wanted);
  expect(accountNumber).toEqual(ACCOUNTS);
  for (const [place, person] of (beneficiaryPersons ?? []).entries())
    expect(Object.keys(person)).toEqual(Object.keys(persons[place]!));
};

describe('WIRE-5: what was requested stays at its place, and nothing else stays', () => {
  test.each(REQUIRED_INFO_CODES)('%s', code => {
    for (const persons of [NATURAL, LEGAL]) expectOnlyNamed(persons, [code]);
  });

  test('every pair of codes in both orders', () => {
    for (const one of REQUIRED_INFO_CODES)
      for (const other of REQUIRED_INFO_CODES)
        for (const persons of [NATURAL, LEGAL]) expectOnlyNamed(persons, [one, other]);
  });

  test('any set of codes in any order', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(REQUIRED_INFO_CODES), fc.boolean(), (codes, isLegal) =>
        expectOnlyNamed(isLegal ? LEGAL : NATURAL, codes),
      ),
    );
  });

  test('the representative alone: element 0 is an empty legal person', () => {
    expect(keep(LEGAL, ['CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'])).toEqual({
      beneficiaryPersons: [
        { legalPerson: {} },
        ...['R1', 'R2'].map(of => ({ naturalPerson: { name: { nameIdentifier: name(of).nameIdentifier } } })),
      ],
      accountNumber: ACCOUNTS,
    });
  });

  test('branches alone: element 0 is an empty address', () => {
    const [company] = keep(LEGAL, ['BRANCH_OFFICE_GEOGRAPHIC_ADDRESS']).beneficiaryPersons!;
    expect(company?.legalPerson).toEqual({
      geographicAddress: [{}, { townName: 'branch 1' }, { townName: 'branch 2' }],
    });
  });

  test('codes that name nothing leave no person', () => {
    for (const codes of [[], ['ACCOUNT_NUMBER'], ['NO_SUCH_CODE'], ['CORPORATE_REPRESENTATIVE_NATIONALITY']])
      expect(keep(NATURAL, codes)).toEqual({ accountNumber: ACCOUNTS });
  });
});

test.each<[string[], string[]]>([
  [['HEAD_OFFICE_GEOGRAPHIC_ADDRESS'], ['[0].legalPerson.geographicAddress']],
  [['BRANCH_OFFICE_GEOGRAPHIC_ADDRESS'], ['[0].legalPerson.geographicAddress']],
  [['BRANCH_OFFICE_GEOGRAPHIC_ADDRESS', 'HEAD_OFFICE_GEOGRAPHIC_ADDRESS'], []],
])('D-27: with %j the addresses that nobody requested are named', (codes, named) => {
  const paths = unrequestedPaths(LEGAL, codes as RequiredInfoCode[]);
  expect(paths.filter(path => path.includes('geographicAddress') && path.startsWith('[0]'))).toEqual(named);
  expect(paths).toContain('[0].legalPerson.name');
});
