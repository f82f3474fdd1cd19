import anyAscii from 'any-ascii';
import { distance } from 'fastest-levenshtein';
import { MATCH_STRENGTHS, type MatchStrength } from '../contract/risk.ts';
import type { WatchEntry } from './load.ts';
import type { ScreenedPerson } from './port.ts';

/** The minimum similarity of each strength, ascending. Similarity is 1 - edits / length of the longer name. */
const LEAST_SIMILARITY = [
  ['WEAK', 0.7],
  ['MEDIUM', 0.8],
  ['STRONG', 0.9],
  ['EXACT', 1],
] as const satisfies readonly (readonly [MatchStrength, number])[];

/** The best match of all names, moved one step up or down by birth data. Null: no match. */
export function matchStrength(person: ScreenedPerson, entry: WatchEntry): MatchStrength | null {
  if (person.kind !== entry.kind) return null;
  const [names, listed] = [person.names, entry.names].map(each => each.map(foldName));
  const similarity = Math.max(0, ...names!.map(one => Math.max(...listed!.map(other => similarityOf(one, other)))));
  const byName = LEAST_SIMILARITY.findLastIndex(([, least]) => similarity >= least);
  if (byName < 0) return null;
  const step = Math.min(byName + evidenceOf(person, entry), MATCH_STRENGTHS.length - 1);
  return MATCH_STRENGTHS[step] ?? null;
}

/** Ignores the order of the words: some lists put the last name first. */
function similarityOf(a: string, b: string): number {
  if (a === '' || b === '') return 0;
  return Math.max(...rotations(a).map(rotated => closeness(rotated, b)), closeness(sorted(a), sorted(b)));
}

const closeness = (a: string, b: string): number => 1 - distance(a, b) / Math.max(a.length, b.length);
const sorted = (name: string): string => name.split(' ').sort().join(' ');

/** A text of more words is hardly a name. It is compared in its own order only. */
const MAX_WORDS = 8;

function rotations(name: string): string[] {
  const words = name.split(' ');
  if (words.length > MAX_WORDS) return [name];
  return words.map((_, first) => [...words.slice(first), ...words.slice(0, first)].join(' '));
}

/** +1: birth data confirms the person; -1: it excludes the person; 0: it is missing or contradictory. */
function evidenceOf(person: ScreenedPerson, entry: WatchEntry): number {
  const date = agreement(person.dateOfBirth, entry.dateOfBirth);
  const place = agreement(person.placeOfBirth, entry.placeOfBirth);
  return Math.sign(date + place);
}

function agreement(value: string | undefined, listed: string | undefined): number {
  if (value === undefined || listed === undefined) return 0;
  return foldName(value) === foldName(listed) ? 1 : -1;
}

/** Folds names into Latin letters and digits, so that one name compares equal across scripts and spellings. */

/** Two spellings of one sound: `Mueller` folds like `Müller`. */
const SPELLINGS = [
  [/ae/g, 'a'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
  [/ph/g, 'f'],
  [/kh/g, 'h'],
] as const;

export function foldName(name: string): string {
  const plain = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  return SPELLINGS.reduce((text, [two, one]) => text.replace(two, one), plain);
}
