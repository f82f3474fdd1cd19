import {
  identifiersOf,
  type LegalPersonName,
  type NaturalPersonName,
  type NaturalPersonNameIdentifier,
  type Persons,
} from './ivms101.ts';
import type { CustomerNames, NamedCustomer, PersonNames } from './person-names.ts';

/** D-09: does a name in a message match the name of a user or customer? */

/** Normalises to NFC, folds case and white space. '' for a blank or absent text. */
export const foldText = (text: string | null | undefined): string =>
  text && ASCII_WORD.test(text) ? text.toLowerCase() : folded(text ?? '');

/** Shortcut: for most names lower case is enough. */
const ASCII_WORD = /^[!-~]+$/;

const folded = (text: string): string =>
  text
    .normalize('NFC')
    // `\s` and `trim` also take the byte order mark, which is no blank (D-46).
    .replace(/\p{White_Space}+/gu, ' ')
    .replace(/^ | $/g, '')
    // Upper case first: then ß equals SS, ŉ equals ʼN, and both small sigmas are equal.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');

/** Why the names do not match, in plain words without personal data. Undefined: they match. */
export function nameDifference(user: NamedCustomer, persons: Persons | null | undefined): string | undefined {
  const [first, ...others] = persons ?? [];
  if (!first) return 'there is no person';
  if (user.kind === 'natural') {
    if (first.legalPerson) return 'the person is a legal person, but the user is a natural person';
    return personDifference(user.names, first.naturalPerson?.name);
  }
  if (!first.legalPerson) return 'the first person is a natural person, but the user is a legal person';
  const company = companyDifference(user.names.legalName, first.legalPerson.name);
  if (company) return company;
  // REF-4.6.7: one of the representatives is enough.
  if (others.length === 0) return 'there is no representative';
  return others.some(person => matchingRepresentatives(user.names.representatives, [person]).length > 0)
    ? undefined
    : 'no representative matches one of the user';
}

/** The representatives of the user that are named among `persons`. */
export const matchingRepresentatives = (representatives: readonly PersonNames[], persons: Persons): PersonNames[] =>
  representatives.filter(names => persons.some(person => isNamed(names, person.naturalPerson?.name)));

export const isNamed = (names: CustomerNames, name: NaturalPersonName | null | undefined): boolean =>
  personDifference(names, name) === undefined;

function companyDifference(legalName: string, name: LegalPersonName | null | undefined): string | undefined {
  const legalNames = identifiersOf(name)
    .map(identifier => foldText(identifier.legalPersonName))
    .filter(text => text !== '');
  if (legalNames.length === 0) return 'legalPersonName is missing';
  return legalNames.includes(foldText(legalName)) ? undefined : 'legalPersonName differs';
}

function personDifference(names: CustomerNames, name: NaturalPersonName | null | undefined): string | undefined {
  const differences = identifiersOf(name).map(identifier => identifierDifference(names, identifier));
  if (differences.includes(undefined)) return undefined;
  return differences[0] ?? 'there is no name';
}

function identifierDifference(names: CustomerNames, identifier: NaturalPersonNameIdentifier): string | undefined {
  const last = foldText(names.lastName);
  const first = foldText(names.firstName);
  const primary = foldText(identifier.primaryIdentifier);
  const secondary = foldText(identifier.secondaryIdentifier);
  if (primary === last && secondary === first) return undefined;
  if (secondary === '' && (primary === `${first} ${last}` || primary === `${last} ${first}`)) return undefined;
  if (primary === first && secondary === last) return 'primaryIdentifier and secondaryIdentifier are swapped';
  if (primary === last) return `secondaryIdentifier ${secondary === '' ? 'is missing' : 'differs'}`;
  if (secondary === first) return `primaryIdentifier ${primary === '' ? 'is missing' : 'differs'}`;
  return 'primaryIdentifier and secondaryIdentifier differ';
}
