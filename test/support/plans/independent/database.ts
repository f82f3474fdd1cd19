import type { Is } from './wrongs.ts';

/** Databases and patterns of careless VASPs. */

/** What a careless database refuses. */
export function store(text: string, is: Is): string {
  const isRefused =
    (is('stores no apostrophe') && text.includes("'")) ||
    (is('stores letters of three bytes') && /[\u{10000}-\u{10FFFF}]/u.test(text)) ||
    (is('has room for 64 letters') && text.length > 64);
  if (isRefused) throw new Error('refused by the database');
  return is('compares names without accents') ? text.normalize('NFD').replace(/\p{M}/gu, '') : text;
}

/** Numbers and sets of a careless comparison. */
export const isSameTag = (is: Is, tag: string | undefined, own: string | undefined): boolean =>
  tag === own ||
  (is('tag 0 is no tag') && tag === '0') ||
  (is('keeps 32 bits of a tag') && Number(tag) % 2 ** 32 === Number(own)) ||
  (is('compares tags as numbers') && tag !== undefined && Number(tag) === Number(own));
const wordsOf = (...texts: string[]): string => [...new Set(texts.join(' ').split(' '))].sort().join(' ');
export const hasSameWords = (is: Is, asked: string[], own: string[]): boolean =>
  is('compares the words of a name') && wordsOf(...asked) === wordsOf(...own);

/** `%` of SQL and `.*` of a pattern. */
export const isLike = (is: Is, text: string): boolean =>
  (is('compares names by LIKE') && text === '%') || (is('compares names by a pattern') && text === '.*');
