import type { NaturalPerson, Persons } from '../../contract/ivms101.ts';
import { foldText } from '../../contract/names.ts';
import type { PersonKind, RequiredInfoCode } from '../../contract/required-info.ts';

/** The information that the robot delivers about its users, and the information that it requires of an originator. */

export const DELIVERABLE: Record<PersonKind, readonly string[]> = {
  natural: ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER'], // REF-4.6
  legal: ['LEGAL_PERSON_NAME', 'CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'], // D-10
};

/** The requested codes that the robot does not deliver for this kind of user. Unknown codes are among them. */
export const unavailableInfo = (kind: PersonKind, requested: readonly string[]): string[] =>
  requested.filter(code => !DELIVERABLE[kind].includes(code));

/** REF-4.6.8, D-10: the codes that an originator lacks. Without a person: the codes of a natural person. */
export function lackingInfo(originatorPersons: Persons): RequiredInfoCode[] {
  const [first, ...others] = originatorPersons;
  if (!first?.legalPerson)
    return lackingOf(first?.naturalPerson, 'NATURAL_PERSON_NAME', 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH');
  const hasName = first.legalPerson.name?.nameIdentifier?.some(({ legalPersonName }) =>
    isFilled(legalPersonName),
  );
  return [...(hasName ? [] : (['LEGAL_PERSON_NAME'] as const)), ...lackingOfRepresentatives(others)];
}

/** One complete representative is enough. Otherwise the codes that the most complete one lacks. */
function lackingOfRepresentatives(persons: Persons): RequiredInfoCode[] {
  const candidates = persons.length > 0 ? persons.map(person => person.naturalPerson) : [undefined];
  return candidates
    .map(person =>
      lackingOf(person, 'CORPORATE_REPRESENTATIVE_NAME', 'CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH'),
    )
    .reduce((best, lacking) => (lacking.length < best.length ? lacking : best));
}

function lackingOf(
  person: NaturalPerson | null | undefined,
  nameCode: RequiredInfoCode,
  birthCode: RequiredInfoCode,
): RequiredInfoCode[] {
  const hasName = person?.name?.nameIdentifier?.some(({ primaryIdentifier }) => isFilled(primaryIdentifier));
  const birth = person?.dateAndPlaceOfBirth;
  return [
    ...(hasName ? [] : [nameCode]),
    ...(isFilled(birth?.dateOfBirth) && isFilled(birth?.placeOfBirth) ? [] : [birthCode]),
  ];
}

const isFilled = (text: string | null | undefined) => foldText(text) !== '';
