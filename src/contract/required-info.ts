/** Codes of `requiredBeneficiaryInfo` and of the messages of LACK-OF- and UNAVAILABLE-INFORMATION. */

export type PersonKind = 'natural' | 'legal';

export interface RequiredInfoRow {
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
