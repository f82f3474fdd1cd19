import { nearestName } from './misspelling.ts';

/** ` Did you mean \`x\`?` where one of the names is near, otherwise nothing. Case does not count. */
export function didYouMean(typed: string, names: readonly string[]): string {
  if (typed === '' || names.includes(typed)) return '';
  const lower = typed.toLowerCase();
  const byName = new Map(names.map(name => [name.toLowerCase(), name]));
  const nearest = byName.get(lower) ?? byName.get(nearestName(lower, [...byName.keys()]) ?? '');
  return nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
}
