import { isFilled } from './is-filled.ts';
import type { Persons } from './ivms101.ts';
import { keepRequestedPersons } from './requested-data.ts';
import type { RequiredInfoCode } from './required-info.ts';

/** D-27: paths of the filled members that the enclave removes, e.g. `[0].naturalPerson.nationality`. */
export function unrequestedPaths(persons: Persons, codes: readonly RequiredInfoCode[]): string[] {
  const kept = keepRequestedPersons(persons, codes);
  return persons.flatMap((person, position) => removedPaths(person, kept[position] ?? {}, `[${position}]`));
}

function removedPaths(value: unknown, kept: unknown, path: string): string[] {
  if (!isFilled(value)) return [];
  if (kept === undefined) return [path];
  if (Array.isArray(value)) return value.every((each, place) => isKept(each, kept as unknown[], place)) ? [] : [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value as object).flatMap(([member, inner]) =>
    removedPaths(inner, (kept as Record<string, unknown>)[member], `${path}.${member}`),
  );
}

const isKept = (element: unknown, kept: readonly unknown[], place: number): boolean =>
  kept[place] === element || !isFilled(element);
