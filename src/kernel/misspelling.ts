import { distance } from 'fastest-levenshtein';

/** The nearest of `names` that is at most two letters away. */
export function nearestName<N extends string>(typed: string, names: readonly N[]): N | undefined {
  const near = names
    .map(name => ({ name, letters: distance(typed, name) }))
    .filter(each => each.letters <= 2);
  return near.sort((a, b) => a.letters - b.letters)[0]?.name;
}
