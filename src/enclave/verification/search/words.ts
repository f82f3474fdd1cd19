import { REASONS, RESULTS, type Result } from '../../../contract/reasons.ts';
import { parseDay } from '../../../contract/time.ts';

/** What one word of a search asks for. */
export type Meaning =
  | { status: 'OPEN' }
  | { result: Result }
  | { reason: string }
  | { day: number }
  | { match: string };

const DECIMAL = /^\d+(\.\d+)?$/;
const ADDRESS = /^[0-9a-f]{40}$/i;

/** `accounts`: of the persons that the word names. */
export function meaningOf({ text, accounts }: { text: string; accounts: readonly string[] }): Meaning {
  const upper = text.toUpperCase();
  if (upper === 'OPEN') return { status: upper };
  if (Object.hasOwn(RESULTS, upper)) return { result: upper as Result };
  if (Object.hasOwn(REASONS, upper)) return { reason: upper };
  const day = parseDay(text);
  if (day !== undefined) return { day };
  const texts = ADDRESS.test(text) ? [text, `0x${text}`] : [text];
  // An amount is that amount. Any other word is the beginning of one.
  const own = texts.map(each => (DECIMAL.test(each) ? quoted(each) : `${quoted(each)}*`));
  return { match: `(${[...own, ...accounts.map(quoted)].join(' OR ')})` };
}

/** A token of FTS5. */
export const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
