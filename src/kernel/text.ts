import { distance } from 'fastest-levenshtein';

/** The first characters of a text, and how many more it had. */
export const cutText = <T extends string | null>(text: T, maxLength = 2_000): T =>
  text === null || text.length <= maxLength
    ? text
    : (`${text.slice(0, maxLength).toWellFormed()} … (cut: ${text.length - maxLength} more characters)` as T);

/** Controls, formats, fillers, variation selectors, and every blank but the ordinary one. */
export const INVISIBLE =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Variation_Selector}\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffe\uffff]|\u034f|(?! )\p{Zs}/gu;

export const codePointOf = (character: string): string =>
  `⟨U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}⟩`;

/** The characters that nobody sees, each once. */
export const invisibleIn = (text: string): string[] => [...new Set(text.match(INVISIBLE))].map(codePointOf);

/** Shows what nobody sees: `Robbins⟨U+200B⟩`. */
export const withInvisible = (text: string): string => text.replace(INVISIBLE, codePointOf);

/** A text that was escaped for a URL. As it is, where it holds what is no code. */
export function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The text with one full stop at its end. */
export const sentence = (text: string): string => (text.endsWith('.') ? text : `${text}.`);

/** The name that is the same, or near. Case does not count. */
export function nearestOf(typed: string, names: readonly string[]): string | undefined {
  const lower = typed.toLowerCase();
  const byName = new Map(names.map(name => [name.toLowerCase(), name]));
  return byName.get(lower) ?? byName.get(nearestName(lower, [...byName.keys()]) ?? '');
}

/** ` Did you mean \`x\`?` where one of the names is near, otherwise nothing. */
export function didYouMean(typed: string, names: readonly string[]): string {
  if (typed === '' || names.includes(typed)) return '';
  const nearest = nearestOf(typed, names);
  return nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
}

const SHORT = 4;
const MAX_LETTERS = 2;

/** The nearest of `names` that is at most two letters away, or one where the name is short. A swap counts as one letter. */
export function nearestName<N extends string>(typed: string, names: readonly N[]): N | undefined {
  const near = names
    .filter(name => Math.abs(name.length - typed.length) <= MAX_LETTERS)
    .map(name => ({ name, letters: lettersBetween(typed, name) }))
    .filter(({ name, letters }) => letters <= (name.length <= SHORT ? 1 : MAX_LETTERS));
  return near.sort((a, b) => a.letters - b.letters)[0]?.name;
}

function lettersBetween(typed: string, name: string): number {
  const letters = distance(typed, name);
  return letters === 2 && isSwapped(typed, name) ? 1 : letters;
}

/** Two neighbours have changed places. The texts differ by two letters. */
function isSwapped(typed: string, name: string): boolean {
  if (typed.length !== name.length) return false;
  const at = [...name].findIndex((letter, i) => letter !== typed[i]);
  return typed[at] === name[at + 1] && typed[at + 1] === name[at];
}

/** A piece of time, in milliseconds of one clock. */
export interface Span {
  from: number;
  to: number;
}

/** The time since `from` that at least one of them covers. */
export function coveredSince(from: number, spans: readonly Span[]): number {
  const later = spans.filter(({ to }) => to > from).sort((one, other) => one.from - other.from);
  let sum = 0;
  let end = from;
  for (const span of later) {
    if (span.to <= end) continue;
    sum += span.to - Math.max(span.from, end);
    end = span.to;
  }
  return sum;
}

/** The text as one word of a POSIX shell: nothing in it runs, and nothing is replaced. */
export const shellWord = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
