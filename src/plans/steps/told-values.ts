import type { Customer } from '../../contract/customers.ts';
import { foldText } from '../../contract/names.ts';

/** WIRE-3.2, by value: what an answer tells about a customer, wherever it stands. */

/** Names, date and place of birth. */
export function valuesOf(customer: Customer): string[] {
  const { kind, names, dateOfBirth, placeOfBirth } = customer;
  const people = kind === 'natural' ? [names] : names.representatives;
  return [
    ...(kind === 'legal' ? [names.legalName] : []),
    ...people.flatMap(({ lastName, firstName }) => [lastName, firstName]),
    dateOfBirth ?? '',
    placeOfBirth ?? '',
  ].filter(text => text !== '');
}

/**
 * True: a text of the answer is one of the values, or holds two of them. A single word in a sentence proves nothing:
 * people are called Grant and May.
 */
export function tells(answer: unknown, values: readonly string[]): boolean {
  const folded = [...new Set(values.map(foldText))];
  return textsIn(answer).some(text => {
    const words = ` ${wordsOf(text)} `;
    const told = folded.filter(value => words.includes(` ${wordsOf(value)} `));
    return told.length > 1 || told.some(value => wordsOf(value) === words.trim());
  });
}

const wordsOf = (text: string): string =>
  foldText(text)
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}
