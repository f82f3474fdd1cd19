import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { WatchEntry } from '../../src/screening/load.ts';
import { foldName, matchStrength } from '../../src/screening/match-strength.ts';
import { DEVELOPMENT_KEYS } from '../../src/screening/port.ts';
import { data, personOf, screeningOf } from '../support/screening/simulated-providers.ts';

const entry = (names: string[], more: Partial<WatchEntry> = {}): WatchEntry => ({
  id: 'test',
  kind: 'INDIVIDUAL',
  names,
  category: 'SANCTIONS',
  ...more,
});

describe('one name in several spellings is EXACT', () => {
  test.each([
    ['Anton Petrov', 'Антон Петров'],
    ['PETROV, ANTON', 'Anton Petrov'],
    ['Müller Jürgen', 'Juergen Mueller'],
    ['Größmann', 'Groessmann'],
    ['François Lefèvre', 'Francois Lefevre'],
    ["Seán O'Neil", 'Sean ONeil'],
    ['Łukasz Żak', 'Lukasz Zak'],
    ['Αλέξης Παπάς', 'Alexis Papas'],
    ['Семён', 'Semen'],
    ['Ｔａｙｌｏｒ', 'taylor'],
    ['Анна-Мария', 'Anna Mariya'],
    ['김철수', '김철수'],
  ])('%s and %s', (one, other) => {
    expect(matchStrength(personOf(one), entry([other]))).toBe('EXACT');
    expect(matchStrength(personOf(other), entry([one]))).toBe('EXACT');
  });
});

describe('edits lower the strength', () => {
  test.each([
    ['Marisol Castellanos', 'EXACT'],
    ['Marisol Castelanos', 'STRONG'],
    ['Maricol Castelanos', 'MEDIUM'],
    ['Maricol Kastelanus', 'WEAK'],
    ['Maria Kastelanus', null],
    ['Somebody Else', null],
    ['', null],
    ['—', null],
  ])('%s: %s', (name, wanted) => {
    expect(matchStrength(personOf(name), entry(['Marisol Castellanos']))).toBe(wanted);
  });

  test('the best pair of names counts', () => {
    const person = { ...personOf('Somebody Else'), names: ['Somebody Else', 'Anton Petrov'] };
    expect(matchStrength(person, entry(['Nobody', 'Petrov Anton']))).toBe('EXACT');
  });

  test('a company is never a person of the same name', () => {
    expect(matchStrength(personOf('Acme', { kind: 'ORGANISATION' }), entry(['Acme']))).toBeNull();
  });
});

describe('birth data', () => {
  const listed = entry(['Marisol Castellanos'], { dateOfBirth: '1966-08-30', placeOfBirth: 'Guadalajara' });
  test.each([
    ['Marisol Castelanos', {}, 'STRONG'],
    ['Marisol Castelanos', { dateOfBirth: '1966-08-30' }, 'EXACT'],
    ['Marisol Castelanos', { dateOfBirth: '1966-08-31' }, 'MEDIUM'],
    ['Marisol Castelanos', { placeOfBirth: 'GUADALAJARA' }, 'EXACT'],
    ['Marisol Castelanos', { placeOfBirth: 'Lima' }, 'MEDIUM'],
    ['Marisol Castelanos', { dateOfBirth: '1966-08-30', placeOfBirth: 'Lima' }, 'STRONG'],
    ['Marisol Castellanos', { dateOfBirth: '1966-08-30', placeOfBirth: 'Guadalajara' }, 'EXACT'],
    ['Marisol Castellanos', { dateOfBirth: '1970-01-01', placeOfBirth: 'Lima' }, 'STRONG'],
    ['Maricol Kastelanus', { dateOfBirth: '1970-01-01' }, null],
    ['Somebody Else', { dateOfBirth: '1966-08-30', placeOfBirth: 'Guadalajara' }, null],
  ])('%s %j: %s', (name, birth, wanted) => {
    expect(matchStrength(personOf(name, birth), listed)).toBe(wanted);
  });
});

test('any text can be compared with every entry, and folding twice changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), name => {
      for (const each of data.watchList) matchStrength(personOf(name), each);
      const folded = foldName(name);
      expect(folded).toBe(folded.trim());
      expect(folded).not.toMatch(/\s{2}/);
    }),
    { numRuns: 300 },
  );
});

test('others have their turn while thousands of names are compared', async () => {
  const keys = DEVELOPMENT_KEYS;
  const { wco } = screeningOf();
  const words = Array.from({ length: 8 }, (_, word) => 'abcdefghijklmnopqrstuvwx'.slice(word)).join(' ');
  const person = (n: number) => ({
    ...personOf(''),
    names: Array.from({ length: 60 }, (_, i) => `${words} ${n} ${i}`),
  });
  const party = { persons: Array.from({ length: 20 }, (_, n) => person(n)), asset: 'ETH', address: '0x' };
  await wco.result(keys, 'r', { ...party, persons: [personOf('Anton Petrov')] }, 1);
  let isOver = false;
  let turns = 0;
  const turn = () => {
    turns++;
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const finding = await wco.result(keys, 'r', party, 1);
  isOver = true;
  expect(finding).toMatchObject({ matchStrength: null });
  expect(turns).toBeGreaterThan(10);
});
