import { REASON_CODES, REASONS, RESULTS, type Result } from '../../../contract/reasons.ts';
import { parseDay } from '../../../contract/time.ts';

/** What one word of a search asks for. */
export type Meaning =
  | { status: 'OPEN' }
  | { result: Result }
  | { reason: string }
  | { reasons: readonly string[] }
  | { day: number }
  | { match: string };

/** Shorter words of a reason may be names: `Black`, `Lack`. */
const LEAST_OF_REASON = 7;
const DECIMAL = /^\d+(\.\d+)?$/;
const ADDRESS = /^[0-9a-f]{40}$/i;

/** `accounts`: of the persons that the word names. */
export function meaningOf({ text, accounts }: { text: string; accounts: readonly string[] }): Meaning {
  const upper = text.toUpperCase();
  if (upper === 'OPEN') return { status: upper };
  if (Object.hasOwn(RESULTS, upper)) return { result: upper as Result };
  if (Object.hasOwn(REASONS, upper)) return { reason: upper };
  if (upper.length >= LEAST_OF_REASON) {
    const reasons = REASON_CODES.filter(code => code.split('-').some(word => word.startsWith(upper)));
    if (reasons.length > 0) return { reasons };
  }
  const day = parseDay(text);
  if (day !== undefined) return { day };
  const texts = ADDRESS.test(text) ? [text, `0x${text}`] : [text];
  // An amount is that amount. Any other word is the beginning of one.
  const own = texts.map(each => (DECIMAL.test(each) ? quoted(each) : `${quoted(each)}*`));
  return { match: `(${[...own, ...accounts.map(quoted)].join(' OR ')})` };
}

/** A token of FTS5. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
