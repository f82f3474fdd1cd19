import { describe, expect, test } from 'vitest';
import type { NaturalPersonNameIdentifier, Persons } from '../../src/contract/ivms101.ts';
import type { User } from '../../src/robot/users/user.ts';
import { userDirectory } from '../../src/robot/users/users.ts';
import { chains, decision, judgeUser, legal, natural, userOf } from '../support/judge/judge-request.ts';

const taylor = (primaryIdentifier: string | null, secondaryIdentifier?: string | null): Persons => [
  { naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier, secondaryIdentifier }] } } },
];
const reasonOf = (beneficiary: Persons) => judgeUser({ beneficiary }).verdict.reason;

describe('D-09: is the name of Taylor Robbins', () => {
  test.each([
    ['upper case', taylor('ROBBINS', 'TAYLOR')],
    ['lower case', taylor('robbins', 'taylor')],
    ['blanks around', taylor('  Robbins ', '\tTaylor\n')],
    ['first and last name in primaryIdentifier', taylor('Taylor Robbins')],
    ['last and first name in primaryIdentifier', taylor('Robbins Taylor')],
    ['joined with many blanks', taylor('robbins \u00a0  TAYLOR')],
    ['joined, secondaryIdentifier null', taylor('Taylor Robbins', null)],
    ['joined, secondaryIdentifier blank', taylor('Taylor Robbins', ' ')],
  ])('%s', (_, persons) => {
    expect(reasonOf(persons)).toBe('OK');
  });

  test.each(['nameIdentifier', 'localNameIdentifier', 'phoneticNameIdentifier'])('in %s', member => {
    const right: NaturalPersonNameIdentifier = { primaryIdentifier: 'Robbins', secondaryIdentifier: 'Taylor' };
    const wrong: NaturalPersonNameIdentifier = { primaryIdentifier: 'Robins', secondaryIdentifier: 'Tyler' };
    const name = { nameIdentifier: [wrong], [member]: [wrong, right] };
    expect(reasonOf([{ naturalPerson: { name } }])).toBe('OK');
  });
});

describe('D-09: is not the name of Taylor Robbins, and the timeline says why', () => {
  test.each([
    ['swapped', taylor('Taylor', 'Robbins'), 'primaryIdentifier and secondaryIdentifier are swapped'],
    ['another first name', taylor('Robbins', 'Tylor'), 'secondaryIdentifier differs'],
    ['no first name', taylor('Robbins'), 'secondaryIdentifier is missing'],
    ['another last name', taylor('Robins', 'Taylor'), 'primaryIdentifier differs'],
    ['no last name', taylor(null, 'Taylor'), 'primaryIdentifier is missing'],
    ['another person', taylor('Cook', 'Ethan'), 'primaryIdentifier and secondaryIdentifier differ'],
    ['joined without a blank', taylor('TaylorRobbins'), 'primaryIdentifier and secondaryIdentifier differ'],
    ['joined and once more', taylor('Taylor Robbins', 'Taylor'), 'primaryIdentifier differs'],
    ['a part of the last name', taylor('Robb', 'Taylor'), 'primaryIdentifier differs'],
    ['no identifiers', [{ naturalPerson: { name: { nameIdentifier: [] } } }], 'there is no name'],
    ['no name', [{ naturalPerson: { name: null } }], 'there is no name'],
    ['nobody', [], 'there is no person'],
    [
      'as second person only',
      [natural('Cook', 'Ethan'), natural('Robbins', 'Taylor')],
      'primaryIdentifier and secondaryIdentifier differ',
    ],
    ['a company', [legal('Taylor Robbins')], 'the person is a legal person, but the user is a natural person'],
  ] as [string, Persons, string][])('%s', (_, beneficiary, detail) => {
    const judgement = judgeUser({ beneficiary });
    expect(judgement.verdict).toEqual({ result: 'DENIED', reason: 'MISMATCHED-NAME', message: '' });
    expect(decision(judgement)).toMatchObject({ rule: 'name', field: 'beneficiaryPersons', detail });
  });
});

describe('D-09: names beyond plain letters', () => {
  const named = (lastName: string, firstName: string) => {
    const user: User = { ...userOf('taylor-robbins'), kind: 'natural', names: { lastName, firstName } };
    return userDirectory([user], chains);
  };

  test.each([
    ['decomposed against composed', 'Núñez', 'Zoë', 'Nu\u0301n\u0303ez', 'Zoe\u0308'],
    ['composed against decomposed', 'Nu\u0301n\u0303ez', 'Zoe\u0308', 'NÚÑEZ', 'ZOË'],
    ['Hangul by letters', '김', '민준', '김'.normalize('NFD'), '민준'.normalize('NFD')],
    ['sharp s in capitals', 'Weiß', 'Karl', 'WEISS', 'KARL'],
    ['the two small sigmas', 'Παπαδόπουλος', 'Νίκος', 'ΠΑΠΑΔΌΠΟΥΛΟΣ', 'ΝΊΚΟΣ'],
    ['marks in another order', '\u1fb4bg', 'Eva', '\u03b1\u0345\u0301bg', 'Eva'],
    ['inner blanks', 'van der Berg', 'Anna Maria', 'van  der\u00a0Berg', 'anna\u3000maria'],
  ])('%s match', (_, lastName, firstName, primary, secondary) => {
    const users = named(lastName, firstName);
    expect(judgeUser({ beneficiary: [natural(primary, secondary)] }, users).verdict.reason).toBe('OK');
    expect(judgeUser({ beneficiary: taylor(`${secondary} ${primary}`) }, users).verdict.reason).toBe('OK');
  });

  test('letters with and without their accent do not match', () => {
    const users = named('Núñez', 'Zoë');
    expect(judgeUser({ beneficiary: [natural('Nunez', 'Zoe')] }, users).verdict.reason).toBe('MISMATCHED-NAME');
  });
});

describe('REF-4.6.7, D-09: a company', () => {
  const judged = (...beneficiary: Persons) => judgeUser({ user: 'garrit-studio', beneficiary });

  test('matches without regard to case and blanks, under any kind of name', () => {
    const name = {
      nameIdentifier: [{ legalPersonName: 'GS' }],
      localNameIdentifier: [{ legalPersonName: ' GARRIT  studio' }],
    };
    expect(judged({ legalPerson: { name } }, natural('CLARKE', 'jason')).verdict.reason).toBe('OK');
  });

  test.each([
    ['another name', [legal('Garrit'), natural('Clarke', 'Jason')], 'legalPersonName differs'],
    ['no name', [{ legalPerson: {} }, natural('Clarke', 'Jason')], 'legalPersonName is missing'],
    ['no representative', [legal('Garrit Studio')], 'there is no representative'],
    [
      'representative swapped',
      [legal('Garrit Studio'), natural('Jason', 'Clarke')],
      'no representative matches one of the user',
    ],
    [
      'representative first',
      [natural('Clarke', 'Jason'), legal('Garrit Studio')],
      'the first person is a natural person, but the user is a legal person',
    ],
    [
      'names of two representatives mixed',
      [legal('Garrit Studio'), natural('Clarke', 'Mara')],
      'no representative matches one of the user',
    ],
  ] as [string, Persons, string][])('%s: MISMATCHED-NAME, and the timeline says why', (_, persons, detail) => {
    const judgement = judged(...persons);
    expect(judgement.verdict.reason).toBe('MISMATCHED-NAME');
    expect(decision(judgement)?.detail).toBe(detail);
  });
});
