import * as z from 'zod';
import { isDecimal } from '../kernel/decimal.ts';
import { upTo } from '../kernel/duration.ts';
import { codePointOf, cutText, INVISIBLE, withInvisible } from '../kernel/text.ts';

/** Maximum lengths in characters. The stored rows of the enclave have the same limits. */
export const MAX_LENGTH = {
  verificationUuid: 40,
  symbol: 16,
  network: 128,
  amount: 128,
  currency: 128,
  txHash: 128,
  vout: 128,
  accountNumber: 256,
  /** A text about a person: a name, an address, a place. IVMS101 has at most 100 for a name. */
  personText: 10_000,
  reason: 256,
  message: 1024,
  name: 256,
  version: 16,
  requiredBeneficiaryInfo: 1024,
} as const;
export const MAX_SEARCH_LENGTH = 256;

const WELL_FORMED = 'should be well-formed Unicode text';

/** Well-formed Unicode of any length, also empty. */
export const AnyText = z.string().refine(text => text.isWellFormed(), { error: WELL_FORMED, abort: true });

/** zod counts code points, as JSON Schema does. */
const atMost = (max: number, schema: z.ZodString) =>
  schema.max(max, { error: `should have at most ${max} characters`, abort: true });

/** Well-formed Unicode of at most `max` characters, also empty. */
export const optionalText = (max: number) => atMost(max, AnyText);

/** Well-formed Unicode of 1 to `max` characters. */
export const text = (max: number) => atMost(max, AnyText.min(1));

/** Control characters and marks of direction: on a page or a terminal they change what stands around a name. */
const HIDDEN = '\\u0000-\\u001f\\u007f-\\u009f\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069';
const SHOWN = new RegExp(`^[^${HIDDEN}]*$`);
const NOT_SHOWN = { error: 'should have no control characters and no marks of direction' };

/** A name for pages and terminals, without the white space around it. */
export const shownName = (max: number) =>
  atMost(max, AnyText.trim().min(1))
    .refine(name => SHOWN.test(name), NOT_SHOWN)
    .meta({ pattern: `^\\s*[^\\s${HIDDEN}](?:[^${HIDDEN}]*[^\\s${HIDDEN}])?\\s*$` });

/** The name of a person or company. */
export const NameText = shownName(MAX_LENGTH.name);

/** Schemas that take `null`: the API document shows it. */
export const takesNull = z.registry<{ takesNull: true }, z.core.$ZodType>();

/** An optional member. `null` counts as absent (D-05). */
export const optional = <T extends z.ZodType>(schema: T) =>
  z
    .preprocess((value: z.input<T> | null | undefined) => value ?? undefined, schema.optional())
    .register(takesNull, { takesNull: true });

export const VASP_ID = new RegExp(`^${upTo(2n ** 64n - 1n)}$`);

export const VaspId = z
  .string()
  .regex(VASP_ID, { error: 'should be an unsigned 64-bit integer in decimal text' })
  .meta({
    id: 'VaspId',
    description: 'Identifier of a VASP: an unsigned 64-bit integer in decimal text.',
    examples: ['15952089931162060684'],
  });

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

export const isUuid = (text: string): boolean => UUID.test(text);

/** D-44: a UUID in upper case is the same UUID. Other text is left as it is: no verification has it. */
export const verificationKey = (text: string): string => (isUuid(text) ? text.toLowerCase() : text);

/** ID of a verification in a request or in an answer. */
export const VerificationUuid = text(MAX_LENGTH.verificationUuid)
  .overwrite(verificationKey)
  .meta({
    description: 'Verification request ID: UUID v4, the same on both sides.',
    examples: ['8557f2b2-985e-431f-8d52-75c2e5a01e46'],
  });

const NOT_DECIMAL = 'should be plain decimal text without sign, exponent or leading zeros';

export const DecimalText = optionalText(MAX_LENGTH.amount)
  .refine(isDecimal, { error: NOT_DECIMAL, abort: true })
  .meta({ pattern: '^(?:0|[1-9]\\d*)(?:\\.\\d+)?$', description: 'Plain decimal text.', examples: ['96000'] });

export const Amount = DecimalText.refine(text => /[1-9]/.test(text), { error: 'should be more than 0' }).meta({
  pattern: '^(?:0\\.\\d*[1-9]\\d*|[1-9]\\d*(?:\\.\\d+)?)$',
  description: 'Plain decimal text, more than 0.',
  examples: ['0.024'],
});

export const SymbolText = text(MAX_LENGTH.symbol).meta({ description: 'Asset symbol.', examples: ['ETH'] });

export const NetworkName = text(MAX_LENGTH.network).meta({
  description: 'Blockchain network of the asset. Without it the network is derived from the symbol.',
  examples: ['Ethereum'],
});

export const AccountNumber = text(MAX_LENGTH.accountNumber).meta({
  description: 'Wallet address. On ledgers with memos or destination tags: `address:memo` or `address:destinationTag`.',
  examples: ['0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c'],
});

export const TxHash = text(MAX_LENGTH.txHash).meta({
  description: 'Transaction ID, exactly as the node prints it.',
  examples: ['0x88df016429689c079f3b2f6ad39fa052532c56795b733da78a91ebe6a713944b'],
});
const VOUT = /^(0|[1-9]\d*)$/;
export const isVout = (text: string): boolean => VOUT.test(text);
export const NOT_VOUT = 'should be a whole number in decimal text';

export const Vout = text(MAX_LENGTH.vout)
  .refine(isVout, { error: NOT_VOUT })
  .meta({
    pattern: VOUT.source,
    description:
      'D-25: position of the transfer among the transfers of value of its transaction, in order of execution, from 0.',
    examples: ['0'],
  });
export const ReasonText = text(MAX_LENGTH.reason).describe('Reason code.');
export const MessageText = optionalText(MAX_LENGTH.message).describe('Detail text for the reason.');

/** The expected value beside the received one, to help somebody find a mistake. */
export interface NearMiss {
  /** Path of the member in the request or in the answer. */
  readonly field: string;
  readonly expected: string;
  readonly got: string;
}

type Shape = z.core.$ZodLooseShape;
type Named<S extends Shape> = z.ZodObject<z.core.util.Writeable<S>, z.core.$strip>;

/** An object that has a name in the API document, and may have a description there. */
export function named<S extends Shape>(id: string, shape: S): Named<S>;
export function named<S extends Shape>(id: string, description: string, shape: S): Named<S>;
export function named(id: string, ...[first, second]: [Shape] | [string, Shape]) {
  if (second === undefined) return z.object(first as Shape).meta({ id });
  return z.object(second).meta({ id, description: first as string });
}

/** The same with members that nobody has described: they are kept unchanged. */
export const loose = <S extends Shape>(id: string, description: string, shape: S) =>
  z.looseObject(shape).meta({ id, description });

/** One of the keys of a table, which says what each means. */
export const keyIn = <K extends string>(table: Readonly<Record<K, string>>) => {
  const lines = Object.entries(table).map(([key, meaning]) => `- \`${key}\`: ${meaning}`);
  return z.enum(Object.keys(table) as [K, ...K[]]).describe(lines.join('\n'));
};

/** A count over a list that grows stops here. One more than this means that there are more. */
export const MAX_COUNTED = 10_000;

/** D-46: characters that nobody sees, and letters that look like others. They are shown, and never folded in judging. */

/** Letters of other scripts, each above the Latin letter that it looks like. */
const LIKE = [
  // Cyrillic
  ['АВЕКМНОРСТУХЅІЈҺԌԚԜӀҮаеорсухѕіјһԁԛԝӏкԍү', 'ABEKMHOPCTYXSIJhGQWIYaeopcyxsijhdqwlkGy'],
  // Greek
  ['ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυχϳ', 'ABEZHIKMNOPTYXayiKvopuxj'],
  // Armenian, Cherokee, other Latin
  ['ՕՍՏօոսհցքյ', 'OUSonuhgfj'],
  ['ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃ', 'ABCDEHJKLMPRSTVWZ'],
  ['ıɑɡǀ', 'iagl'],
  ['‐‑‒–—−’‘ʼʹ′`´', "------'''''''"],
] as const;
const LATIN = new Map(LIKE.flatMap(([foreign, latin]) => [...foreign].map((each, i) => [each, latin[i]!])));

/** Also letters in full width and mathematical ones. Undefined: the character looks like no other. */
function latinOf(character: string): string | undefined {
  if (character <= '\x7f' && character !== '`') return undefined;
  const plain = character.normalize('NFKC');
  return LATIN.get(character) ?? (/^[!-~]+$/.test(plain) ? plain : undefined);
}

/** D-51: a foreign text on one line, as a report shows it. */
export const foreignText = (text: string): string => withInvisible(cutText(text));

/** What nobody sees, and letters that only look Latin in a word with Latin ones: `⟨U+200B⟩`. */
export function hiddenIn(text: string): string[] {
  const words = (text.match(WORD) ?? []).filter(word => HAS_LATIN.test(word));
  const alike = words.flatMap(word => [...word].filter(each => IS_LETTER.test(each) && latinOf(each)));
  return [...new Set([...(text.match(INVISIBLE) ?? []), ...alike])].map(codePointOf);
}

const IS_LETTER = /\p{L}/u;
const WORD = /[^\s,]+/gu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];
const HAS_LATIN = /[a-z]/i;

/**
 * Also shows the letters that look like those of `other`: `Т⟨U+0422⟩aylor`. A word whose letters are all of one other
 * script is left as it is, unless `other` has its twin.
 */
function visibleText(text: string, other: string): string {
  const others = wordsOf(withoutInvisible(other));
  const marked = text.replace(WORD, word => {
    const letters = [...word];
    const twin = withoutInvisible(letters.map(each => latinOf(each) ?? each).join('')).toLowerCase();
    const isMixed = letters.some(each => latinOf(each) !== undefined) && HAS_LATIN.test(word);
    if (!isMixed && !others.includes(twin)) return word;
    return letters.map(each => (latinOf(each) && !other.includes(each) ? each + codePointOf(each) : each)).join('');
  });
  return withInvisible(marked);
}

const withoutInvisible = (text: string): string => text.replace(INVISIBLE, '');

/** Blanks inside of an address or around another word decide, those of a name do not (D-09). */
function withBlanks({ field, got }: NearMiss): string {
  if (field.includes('Persons')) return got;
  return got.replace(/\.accountNumber\[\d+\]$/.test(field) ? / /g : /^ +| +$/g, blanks =>
    [...blanks].map(codePointOf).join(''),
  );
}

export const visibleNearMiss = (nearMiss: NearMiss): NearMiss => ({
  ...nearMiss,
  expected: visibleText(nearMiss.expected, nearMiss.got),
  got: visibleText(withBlanks(nearMiss), nearMiss.expected),
});

const NOT_BLANK = /\P{White_Space}/u;

/** Something else than blanks stands in it. A name type by itself names nobody. */
export function isFilled(value: unknown): boolean {
  if (typeof value === 'string') return NOT_BLANK.test(value);
  if (Array.isArray(value)) return value.some(isFilled);
  if (typeof value === 'object' && value !== null)
    return Object.keys(value).some(member => !member.endsWith('Type') && isFilled(value[member as never]));
  return value !== null && value !== undefined;
}
