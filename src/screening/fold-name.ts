import anyAscii from 'any-ascii';

/** Folds names into Latin letters and digits, so that one name compares equal across scripts and spellings. */

/** Two spellings of one sound: `Mueller` folds like `Müller`. */
const SPELLINGS = [
  [/ae/g, 'a'],
  [/oe/g, 'o'],
  [/ue/g, 'u'],
  [/ph/g, 'f'],
  [/kh/g, 'h'],
] as const;

export function foldName(name: string): string {
  const plain = anyAscii(name.normalize('NFKC'))
    .toLowerCase()
    .replace(/['`]/g, '')
    .replace(/[^a-z0-9]+/g, ' ')
    .trim();
  return SPELLINGS.reduce((text, [two, one]) => text.replace(two, one), plain);
}
