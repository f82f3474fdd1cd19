import { iso31661 } from 'iso-3166';
import { LEGAL_NAME_TYPES, NATURAL_NAME_TYPES } from '../ivms101.ts';
import { hiddenIn } from '../text.ts';
import { parseDay } from '../time.ts';
import { type Finding, failure, warning } from './problem.ts';

/** C3: the assigned codes of ISO 3166-1 alpha-2, and XX for an unknown state or an organisation. */
const COUNTRIES: ReadonlySet<string> = new Set([...iso31661.map(({ alpha2 }) => alpha2), 'XX']);

/** Codes that people write, and the assigned ones. */
const ASSIGNED: Readonly<Record<string, string>> = { UK: 'GB', EL: 'GR' };

/** Values compare without regard to case. */
const isCountry = (code: string): boolean => COUNTRIES.has(code.toUpperCase());

const assignedCountry = (code: string): string | undefined => ASSIGNED[code.toUpperCase()];

/** C10: first and last number of each run of codes in the list of GLEIF. */
const RUNS: readonly (readonly [first: number, last: number])[] = [
  [1, 190],
  [192, 193],
  [195, 197],
  [199, 210],
  [213, 222],
  [224, 236],
  [238, 247],
  [249, 253],
  [255, 255],
  [257, 263],
  [266, 269],
  [271, 291],
  [293, 293],
  [295, 311],
  [313, 317],
  [319, 322],
  [324, 325],
  [328, 329],
  [331, 334],
  [336, 339],
  [342, 356],
  [358, 358],
  [362, 365],
  [368, 379],
  [381, 439],
  [441, 444],
  [446, 447],
  [449, 449],
  [451, 464],
  [466, 489],
  [493, 495],
  [497, 500],
  [502, 504],
  [508, 558],
  [560, 687],
  [689, 723],
  [725, 754],
  [756, 795],
  [797, 802],
  [804, 858],
  [860, 865],
  [867, 898],
  [900, 923],
  [925, 1045],
  [100_001, 100_001],
  [100_094, 100_094],
  // Reserved for those whose authority is not in the list.
  [777_777, 777_777],
  [888_888, 888_888],
  [999_999, 999_999],
];

/** Version 1.7 of the list. */
const LISTED_ON = '2022-03-23';

const FORM = /^RA\d{6}$/i;
const isAuthorityForm = (code: string): boolean => FORM.test(code);

function isListedAuthority(code: string): boolean {
  const number = Number(code.slice(2));
  return RUNS.some(([first, last]) => number >= first && number <= last);
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
  const text = typeof value === 'string' ? value : '';
  if (isCountry(text)) return undefined;
  const assigned = assignedCountry(text);
  return failure('C3', 'The value is no country.', assigned ? `${assigned} (${COUNTRY})` : COUNTRY);
}

const authority = formed('C10', value => {
  if (typeof value !== 'string' || !isAuthorityForm(value))
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
