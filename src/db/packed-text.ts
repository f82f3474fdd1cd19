import type Sqlite from 'better-sqlite3';
import { customType } from 'drizzle-orm/sqlite-core';
import { remember } from '../kernel/remember.ts';
import { PHRASES } from './phrases.ts';

/**
 * Stored texts of requests, callbacks and the history repeat the same phrases. Packed, a text begins with `PACKED` and
 * names each phrase by one or two control characters; JSON has none. Any other text is stored as it is.
 */

const PACKED = '\u0001';
/** The next character stands for itself. */
const LITERAL = '\u0002';
/** Longer texts stay as they are: a page of the exchanges is chosen by stored length. */
const MOST_PACKED = 8_192;

/** One character, then two: the first names a page. */
const SINGLES = [...'\u0003\u0004\u0005\u0006\u0007\u0008\u000b\u000c\u000e\u000f'].concat([
  ...'\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c',
]);
const PAGES = '\u001d\u001e\u001f';
const ON_PAGE = 94;
const FIRST_ON_PAGE = ' '.charCodeAt(0);
const CONTROLS = `[${PACKED}-\u0008\u000b\u000c\u000e-\u001f]`;

const codeOf = (place: number): string =>
  SINGLES[place] ??
  PAGES[Math.floor((place - SINGLES.length) / ON_PAGE)]! +
    String.fromCharCode(FIRST_ON_PAGE + ((place - SINGLES.length) % ON_PAGE));

const codes = new Map(PHRASES.map((phrase, place) => [phrase, codeOf(place)]));
/** Most phrases have a mark of their own. It is a number, which a map finds faster than a text. */
const markOf = (text: string): number =>
  text.length * 2 ** 14 + text.charCodeAt(text.length >> 1) * 2 ** 7 + text.charCodeAt(text.length >> 2);
const codesByMark = new Map<number, string | undefined>();
for (const phrase of PHRASES) {
  const mark = markOf(phrase);
  codesByMark.set(mark, codesByMark.has(mark) ? undefined : codes.get(phrase));
}
const phrases = new Map(PHRASES.map((phrase, place) => [codeOf(place), phrase]));

const escaped = (phrase: string): string => phrase.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const longestFirst = [...PHRASES].sort((a, b) => b.length - a.length);
const PHRASE = new RegExp([...longestFirst.map(escaped), CONTROLS].join('|'), 'g');
const CODE = new RegExp(`[${LITERAL}${PAGES}][^]|[${SINGLES.join('')}]`, 'g');

export function pack(text: string): string {
  if (text.length > MOST_PACKED && !text.startsWith(PACKED)) return text;
  const packed = packPart(text);
  return packed.length < text.length || text.startsWith(PACKED) ? PACKED + packed : text;
}

/** One part of a text whose parts are packed by themselves. `packedParts` joins them. */
export const packPart = (part: string): string =>
  part.replace(PHRASE, found => codesByMark.get(markOf(found)) ?? codes.get(found) ?? LITERAL + found);

export const packedParts = (parts: string): string => PACKED + parts;

/** Also of a text that was never packed. */
export const unpack = (stored: string): string =>
  stored.startsWith(PACKED)
    ? stored.slice(PACKED.length).replace(CODE, code => phrases.get(code) ?? code.slice(LITERAL.length))
    : stored;

/** A phrase as it stands in a packed text. */
export const packedPhrase = (phrase: string): string => codes.get(phrase) ?? phrase;

export const packedText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: pack,
  fromDriver: unpack,
});

export const packedJson = customType<{ data: unknown; driverData: string }>({
  dataType: () => 'text',
  toDriver: value => pack(JSON.stringify(value)),
  fromDriver: stored => JSON.parse(unpack(stored)),
});

const packAgain = remember(500, pack);
/** Of frozen values: they never change. */
const packedFrozen = new WeakMap<object, string>();
/** Like `packedJson`, for objects that come again and again, as the headers of one client. */
export const repeatedJson = customType<{ data: object; driverData: string }>({
  dataType: () => 'text',
  toDriver(value) {
    const earlier = packedFrozen.get(value);
    if (earlier !== undefined) return earlier;
    const packed = packAgain(JSON.stringify(value));
    if (Object.isFrozen(value)) packedFrozen.set(value, packed);
    return packed;
  },
  fromDriver: stored => JSON.parse(unpack(stored)),
});

/** `unpacked(text)` in SQL. */
export const addUnpacked = (sqlite: Sqlite.Database): void =>
  void sqlite.function('unpacked', { deterministic: true }, text => unpack(String(text)));
