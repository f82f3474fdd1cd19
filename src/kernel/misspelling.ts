import { distance } from 'fastest-levenshtein';

const SHORT = 4;

/** The nearest of `names` that is at most two letters away, or one where the name is short. A swap counts as one letter. */
export function nearestName<N extends string>(typed: string, names: readonly N[]): N | undefined {
  const near = names
    .map(name => ({ name, letters: isSwapped(typed, name) ? 1 : distance(typed, name) }))
    .filter(({ name, letters }) => letters <= (name.length <= SHORT ? 1 : 2));
  return near.sort((a, b) => a.letters - b.letters)[0]?.name;
}

/** Two neighbours have changed places. */
function isSwapped(typed: string, name: string): boolean {
  if (typed.length !== name.length || distance(typed, name) !== 2) return false;
  const at = [...name].findIndex((letter, i) => letter !== typed[i]);
  return typed[at] === name[at + 1] && typed[at + 1] === name[at];
}
