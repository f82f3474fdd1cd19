import type {
  LegalPersonName,
  NaturalPersonName,
  NaturalPersonNameIdentifier,
  Persons,
} from '../../contract/ivms101.ts';
import type { PersonNames, User } from '../users/user.ts';

/** D-09: when a name of a message is the name of a user. */

/** NFC, without regard to case, blanks folded; '' for a blank or absent text. */
export const foldText = (text: string | null | undefined): string =>
  (text ?? '')
    .normalize('NFC')
    .replace(/\s+/gu, ' ')
    .trim()
    // Up first, so that one-to-many forms (ß, ŉ) and the two small sigmas meet.
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC');

/** What stands against a match, in plain words without anybody's data; undefined: the names match. */
export function nameDifference(user: User, persons: Persons | null | undefined): string | undefined {
  const [first, ...others] = persons ?? [];
  if (!first) return 'no person is given';
  if (user.kind === 'natural') {
    if (first.legalPerson) return 'a legal person is given, the user is a natural person';
    return personDifference(user.names, first.naturalPerson?.name);
  }
  if (!first.legalPerson) return 'a natural person is given first, the user is a legal person';
  const company = companyDifference(user.names.legalName, first.legalPerson.name);
  if (company) return company;
  // REF-4.6.7: one of the representatives is enough.
  if (others.length === 0) return 'no representative is given';
  return others.some(person => matchingRepresentatives(user.names.representatives, [person]).length > 0)
    ? undefined
    : 'no representative given is one of the user';
}

/** Which of the user's representatives a message names among its `persons`. */
export const matchingRepresentatives = (
  representatives: readonly PersonNames[],
  persons: Persons,
): PersonNames[] =>
  representatives.filter(names => persons.some(person => isNamed(names, person.naturalPerson?.name)));

export const isNamed = (names: PersonNames, name: NaturalPersonName | null | undefined): boolean =>
  personDifference(names, name) === undefined;

function companyDifference(legalName: string, name: LegalPersonName | null | undefined): string | undefined {
  const given = [name?.nameIdentifier, name?.localNameIdentifier, name?.phoneticNameIdentifier]
    .flatMap(identifiers => identifiers ?? [])
    .map(identifier => foldText(identifier.legalPersonName))
    .filter(text => text !== '');
  if (given.length === 0) return 'legalPersonName is not given';
  return given.includes(foldText(legalName)) ? undefined : 'legalPersonName differs';
}

function personDifference(
  names: PersonNames,
  name: NaturalPersonName | null | undefined,
): string | undefined {
  const given = [name?.nameIdentifier, name?.localNameIdentifier, name?.phoneticNameIdentifier].flatMap(
    identifiers => identifiers ?? [],
  );
  const differences = given.map(identifier => identifierDifference(names, identifier));
  if (differences.includes(undefined)) return undefined;
  return differences[0] ?? 'no name is given';
}

function identifierDifference(names: PersonNames, given: NaturalPersonNameIdentifier): string | undefined {
  const last = foldText(names.lastName);
  const first = foldText(names.firstName);
  const primary = foldText(given.primaryIdentifier);
  const secondary = foldText(given.secondaryIdentifier);
  if (primary === last && secondary === first) return undefined;
  if (secondary === '' && (primary === `${first} ${last}` || primary === `${last} ${first}`))
    return undefined;
  if (primary === first && secondary === last) return 'primaryIdentifier and secondaryIdentifier are swapped';
  if (primary === last) return `secondaryIdentifier ${secondary === '' ? 'is missing' : 'differs'}`;
  if (secondary === first) return `primaryIdentifier ${primary === '' ? 'is missing' : 'differs'}`;
  return 'primaryIdentifier and secondaryIdentifier differ';
}
