import type Sqlite from 'better-sqlite3';
import { add, subtract } from '../kernel/decimal.ts';
import PHRASES from './former-phrases.json' with { type: 'json' };

/**
 * Databases of former versions hold texts that name phrases by control characters. Only migrations read them, with the
 * functions `unpacked(text)` and `unpacked_lines(text)`.
 */

const PACKED = '\u0001';
const LITERAL = '\u0002';
const PAGES = '\u001d\u001e\u001f';
const SINGLES =
  '\u0003\u0004\u0005\u0006\u0007\u0008\u000b\u000c\u000e\u000f\u0010\u0011\u0012\u0013\u0014\u0015\u0016\u0017\u0018\u0019\u001a\u001b\u001c';
const ON_PAGE = 94;
const CODE = new RegExp(`[${LITERAL}${PAGES}][^]|[${SINGLES}]`, 'g');
/** The place of the time in a line of the history. 0: the time of the line before. */
const AT = 6;

const codeOf = (place: number): string =>
  SINGLES[place] ??
  PAGES[Math.floor((place - SINGLES.length) / ON_PAGE)]! +
    String.fromCharCode(' '.charCodeAt(0) + ((place - SINGLES.length) % ON_PAGE));

const phrases = new Map(PHRASES.map((phrase, place) => [codeOf(place), phrase]));

const unpack = (stored: string): string =>
  stored.startsWith(PACKED)
    ? stored.slice(1).replace(CODE, code => phrases.get(code) ?? code.slice(1))
    : stored;

function unpackLines(stored: string): string {
  const lines = JSON.parse(unpack(stored)) as unknown[][];
  lines.forEach((line, i) => {
    line[AT] ||= lines[i - 1]?.[AT] ?? 0;
  });
  return JSON.stringify(lines);
}

export function addFormerText(sqlite: Sqlite.Database): void {
  sqlite.function('unpacked', text => (text === null ? null : unpack(String(text))));
  sqlite.function('unpacked_lines', text => unpackLines(String(text)));
}

/** Functions of SQLite's decimal extension, which the library leaves out. Migrations call them. */
export function addDecimalFunctions(sqlite: Sqlite.Database): void {
  sqlite.function('decimal_add', { deterministic: true }, (a, b) => add(String(a), String(b)));
  sqlite.function('decimal_sub', { deterministic: true }, (a, b) => subtract(String(a), String(b)));
  sqlite.aggregate('decimal_sum', {
    start: '0',
    deterministic: true,
    step: (sum, each) => add(sum, String(each)),
  });
}
