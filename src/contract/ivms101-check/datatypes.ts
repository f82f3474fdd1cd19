import { iso31661 } from 'iso-3166';
import { LEGAL_NAME_TYPES, NATURAL_NAME_TYPES } from '../ivms101.ts';
import { hiddenIn } from '../text.ts';
import { parseDay } from '../time.ts';
import { type Finding, failure, warning } from './problem.ts';

/** C3: the assigned codes of ISO 3166-1 alpha-2, and XX for an unknown state or an organisation. */
const COUNTRIES: ReadonlySet<string> = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XX']);

/** Codes that people write, and the assigned ones. */
const ASSIGNED: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** C10: the list of GLEIF has the numbers from 1 to this one, but for some. */
const LAST_AUTHORITY = 1_045;
const UNLISTED: ReadonlySet<number> = new Set([
  191, 194, 198, 211, 212, 223, 237, 248, 254, 256, 264, 265, 270, 292, 294, 312, 318, 323, 326, 327, 330, 335, 340,
  341, 357, 359, 360, 361, 366, 367, 380, 440, 445, 448, 450, 465, 490, 491, 492, 496, 501, 505, 506, 507, 559, 688,
  724, 755, 796, 803, 859, 866, 899, 924,
]);
/** The last three are reserved for those whose authority is not in the list. */
const OTHER_AUTHORITIES = [100_001, 100_094, 777_777, 888_888, 999_999];

/** Version 1.7 of the list. */
const LISTED_ON = '2022-03-23';

function isListedAuthority(code: string): boolean {
  const number = Number(code.slice(2));
  return (number > 0 && number <= LAST_AUTHORITY && !UNLISTED.has(number)) || OTHER_AUTHORITIES.includes(number);
}

/** IVMS101 5.3: the datatypes. A check gets a value that is filled, and returns its problem. */

export const LEGAL_IDENTIFIER_TYPES = ['RAID', 'LEIX', 'TXID', 'MISC'];
export const IDENTIFIER_TYPES = [...LEGAL_IDENTIFIER_TYPES, 'ARNU', 'CCPT', 'DRLC', 'FIIN', 'SOCS', 'IDCD'];
const ADDRESS_TYPES = ['HOME', 'BIZZ', 'GEOG'];
const SCRIPTS = 'arab aran armn cyrl deva geor grek hani hebr kana kore thai othr'.toUpperCase().split(' ');

type Check = (value: unknown) => Finding | undefined;

/** Latin letters and numbers. A letter of another script is allowed between VASPs of one country (WIRE-4). */
const FOREIGN_LETTER = /(?!\p{Script=Latin})\p{L}/u;

const notText = (clause: string): Finding => failure(clause, 'The value is no text.', 'text');

/** Other blanks are among the characters that nobody sees. */
const hasBlanks = (text: string): boolean => text !== text.trim();

/** A value is read as it came: a reader that compares it finds another one. */
export const withBlanks = (clause: string): Finding =>
  failure(clause, 'Blanks stand around the value.', 'the value without them');

/** A datatype whose values have a form. */
const formed =
  (clause: string, check: Check): Check =>
  value =>
    typeof value === 'string' && hasBlanks(value) && check(value.trim()) === undefined
      ? withBlanks(clause)
      : check(value);

const VISIBLE = 'visible characters of one script';
const lengthOf = (text: string): number => [...text].length;

function local(clause: string, maxLength: number): Check {
  return value => {
    if (typeof value !== 'string') return notText(clause);
    if (value.length > maxLength && lengthOf(value) > maxLength)
      return failure(clause, `The text has more than ${maxLength} characters.`, `at most ${maxLength} characters`);
    const hidden = hiddenIn(value).join(', ');
    if (hidden)
      return warning(clause, `The text has characters that nobody sees, or that look like others: ${hidden}.`, VISIBLE);
    return hasBlanks(value) ? { ...withBlanks(clause), severity: 'WARNING' } : undefined;
  };
}

function latin(clause: string, maxLength: number): Check {
  const check = local(clause, maxLength);
  return value =>
    check(value) ??
    (FOREIGN_LETTER.test(value as string)
      ? warning('WIRE-4', 'The text has letters that are not Latin.', 'Latin letters and numbers')
      : undefined);
}

/** A code without regard to case, and without the prefix of protojson: `ADDRESS_TYPE_CODE_HOME` is HOME. */
export const codeOf = (value: unknown): string => String(value).toUpperCase().replace(PROTOJSON_PREFIX, '');
const PROTOJSON_PREFIX = /^[A-Z_]+_CODE_/;

/** Protojson writes a code as its number, or with the name of its type. */
export const isProtojsonCode = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && PROTOJSON_PREFIX.test(value.toUpperCase()));

function code(clause: string, codes: readonly string[]): Check {
  const wanted = `one of ${codes.join(', ')}`;
  return formed(clause, value => {
    if (isProtojsonCode(value)) return failure(clause, 'The code is written as protojson writes it.', wanted);
    if (codes.includes(codeOf(value))) return undefined;
    return failure(clause, `The value is no ${clause}.`, wanted);
  });
}

const day = formed('Date', value =>
  typeof value === 'string' && parseDay(value) !== undefined
    ? undefined
    : failure('Date', 'The value is no real day that is written as YYYY-MM-DD.', 'a day, YYYY-MM-DD'),
);

const COUNTRY = 'an ISO 3166-1 alpha-2 code, or XX';
function country(value: unknown): Finding | undefined {
  // Values compare without regard to case.
  const text = typeof value === 'string' ? value.toUpperCase() : '';
  if (COUNTRIES.has(text)) return undefined;
  const assigned = ASSIGNED[text];
  return failure('C3', 'The value is no country.', assigned ? `${assigned} (${COUNTRY})` : COUNTRY);
}

const authority = formed('C10', value => {
  if (typeof value !== 'string' || !/^RA\d{6}$/i.test(value))
    return failure('C10', 'The value is no code of the list of GLEIF.', 'RA and six digits');
  if (isListedAuthority(value)) return undefined;
  return warning('C10', `The code is not in the list of GLEIF of ${LISTED_ON}.`, 'a code of the list');
});

export const DATATYPES = {
  Max100Text: latin('Max100Text', 100),
  LocalMax100Text: local('LocalMax100Text', 100),
  Max70Text: latin('Max70Text', 70),
  Max50Text: latin('Max50Text', 50),
  Max35Text: latin('Max35Text', 35),
  Max16Text: latin('Max16Text', 16),
  Date: day,
  CountryCode: formed('C3', country),
  RegistrationAuthority: authority,
  NaturalPersonNameTypeCode: code('NaturalPersonNameTypeCode', NATURAL_NAME_TYPES),
  LegalPersonNameTypeCode: code('LegalPersonNameTypeCode', LEGAL_NAME_TYPES),
  AddressTypeCode: code('AddressTypeCode', ADDRESS_TYPES),
  NationalIdentifierTypeCode: code('NationalIdentifierTypeCode', IDENTIFIER_TYPES),
  TransliterationMethodCode: code('TransliterationMethodCode', SCRIPTS),
  /** C12 looks at the values. */
  Number: value =>
    Number.isSafeInteger(value) ? undefined : failure('Number', 'The value is no whole number.', 'a whole number'),
} as const satisfies Record<string, Check>;

export type Datatype = keyof typeof DATATYPES;
export const isDatatype = (type: string): type is Datatype => Object.hasOwn(DATATYPES, type);
