import type { Person } from '../contract/ivms101.ts';

/** WIRE-4: the constraints of IVMS101 that the lenient schemas do not hold. */

const NATURAL_TYPES = ['ALIA', 'BIRT', 'MAID', 'LEGL', 'MISC'];
const LEGAL_TYPES = ['LEGL', 'SHRT', 'TRAD'];
const COUNTRY = /^[A-Z]{2}$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

type Loose = Record<string, unknown>;
const list = (value: unknown): Loose[] => (Array.isArray(value) ? (value as Loose[]) : []);
const filled = (value: unknown): boolean => typeof value === 'string' && value.trim() !== '';

/** The first flaw, as `path should …`; undefined: there is none. */
export function ivms101Flaw(persons: readonly Person[], path: string): string | undefined {
  if (persons.length === 0) return `${path} should hold a person`;
  for (const [index, person] of persons.entries()) {
    const at = `${path}[${index}]`;
    const flaw = person.naturalPerson
      ? naturalFlaw(person.naturalPerson as Loose, `${at}.naturalPerson`)
      : legalFlaw(person.legalPerson as Loose, `${at}.legalPerson`);
    if (flaw) return flaw;
  }
  return undefined;
}

function naturalFlaw(person: Loose, at: string): string | undefined {
  const names = list((person.name as Loose | undefined)?.nameIdentifier);
  return (
    nameFlaw(names, { at, text: 'primaryIdentifier', type: 'nameIdentifierType', types: NATURAL_TYPES }) ??
    birthFlaw(person.dateAndPlaceOfBirth as Loose | null | undefined, `${at}.dateAndPlaceOfBirth`) ??
    countryFlaw(person, at)
  );
}

const legalFlaw = (person: Loose, at: string): string | undefined =>
  nameFlaw(list((person.name as Loose | undefined)?.nameIdentifier), {
    at,
    text: 'legalPersonName',
    type: 'legalPersonNameIdentifierType',
    types: LEGAL_TYPES,
  }) ?? countryFlaw(person, at);

function nameFlaw(
  names: readonly Loose[],
  { at, text, type, types }: { at: string; text: string; type: string; types: readonly string[] },
): string | undefined {
  const path = `${at}.name.nameIdentifier`;
  if (names.length === 0) return `${path} should hold a name`;
  if (!names.every(name => filled(name[text]))) return `${path}: \`${text}\` should not be empty`;
  if (!names.every(name => types.includes(String(name[type]))))
    return `${path}: \`${type}\` should be one of ${types.join(', ')}`;
  return names.some(name => name[type] === 'LEGL') ? undefined : `${path} should hold a name of type LEGL`;
}

function birthFlaw(birth: Loose | null | undefined, at: string): string | undefined {
  if (birth == null) return undefined;
  const { dateOfBirth, placeOfBirth } = birth;
  if (!DAY.test(String(dateOfBirth)) || !isDay(String(dateOfBirth)))
    return `${at}.dateOfBirth should be a day, YYYY-MM-DD`;
  return filled(placeOfBirth) ? undefined : `${at}.placeOfBirth should not be empty`;
}

function isDay(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

function countryFlaw(person: Loose, at: string): string | undefined {
  const countries: [string, unknown][] = [
    ...['countryOfResidence', 'nationality', 'countryOfRegistration'].map(
      name => [name, person[name]] as [string, unknown],
    ),
    ...list(person.geographicAddress).map(
      (address, index) => [`geographicAddress[${index}].country`, address.country] as [string, unknown],
    ),
  ];
  const wrong = countries.find(([, code]) => code != null && code !== '' && !COUNTRY.test(String(code)));
  return wrong && `${at}.${wrong[0]} should be a country code of two letters`;
}
