import type { Customer } from '../../contract/customers.ts';
import { type CustomerNames, foldText } from '../../contract/persons.ts';

/** WIRE-3.2, by value: what an answer tells about a customer, wherever it stands. */

/** Names, date and place of birth. */
export function valuesOf(customer: Customer): string[] {
  const { kind, names, dateOfBirth, placeOfBirth } = customer;
  const people: readonly CustomerNames[] = kind === 'natural' ? [names] : names.representatives;
  return [
    ...(kind === 'legal' ? [names.legalName] : []),
    ...people.flatMap(({ lastName, firstName }) => [lastName, firstName ?? '']),
    dateOfBirth ?? '',
    placeOfBirth ?? '',
  ].filter(text => text !== '');
}

/**
 * True: a text of the answer is one of the values, holds two of them, or shows a part of one (`Ba***`). A small word in a
 * sentence proves nothing: people are called Grant and May. As a name in it, `owner Grant` tells. What may be a part of the
 * request's own words tells nothing.
 */
export function tells(answer: unknown, values: readonly string[], request?: unknown): boolean {
  const known = textsIn(request).flatMap(text => text.split(/\s+/));
  const folded = [...new Set(values.map(foldText))];
  return textsIn(answer).some(text => {
    const words = ` ${wordsOf(text)} `;
    const told = folded.filter(value => words.includes(` ${wordsOf(value)} `));
    const isWhole = told.some(value => wordsOf(value) === words.trim());
    const isPart = (value: string) => isMaskedIn(text, value) && !known.some(word => isMaskedIn(text, word));
    return told.length > 1 || isWhole || values.some(value => isNamedIn(text, value) || isPart(value));
  });
}

/** Inside a sentence only a name begins with a capital letter. */
function isNamedIn(text: string, value: string): boolean {
  const at = /^\p{Lu}\p{Ll}/u.test(value) ? text.indexOf(value) : -1;
  const before = text.slice(0, Math.max(0, at)).trimEnd();
  return at > 0 && /[\p{L}:,]$/u.test(before) && !/^\p{L}/u.test(text.slice(at + value.length));
}

/** Some letters of a value, with marks in the place of the others. */
const isMaskedIn = (text: string, value: string): boolean =>
  text.split(/\s+/).some(word => {
    const [, begin = '', end = ''] = /^(\p{L}*)[*\u2022\u25cf]+(\p{L}*)$/u.exec(word) ?? [];
    const [own, from, to] = [value, begin, end].map(foldText) as [string, string, string];
    return from + to !== '' && own.startsWith(from) && own.endsWith(to);
  });

const wordsOf = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
