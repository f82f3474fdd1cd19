import { isFilled } from '../contract/is-filled.ts';
import { LEGAL_NAME_TYPES, NAME_LISTS, NATURAL_NAME_TYPES } from '../contract/ivms101.ts';
import { parseDay } from '../contract/time.ts';

/** WIRE-4: the constraints of IVMS101 that the lenient schemas do not hold. A member that is empty counts as absent. */

const ADDRESS_TYPES = ['HOME', 'BIZZ', 'GEOG'];
const MOST_ADDRESS_LINES = 7;
const LEGAL_IDENTIFIER_TYPES = ['RAID', 'LEIX', 'TXID', 'MISC'];
const NATURAL_IDENTIFIER_TYPES = [...LEGAL_IDENTIFIER_TYPES, 'ARNU', 'CCPT', 'DRLC', 'FIIN', 'SOCS', 'IDCD'];
const AUTHORITY = /^RA\d{6}$/i;
const COUNTRY = /^[A-Z]{2}$/i;

type Loose = Record<string, unknown>;
const objectOf = (value: unknown): Loose =>
  typeof value === 'object' && value !== null ? (value as Loose) : {};
const list = (value: unknown): Loose[] => (Array.isArray(value) ? value.map(objectOf) : []);
const isOneOf = (types: readonly string[], value: unknown): boolean =>
  types.includes(String(value).trim().toUpperCase());

/** The first flaw, as `path should …`; undefined: there is none. The request may have been refused: it has any shape. */
export function ivms101Flaw(persons: unknown, path: string): string | undefined {
  if (!Array.isArray(persons) || persons.length === 0) return `${path} should be a list with a person`;
  return firstOf(persons as readonly unknown[], (person, index) => {
    const { naturalPerson, legalPerson } = objectOf(person);
    const at = `${path}[${index}]`;
    if (isFilled(naturalPerson)) return personFlaw(objectOf(naturalPerson), `${at}.naturalPerson`, NATURAL);
    if (isFilled(legalPerson)) return personFlaw(objectOf(legalPerson), `${at}.legalPerson`, LEGAL);
    return `${at} should hold naturalPerson or legalPerson`;
  });
}

interface Kind {
  name: string;
  nameType: string;
  nameTypes: readonly string[];
  identifierTypes: readonly string[];
  isLegal: boolean;
}
const NATURAL: Kind = {
  name: 'primaryIdentifier',
  nameType: 'nameIdentifierType',
  nameTypes: NATURAL_NAME_TYPES,
  identifierTypes: NATURAL_IDENTIFIER_TYPES,
  isLegal: false,
};
const LEGAL: Kind = {
  name: 'legalPersonName',
  nameType: 'legalPersonNameIdentifierType',
  nameTypes: LEGAL_NAME_TYPES,
  identifierTypes: LEGAL_IDENTIFIER_TYPES,
  isLegal: true,
};

const personFlaw = (person: Loose, at: string, kind: Kind): string | undefined =>
  firstOf(NAME_LISTS, member => nameFlaw(objectOf(person.name), `${at}.name`, member, kind)) ??
  birthFlaw(person.dateAndPlaceOfBirth, `${at}.dateAndPlaceOfBirth`) ??
  dayFlaw(person, at, 'dateOfIncorporation') ??
  firstOf(['countryOfResidence', 'nationality', 'countryOfRegistration'], member =>
    countryFlaw(person, at, member),
  ) ??
  firstOf(list(person.geographicAddress), (address, index) =>
    addressFlaw(address, `${at}.geographicAddress[${index}]`),
  ) ??
  identificationFlaw(person.nationalIdentification, `${at}.nationalIdentification`, kind);

function nameFlaw(
  names: Loose,
  at: string,
  member: (typeof NAME_LISTS)[number],
  { name, nameType, nameTypes }: Kind,
): string | undefined {
  const path = `${at}.${member}`;
  const isMain = member === 'nameIdentifier';
  const found = list(names[member]).filter(each => isMain || isFilled(each));
  if (!found.every(each => isFilled(each[name]))) return `${path}: \`${name}\` should not be empty`;
  if (!found.every(each => isOneOf(nameTypes, each[nameType])))
    return `${path}: \`${nameType}\` should be one of ${nameTypes.join(', ')}`;
  if (!isMain) return undefined;
  if (found.length === 0) return `${path} should hold a name`;
  return found.some(each => isOneOf(['LEGL'], each[nameType]))
    ? undefined
    : `${path} should hold a name of type LEGL`;
}

function birthFlaw(value: unknown, at: string): string | undefined {
  if (!isFilled(value)) return undefined;
  const birth = objectOf(value);
  if (!isFilled(birth.dateOfBirth)) return `${at}.dateOfBirth should be a day, YYYY-MM-DD`;
  return (
    dayFlaw(birth, at, 'dateOfBirth') ??
    (isFilled(birth.placeOfBirth) ? undefined : `${at}.placeOfBirth should not be empty`)
  );
}

function dayFlaw(holder: Loose, at: string, member: string): string | undefined {
  if (!isFilled(holder[member]) || parseDay(String(holder[member])) !== undefined) return undefined;
  return `${at}.${member} should be a day, YYYY-MM-DD`;
}

function countryFlaw(holder: Loose, at: string, member: string): string | undefined {
  if (!isFilled(holder[member]) || COUNTRY.test(String(holder[member]))) return undefined;
  return `${at}.${member} should be a country code of two letters`;
}

function addressFlaw(address: Loose, at: string): string | undefined {
  if (!isFilled(address)) return undefined;
  const { addressType, addressLine, streetName, buildingName, buildingNumber, country } = address;
  if (isFilled(addressType) && !isOneOf(ADDRESS_TYPES, addressType))
    return `${at}.addressType should be one of ${ADDRESS_TYPES.join(', ')}`;
  if (Array.isArray(addressLine) && addressLine.length > MOST_ADDRESS_LINES)
    return `${at}.addressLine should have at most ${MOST_ADDRESS_LINES} lines`;
  const isHouse = isFilled(streetName) && (isFilled(buildingName) || isFilled(buildingNumber));
  if (!isHouse && !isFilled(addressLine))
    return `${at} should hold addressLine, or streetName with buildingName or buildingNumber`;
  return isFilled(country) ? countryFlaw(address, at, 'country') : `${at}.country should not be empty`;
}

function identificationFlaw(
  value: unknown,
  at: string,
  { identifierTypes, isLegal }: Kind,
): string | undefined {
  if (!isFilled(value)) return undefined;
  const identification = objectOf(value);
  const { nationalIdentifier, nationalIdentifierType, countryOfIssue, registrationAuthority } =
    identification;
  if (!isFilled(nationalIdentifier)) return `${at}.nationalIdentifier should not be empty`;
  if (!isOneOf(identifierTypes, nationalIdentifierType))
    return `${at}.nationalIdentifierType should be one of ${identifierTypes.join(', ')}`;
  if (isLegal && isFilled(countryOfIssue)) return `${at}.countryOfIssue should be absent for a legal person`;
  if (isFilled(registrationAuthority)) {
    if (isOneOf(['LEIX'], nationalIdentifierType))
      return `${at}.registrationAuthority should be absent with LEIX`;
    if (!AUTHORITY.test(String(registrationAuthority)))
      return `${at}.registrationAuthority should be RA and six digits`;
  }
  return countryFlaw(identification, at, 'countryOfIssue');
}

/** The first flaw among several. */
function firstOf<T>(
  all: readonly T[],
  flawOf: (each: T, index: number) => string | undefined,
): string | undefined {
  for (const [index, each] of all.entries()) {
    const flaw = flawOf(each, index);
    if (flaw) return flaw;
  }
  return undefined;
}
