import type { Is } from './wrongs.ts';

/** Databases and patterns of careless VASPs. */

/** What a careless database refuses. */
export function store(text: string, is: Is): string {
  const isRefused =
    (is('stores no apostrophe') && text.includes("'")) ||
    (is('stores letters of three bytes') && /[\u{10000}-\u{10FFFF}]/u.test(text)) ||
    (is('has room for 64 letters') && text.length > 64);
  if (isRefused) throw new Error('refused by the database');
  return text;
}

/** `%` of SQL and `.*` of a pattern. */
export const isLike = (is: Is, text: string): boolean =>
  (is('compares names by LIKE') && text === '%') || (is('compares names by a pattern') && text === '.*');
