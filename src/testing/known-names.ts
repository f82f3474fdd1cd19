import { didYouMean } from '../kernel/did-you-mean.ts';

/** Every name of an object of options: one that is forgotten here does not compile. */
export type NamesOf<Options> = Readonly<Record<keyof Options, true>>;

/** In JavaScript a mistyped name would be ignored, and the test would test something else. Throws `TypeError`. */
export function requireKnown(where: string, given: object, known: Readonly<Record<string, true>>): void {
  const names = Object.keys(known);
  const unknown = Object.keys(given).filter(name => !Object.hasOwn(known, name));
  if (unknown.length === 0) return;
  const each = unknown.map(name => `\`${name}\` is unknown.${didYouMean(name, names)}`);
  throw new TypeError(`${where}: ${each.join(' ')} Known are ${names.join(', ')}.`);
}
