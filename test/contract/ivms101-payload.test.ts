import { describe, expect, test } from 'vitest';
import { checkPayload } from '../../src/contract/ivms101-check/check.ts';
import { ADDRESS, BIRTH, idOf, legal, NAME, NOW, natural, problemsOf, REGISTER, REQUEST } from '../support/ivms101.ts';

const path = (persons: unknown[]) => ({ ...REQUEST, transferPath: { transferPath: persons } });

describe('IVMS101: a payload', () => {
  test.each<[string, unknown, string[]]>([
    ['a request', REQUEST, []],
    ['a payload with another version text', { version: '101.2023', ivms101: REQUEST }, []],
    ['a whole request', { payload: { version: '1.0', ivms101: REQUEST } }, []],
    ['a text', JSON.stringify(REQUEST), []],
    ['the text of an originator', JSON.stringify(REQUEST.originator), []],
    ['an originator with only a name', { ...REQUEST, originator: { originatorPersons: [natural()] } }, ['C1']],
    ['a beneficiary with only a name', { beneficiary: REQUEST.beneficiary }, []],
    ['a company as originator', { originator: { originatorPersons: [legal(), natural()] } }, ['C4']],
    [
      'with an address of another type',
      { originator: { originatorPersons: [legal({ geographicAddress: [{ ...ADDRESS, addressType: 'BIZZ' }] })] } },
      ['C4'],
    ],
    [
      'with one of type GEOG',
      { originator: { originatorPersons: [legal({ geographicAddress: [{ ...ADDRESS, addressType: 'GEOG' }] })] } },
      [],
    ],
    ['a VASP', { originatingVASP: legal(idOf(REGISTER)) }, []],
    ['a VASP without authority', { originatingVASP: legal(idOf({ ...REGISTER, registrationAuthority: '' })) }, ['C9']],
    [
      'a transfer path',
      path([
        { intermediaryVASP: legal(), sequence: 0 },
        { intermediaryVASP: legal(), sequence: 1 },
      ]),
      [],
    ],
    [
      'a gap in it',
      path([
        { intermediaryVASP: legal(), sequence: 1 },
        { intermediaryVASP: legal(), sequence: 2 },
      ]),
      ['C12'],
    ],
    [
      'a number twice',
      path([
        { intermediaryVASP: legal(), sequence: 0 },
        { intermediaryVASP: legal(), sequence: 0 },
      ]),
      ['C12'],
    ],
    ['a script', { ...REQUEST, payloadMetadata: { transliterationMethod: ['kore'] } }, []],
    [
      'an unknown script',
      { ...REQUEST, payloadMetadata: { transliterationMethod: ['klingon'] } },
      ['TransliterationMethodCode'],
    ],
    ['no persons', { beneficiary: { beneficiaryPersons: [] } }, ['Beneficiary']],
    ['something else', { hello: 1 }, ['Payload']],
    ['nothing', null, ['Payload']],
    ['a text that is no JSON', 'hello', ['Payload']],
  ])('%s', (_, payload, clauses) => expect(problemsOf(payload).map(({ clause }) => clause)).toEqual(clauses));

  test.each([
    ['Robbins\u200b', '⟨U+200B⟩'],
    ['\u0422aylor Rob\u00a0bins', '⟨U+00A0⟩, ⟨U+0422⟩'],
  ])('%j: what nobody sees is shown, and nothing else of the name', (primaryIdentifier, shown) => {
    const name = { nameIdentifier: [{ ...NAME, primaryIdentifier }] };
    expect(problemsOf(natural({}, name))).toEqual([
      expect.objectContaining({
        severity: 'WARNING',
        text: `The text has characters that nobody sees, or that look like others: ${shown}.`,
      }),
    ]);
  });

  test.each(['Тейлор', '홍 길동', 'O’Brien', 'Núñez', '山田 太郎'])(
    '%s has nothing that nobody sees',
    primaryIdentifier => {
      const name = { localNameIdentifier: [{ ...NAME, primaryIdentifier }] };
      expect(problemsOf(natural({}, name))).toEqual([]);
    },
  );

  test('60,000 elements are one problem, found at once', () => {
    const problems = problemsOf({
      beneficiary: { beneficiaryPersons: [natural()], accountNumber: Array(60_000).fill('x') },
    });
    expect(problems).toEqual([
      expect.objectContaining({ path: 'beneficiary.accountNumber', wanted: 'at most 100 elements' }),
    ]);
  });

  test('at most 100 problems are told', () => {
    const persons = Array.from({ length: 100 }, () => natural({ nationality: 'ZZ', countryOfResidence: 'ZZ' }));
    expect(problemsOf({ beneficiary: { beneficiaryPersons: persons } })).toHaveLength(100);
  });
});

describe('as other networks write it', () => {
  const VASP = legal({ nationalIdentification: REGISTER });
  test.each([
    ['originatingVASP', 'originatingVASP'],
    ['beneficiaryVASP', 'beneficiaryVASP'],
    ['originatingVASP', 'originating_vasp'],
    ['beneficiaryVASP', 'beneficiaryVasp'],
  ])('%s with %s inside is read, and told as a warning', (outer, inner) => {
    const nested = (vasp: object) => problemsOf({ ...REQUEST, [outer]: { [inner]: vasp } });
    expect(nested(VASP)).toEqual([
      expect.objectContaining({ severity: 'WARNING', path: outer, wanted: `${outer} without ${inner} inside` }),
    ]);
    expect(nested(legal({ countryOfRegistration: 'ZZ' })).map(({ path }) => path)).toEqual([
      outer,
      `${outer}.${inner}.legalPerson.countryOfRegistration`,
    ]);
  });

  test.each(['payload', 'ivms101', 'identity', 'IVMS101'])('in the member %s', name => {
    expect(checkPayload({ [name]: REQUEST }, NOW)).toEqual({ dialect: '2020', problems: [] });
  });

  test.each([
    ['with a country of registration', { ...legal().legalPerson, countryOfRegistration: 'KR' }],
    ['with its name only', legal().legalPerson],
    ['in snake_case', { name: { name_identifiers: [{ legal_person_name: 'Kim Ltd' }] } }],
  ])('a legal person by itself, %s, is no natural one', (_, person) => {
    const clauses = problemsOf(person).map(({ clause }) => clause);
    expect(clauses.filter(clause => clause.startsWith('Natural'))).toEqual([]);
  });
  test('a natural person by itself is none that is legal', () => {
    expect(problemsOf({ ...natural().naturalPerson, dateAndPlaceOfBirth: BIRTH })).toEqual([]);
  });

  test('a person whose list of names is empty is there, and its name is missing', () => {
    const problems = problemsOf({
      beneficiary: { beneficiaryPersons: [{ naturalPerson: { name: { nameIdentifier: [] } } }] },
    });
    expect(problems).toEqual([
      expect.objectContaining({
        path: 'beneficiary.beneficiaryPersons[0].naturalPerson.name.nameIdentifier',
        text: 'The person has no name.',
      }),
    ]);
  });
});
