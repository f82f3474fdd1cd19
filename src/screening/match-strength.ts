import { distance } from 'fastest-levenshtein';
import { MATCH_STRENGTHS, type MatchStrength } from '../contract/risk.ts';
import { foldName } from './fold-name.ts';
import type { WatchEntry } from './load.ts';
import type { ScreenedPerson } from './port.ts';

/** Least similarity (1 - edits / length of the longer name) for each strength, ascending. */
const LEAST_SIMILARITY = [
  ['WEAK', 0.7],
  ['MEDIUM', 0.8],
  ['STRONG', 0.9],
  ['EXACT', 1],
] as const satisfies readonly (readonly [MatchStrength, number])[];

/** How strongly a person matches an entry: the best of all names, one step up or down by birth data. */
export function matchStrength(person: ScreenedPerson, entry: WatchEntry): MatchStrength | null {
  if (person.kind !== entry.kind) return null;
  const [given, listed] = [person.names, entry.names].map(names => names.map(foldName));
  const similarity = Math.max(
    0,
    ...given!.map(one => Math.max(...listed!.map(other => similarityOf(one, other)))),
  );
  const byName = LEAST_SIMILARITY.findLastIndex(([, least]) => similarity >= least);
  if (byName < 0) return null;
  const step = Math.min(byName + evidenceOf(person, entry), MATCH_STRENGTHS.length - 1);
  return MATCH_STRENGTHS[step] ?? null;
}

/** Order of the words does not matter: last and first names change places between lists. */
function similarityOf(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  return Math.max(...rotations(a).map(turned => closeness(turned, b)), closeness(sorted(a), sorted(b)));
}

const closeness = (a: string, b: string): number => 1 - distance(a, b) / Math.max(a.length, b.length);
const sorted = (name: string): string => name.split(' ').sort().join(' ');

/** Long texts are nobody's name: they are compared as they stand. */
const MOST_WORDS = 8;

function rotations(name: string): string[] {
  const words = name.split(' ');
  if (words.length > MOST_WORDS) return [name];
  return words.map((_, first) => [...words.slice(first), ...words.slice(0, first)].join(' '));
}

/** +1: birth data says it is the same person; -1: another one; 0: nothing is known, or it contradicts itself. */
function evidenceOf(person: ScreenedPerson, entry: WatchEntry): number {
  const date = agreement(person.dateOfBirth, entry.dateOfBirth);
  const place = agreement(person.placeOfBirth, entry.placeOfBirth);
  return Math.sign(date + place);
}

function agreement(given: string | undefined, listed: string | undefined): number {
  if (given === undefined || listed === undefined) return 0;
  return foldName(given) === foldName(listed) ? 1 : -1;
}
