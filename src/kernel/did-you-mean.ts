import { nearestName } from './misspelling.ts';

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
