import { nearestName } from './misspelling.ts';

/** ` Did you mean \`x\`?` where one of the names is near, otherwise nothing. Case does not count. */
export function didYouMean(typed: string, names: readonly string[]): string {
  if (typed === '' || names.includes(typed)) return '';
  const same = names.find(name => name.toLowerCase() === typed.toLowerCase());
  const nearest = same ?? nearestName(typed, names);
  return nearest === undefined ? '' : ` Did you mean \`${nearest}\`?`;
}
