import { codePointOf, INVISIBLE, withInvisible } from '../kernel/invisible-text.ts';
import type { NearMiss } from './near-miss.ts';

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

/** The most characters of a foreign text that are shown. */
const MAX_SHOWN = 2_000;

/** D-51: a foreign text on one line, as a report shows it. */
export const foreignText = (text: string): string => withInvisible(cutText(text));

/** Says how much is cut. */
export function cutText(text: string, most = MAX_SHOWN): string {
  const rest = text.length - most;
  return rest > 0 ? `${text.slice(0, most).toWellFormed()} … (cut: ${rest} more characters)` : text;
}

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
