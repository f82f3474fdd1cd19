import * as z from 'zod';
import {
  identifiersOf,
  type LegalPersonName,
  type NaturalPersonName,
  type NaturalPersonNameIdentifier,
  type Person,
  type Persons,
} from './ivms101.ts';
import { NameText, named } from './text.ts';

/** IVMS101 of persons whose names are known. */

/** WIRE-4: without a first name there is no `secondaryIdentifier`. */
export const natural = (lastName: string, firstName?: string, more: object = {}): Person => ({
  naturalPerson: {
    name: {
      nameIdentifier: [
        {
          primaryIdentifier: lastName,
          ...(firstName === undefined ? {} : { secondaryIdentifier: firstName }),
          nameIdentifierType: 'LEGL',
        },
      ],
    },
    ...more,
  },
});

export const legal = (legalPersonName: string): Person => ({
  legalPerson: { name: { nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }] } },
});

/** A legal person is followed by its representatives. `birth`: of each natural person. */
export function personsOf(user: { kind: Named['kind']; names: object }, birth: object = {}): Person[] {
  // The kind decides the form of the names.
  const named = user as NamedCustomer;
  if (named.kind === 'natural') return [natural(named.names.lastName, named.names.firstName, birth)];
  const { legalName, representatives } = named.names;
  return [legal(legalName), ...representatives.map(each => natural(each.lastName, each.firstName, birth))];
}

/**
 * WIRE-3.2: the same persons with only what was wanted. Element 0 is the legal person, even without its name.
 * `wanted`: codes of `requiredBeneficiaryInfo`. `received`: the persons of the request.
 */
export function wantedPersons(named: NamedCustomer, wanted: readonly string[], received: Persons): Person[] {
  if (named.kind === 'natural') return wanted.includes('NATURAL_PERSON_NAME') ? personsOf(named) : [];
  const isNameWanted = wanted.includes('LEGAL_PERSON_NAME');
  const representatives = wanted.includes('CORPORATE_REPRESENTATIVE_NAME')
    ? matchingRepresentatives(named.names.representatives, received.slice(1))
    : [];
  if (!isNameWanted && representatives.length === 0) return [];
  const [company, ...others] = personsOf({ kind: 'legal', names: { ...named.names, representatives } });
  return [isNameWanted ? company! : { legalPerson: {} }, ...others];
}

/** The names of a person or company, in the form of the fixtures and of the customers file. */

/** A company has a few. */
export const MAX_REPRESENTATIVES = 10;

export const PersonNames = z
  .strictObject({ lastName: NameText, firstName: NameText })
  .meta({ id: 'PersonNames', description: 'The names of a natural person.' });
export type PersonNames = z.infer<typeof PersonNames>;

/** WIRE-4: a name that cannot be split is a last name only. */
export const CustomerNames = PersonNames.extend({ firstName: NameText.optional() }).meta({
  id: 'CustomerNames',
  description: 'The names of a customer. A name that cannot be split is a last name only.',
});
export type CustomerNames = z.infer<typeof CustomerNames>;

export const CompanyNames = z
  .strictObject({ legalName: NameText, representatives: z.array(PersonNames).min(1).max(MAX_REPRESENTATIVES) })
  .meta({ id: 'CompanyNames', description: 'The names of a legal person and of its representatives.' });
export type CompanyNames = z.infer<typeof CompanyNames>;

const NaturalNamed = named('NaturalNamed', 'A natural person.', { kind: z.literal('natural'), names: PersonNames });
export const LegalNamed = named('LegalNamed', 'A legal person with its representatives.', {
  kind: z.literal('legal'),
  names: CompanyNames,
});

/** Anybody with a name: a user of the robot, a customer of the tested VASP. */
export const Named = z
  .discriminatedUnion('kind', [NaturalNamed, LegalNamed], { error: 'should be `natural` or `legal`' })
  .meta({ id: 'Named', description: 'A natural person, or a legal person with its representatives.' });
export type Named = z.infer<typeof Named>;

/** The same with a customer who has one name. */
export type NamedCustomer = Named | { kind: 'natural'; names: CustomerNames };

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
const matchingRepresentatives = (representatives: readonly PersonNames[], persons: Persons): PersonNames[] =>
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
