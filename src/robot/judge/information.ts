import type { NaturalPerson, Persons } from '../../contract/ivms101.ts';
import type { PersonKind, RequiredInfoCode } from '../../contract/required-info.ts';
import { foldText } from './names.ts';

/** Which information the robot gives about its users, and which it wants about an originator. */

export const DELIVERABLE: Record<PersonKind, readonly string[]> = {
  natural: ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER'], // REF-4.6
  legal: ['LEGAL_PERSON_NAME', 'CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'], // D-10
};

/** The requested codes that the robot does not deliver for a user of this kind, unknown codes included. */
export const unavailableInfo = (kind: PersonKind, requested: readonly string[]): string[] =>
  requested.filter(code => !DELIVERABLE[kind].includes(code));

/** REF-4.6.8, D-10: the codes that an originator lacks; without any person those of a natural one. */
export function lackingInfo(originatorPersons: Persons): RequiredInfoCode[] {
  const [first, ...others] = originatorPersons;
  if (!first?.legalPerson)
    return lackingOf(first?.naturalPerson, 'NATURAL_PERSON_NAME', 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH');
  const named = first.legalPerson.name?.nameIdentifier?.some(({ legalPersonName }) =>
    filled(legalPersonName),
  );
  return [...(named ? [] : (['LEGAL_PERSON_NAME'] as const)), ...lackingOfRepresentatives(others)];
}

/** One complete representative is enough; otherwise what the most complete one lacks. */
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
  const named = person?.name?.nameIdentifier?.some(({ primaryIdentifier }) => filled(primaryIdentifier));
  const birth = person?.dateAndPlaceOfBirth;
  return [
    ...(named ? [] : [nameCode]),
    ...(filled(birth?.dateOfBirth) && filled(birth?.placeOfBirth) ? [] : [birthCode]),
  ];
}

const filled = (text: string | null | undefined) => foldText(text) !== '';
