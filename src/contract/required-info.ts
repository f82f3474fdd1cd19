import type { NaturalPerson, Persons } from './ivms101.ts';
import { isFilled, type NearMiss } from './text.ts';
import { parseDay } from './time.ts';

/** Codes of `requiredBeneficiaryInfo` and of the messages of LACK-OF- and UNAVAILABLE-INFORMATION. */

type PersonKind = 'natural' | 'legal';

interface RequiredInfoRow {
  /** Inside the originator or beneficiary object; `persons` stands for originatorPersons or beneficiaryPersons. */
  readonly path: readonly (string | number)[];
  readonly basic: boolean;
  readonly kind: PersonKind | 'both';
}

const natural = (path: readonly (string | number)[], basic = false) =>
  ({ path: ['persons', 0, 'naturalPerson', ...path], basic, kind: 'natural' }) as const;
const legal = (path: readonly (string | number)[], basic = false) =>
  ({ path: ['persons', 0, 'legalPerson', ...path], basic, kind: 'legal' }) as const;
const representative = (path: readonly (string | number)[], basic = false) =>
  ({ path: ['persons', 1, 'naturalPerson', ...path], basic, kind: 'legal' }) as const;

export const REQUIRED_INFO = {
  ACCOUNT_NUMBER: { path: ['accountNumber'], basic: true, kind: 'both' },
  NATURAL_PERSON_NAME: natural(['name', 'nameIdentifier'], true),
  LOCAL_NATURAL_PERSON_NAME: natural(['name', 'localNameIdentifier']),
  NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH: natural(['dateAndPlaceOfBirth']),
  NATURAL_PERSON_NATIONALITY: natural(['nationality']),
  NATURAL_PERSON_GEOGRAPHIC_ADDRESS: natural(['geographicAddress']),
  NATURAL_PERSON_NATIONAL_IDENTIFICATION: natural(['nationalIdentification']),
  NATURAL_PERSON_CUSTOMER_IDENTIFICATION: natural(['customerIdentification']),
  NATURAL_PERSON_COUNTRY_OF_RESIDENCE: natural(['countryOfResidence']),
  LEGAL_PERSON_NAME: legal(['name', 'nameIdentifier'], true),
  LOCAL_LEGAL_PERSON_NAME: legal(['name', 'localNameIdentifier']),
  CORPORATE_REPRESENTATIVE_NAME: representative(['name', 'nameIdentifier'], true),
  LOCAL_CORPORATE_REPRESENTATIVE_NAME: representative(['name', 'localNameIdentifier']),
  CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH: representative(['dateAndPlaceOfBirth']),
  CORPORATE_REPRESENTATIVE_NATIONALITY: representative(['nationality']),
  HEAD_OFFICE_GEOGRAPHIC_ADDRESS: legal(['geographicAddress', 0]),
  /** The first branch. Further branches are elements 2, 3, … */
  BRANCH_OFFICE_GEOGRAPHIC_ADDRESS: legal(['geographicAddress', 1]),
  LEGAL_PERSON_CUSTOMER_IDENTIFICATION: legal(['customerIdentification']),
  LEGAL_PERSON_NATIONAL_IDENTIFICATION: legal(['nationalIdentification']),
  LEGAL_PERSON_COUNTRY_OF_REGISTRATION: legal(['countryOfRegistration']),
  LEGAL_PERSON_DATE_OF_INCORPORATION: legal(['dateOfIncorporation']),
} as const satisfies Record<string, RequiredInfoRow>;

export type RequiredInfoCode = keyof typeof REQUIRED_INFO;
export const REQUIRED_INFO_CODES = Object.keys(REQUIRED_INFO) as RequiredInfoCode[];

export const isRequiredInfoCode = (code: string): code is RequiredInfoCode => Object.hasOwn(REQUIRED_INFO, code);

/** A comma-separated list -> its codes in order, without blanks and repetitions. Unknown codes are kept. */
export const parseRequiredInfo = (list: string): readonly string[] => [
  ...new Set(
    list
      .split(',')
      .map(code => code.trim())
      .filter(code => code !== ''),
  ),
];

/** The information that the robot and the reference VASP deliver about customers, and what they require of an originator. */

export const DELIVERABLE: Record<PersonKind, readonly string[]> = {
  natural: ['NATURAL_PERSON_NAME', 'ACCOUNT_NUMBER'], // REF-4.6
  legal: ['LEGAL_PERSON_NAME', 'CORPORATE_REPRESENTATIVE_NAME', 'ACCOUNT_NUMBER'], // D-10
};

/** The requested codes that the robot does not deliver for this kind of user. Unknown codes are among them. */
export const unavailableInfo = (kind: PersonKind, requested: readonly string[]): string[] =>
  requested.filter(code => !DELIVERABLE[kind].includes(code));

/** REF-4.6.8, D-10: the codes that an originator lacks. Without a person: the codes of a natural person. */
export function lackingInfo(originatorPersons: Persons, now: number): RequiredInfoCode[] {
  const [first, ...others] = originatorPersons;
  if (!first?.legalPerson)
    return lackingOf(first?.naturalPerson, ['NATURAL_PERSON_NAME', 'NATURAL_PERSON_DATE_AND_PLACE_OF_BIRTH'], now);
  const hasName = first.legalPerson.name?.nameIdentifier?.some(({ legalPersonName }) => isFilled(legalPersonName));
  return [...(hasName ? [] : (['LEGAL_PERSON_NAME'] as const)), ...lackingOfRepresentatives(others, now)];
}

/** One complete representative is enough. Otherwise the codes that the most complete one lacks. */
function lackingOfRepresentatives(persons: Persons, now: number): RequiredInfoCode[] {
  const candidates = persons.length > 0 ? persons.map(person => person.naturalPerson) : [undefined];
  return candidates
    .map(person =>
      lackingOf(person, ['CORPORATE_REPRESENTATIVE_NAME', 'CORPORATE_REPRESENTATIVE_DATE_AND_PLACE_OF_BIRTH'], now),
    )
    .reduce((best, lacking) => (lacking.length < best.length ? lacking : best));
}

function lackingOf(
  person: NaturalPerson | null | undefined,
  [nameCode, birthCode]: readonly [RequiredInfoCode, RequiredInfoCode],
  now: number,
): RequiredInfoCode[] {
  const hasName = person?.name?.nameIdentifier?.some(({ primaryIdentifier }) => isFilled(primaryIdentifier));
  const birth = person?.dateAndPlaceOfBirth;
  return [
    ...(hasName ? [] : [nameCode]),
    ...(isPastDay(birth?.dateOfBirth, now) && isFilled(birth?.placeOfBirth) ? [] : [birthCode]),
  ];
}

/** D-28: a real day, written as YYYY-MM-DD, that has begun. */
function isPastDay(text: string | null | undefined, now: number): boolean {
  const day = parseDay(text ?? '');
  return day !== undefined && day <= now;
}

/** D-28: the first date of birth that is there and counts as missing. */
export function wrongBirthDate(
  persons: Persons,
  lacking: readonly RequiredInfoCode[],
  now: number,
): NearMiss | undefined {
  if (!lacking.some(code => code.endsWith('DATE_AND_PLACE_OF_BIRTH'))) return undefined;
  const dates = persons.map(({ naturalPerson }) => naturalPerson?.dateAndPlaceOfBirth?.dateOfBirth);
  const index = dates.findIndex(date => isFilled(date) && !isPastDay(date, now));
  if (index < 0) return undefined;
  return {
    field: `ivms101.originator.originatorPersons[${index}].naturalPerson.dateAndPlaceOfBirth.dateOfBirth`,
    expected: 'a real day in the past, written as YYYY-MM-DD',
    got: dates[index]!,
  };
}
