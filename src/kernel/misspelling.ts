import { distance } from 'fastest-levenshtein';

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
