import { type AssetSymbol, splitAddress } from '../../contract/assets.ts';
import { type CustomerNames, natural } from '../../contract/persons.ts';
import type { ModuleContext } from '../context.ts';
import type { DepositRequest } from './deposit-requests.ts';

/** Names that are nearly those of a customer, and another's. */

export const NOT_VERIFIED = 'no result VERIFIED';

export interface IdentityQuestion {
  /** Default: that of its table. */
  clause?: string;
  /** The question. */
  about: string;
  /** Default: MISMATCHED. */
  accepted?: readonly string[];
  /** A text: why it cannot be asked here. */
  ask(ctx: ModuleContext): DepositRequest | string;
  /** Only this kind of verification asks it. Default: both. */
  only?: 'account' | 'user';
  /** Default: FAILURE. */
  severity?: 'WARNING';
  /** Past the enclave, which refuses it. */
  isRaw?: true;
}

interface NearMiss {
  about: string;
  /** Undefined: the name has nothing to change for it. */
  change(names: CustomerNames): CustomerNames | undefined;
  more?: Partial<IdentityQuestion>;
}

export const lettersOf = (text: string): string[] => [...text.normalize('NFC')];
const shorter = (text: string): string => {
  const letters = lettersOf(text);
  return letters.slice(0, Math.max(1, letters.length - 2)).join('');
};
function otherEnd(text: string): string {
  const letters = lettersOf(text);
  if (letters.length < 2) return text;
  return [...letters.slice(0, -1), letters.at(-1)!.toLowerCase() === 'x' ? 'k' : 'x'].join('');
}
/** D-09 makes several blanks one, and folds no other sign. */
function withInside(sign: string, text: string): string {
  const letters = lettersOf(text);
  const half = Math.ceil(letters.length / 2);
  return letters.length < 2 ? text : `${letters.slice(0, half).join('')}${sign}${letters.slice(half).join('')}`;
}
/** `Roman` -> `Rómán`, `Román` -> `Roman`. The same: no letter of it has an accent. */
function otherAccent(text: string): string {
  const plain = text.normalize('NFD').replace(/\p{M}/gu, '').normalize('NFC');
  return plain === text ? text.replace(/[aeo]/giu, letter => `${letter}\u0301`.normalize('NFC')) : plain;
}
/** `Barnes` -> `Baarnes` */
function withDoubled(text: string): string {
  const letters = lettersOf(text);
  const second = letters.findIndex((letter, at) => at > 0 && /\p{L}/u.test(letter));
  const at = Math.max(second, 0);
  return [...letters.slice(0, at), letters[at], ...letters.slice(at)].join('');
}
const lastName = (change: (text: string) => string) => (names: CustomerNames) => ({
  ...names,
  lastName: change(names.lastName),
});

/** Undefined where there is no first name. */
const firstName = (change: (text: string) => string) => (names: CustomerNames) =>
  names.firstName === undefined ? undefined : { ...names, firstName: change(names.firstName) };

/** The same text in each name that the customer has. */
const only = (text: string) => (names: CustomerNames) => ({
  lastName: text,
  firstName: names.firstName === undefined ? undefined : text,
});

/** What a database or a pattern may take for every name, and names that it may refuse. WIRE-4 lets names have them. */
const UNUSUAL: Readonly<Record<string, NearMiss>> = {
  wildcard: { about: '`%`, the wildcard of SQL, as a name', change: only('%'), more: { accepted: [NOT_VERIFIED] } },
  pattern: { about: '`.*`, which fits any name as a pattern', change: only('.*'), more: { accepted: [NOT_VERIFIED] } },
  apostrophe: { about: 'a last name with an apostrophe', change: lastName(text => `O'${text}`) },
  'four-bytes': { about: 'a last name with a letter of four bytes in UTF-8', change: lastName(text => `${text}𠮷`) },
  long: { about: 'a last name of 100 letters', change: lastName(text => text.padEnd(100, 'x')) },
};

const NEAR_MISSES: Readonly<Record<string, NearMiss>> = {
  prefix: { about: 'only the beginning of the last name', change: lastName(shorter) },
  longer: { about: 'a last name with another one behind it', change: lastName(text => `${text}-Nonesuch`) },
  'one-letter': { about: 'a last name with one other letter', change: lastName(otherEnd) },
  initial: {
    about: 'only the initial of the first name',
    change: names => {
      const [initial = '', ...others] = lettersOf(names.firstName ?? '');
      return others.length === 0 ? undefined : { ...names, firstName: initial };
    },
  },
  'first-prefix': { about: 'only the beginning of the first name', change: firstName(shorter) },
  'first-one-letter': { about: 'a first name with one other letter', change: firstName(otherEnd) },
  'more-given': { about: 'a further given name behind the first name', change: firstName(text => `${text} Nonesuch`) },
  joined: { about: 'a last name with a hyphen in it', change: lastName(text => withInside('-', text)) },
  parted: { about: 'a last name with a blank in it', change: lastName(text => withInside(' ', text)) },
  'doubled-letter': { about: 'a last name with one letter doubled', change: lastName(withDoubled) },
  doubled: { about: 'the last name twice', change: lastName(text => `${text} ${text}`) },
  // A database may compare without accents unless it is told otherwise.
  accent: {
    about: 'a last name with another accent',
    change: lastName(otherAccent),
    more: { clause: 'D-09', severity: 'WARNING' },
  },
  // The samples of the documents have both orders.
  exchanged: {
    about: 'last and first name exchanged',
    change: ({ lastName, firstName }) =>
      firstName === undefined ? undefined : { lastName: firstName, firstName: lastName },
    more: { clause: 'WIRE-4', severity: 'WARNING' },
  },
  ...UNUSUAL,
};

export const MISMATCHED = ['DENIED / MISMATCHED-NAME'];
export const NOTHING = 'The name of the customer has nothing to change for it.';
export const ONE_NAME = 'The customer has one name only.';

const nearMiss = ({ about, change, more }: NearMiss): IdentityQuestion => ({
  about,
  ask(ctx) {
    const customer = ctx.customer();
    const names = change(customer.names as CustomerNames);
    return names ? { customer, persons: [natural(names.lastName, names.firstName)] } : NOTHING;
  },
  ...more,
});

export const NEAR_NAMES = Object.fromEntries(Object.entries(NEAR_MISSES).map(([word, miss]) => [word, nearMiss(miss)]));

/** Another account that begins and ends as this one: beginning and end are all that people compare. */
export function lookAlike(symbol: AssetSymbol, account: string): string {
  if (symbol === 'ETH') return otherMiddle(account);
  const [address, tag = ''] = splitAddress(account);
  return `${address}:${otherTag(tag)}`;
}

const otherMiddle = (address: string): string =>
  address
    .toLowerCase()
    .replace(/^(.{20})(.*)(.{4})$/, (_, begin: string, middle: string, end: string) =>
      [begin, ...[...middle].map(digit => (15 - Number.parseInt(digit, 16)).toString(16)), end].join(''),
    );

/** No tag has more digits of any value. */
const MAX_DIGITS = 9;

/** `11` -> `11011`; 0 and a longer one get another digit in the middle. */
function otherTag(tag: string): string {
  const twice = `${tag}0${tag}`;
  if (tag !== '0' && twice.length <= MAX_DIGITS) return twice;
  const middle = Math.floor(tag.length / 2);
  const digit = Number(tag[middle]);
  return `${tag.slice(0, middle)}${digit === 0 ? 1 : digit - 1}${tag.slice(middle + 1)}`;
}

/** `0xab` -> `0xAB`, `AB` -> `ab` */
export const inOtherCase = (hash: string): string =>
  hash.startsWith('0x') ? `0x${hash.slice(2).toUpperCase()}` : hash.toLowerCase();
