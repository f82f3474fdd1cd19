import { isFilled } from './is-filled.ts';
import type { Persons } from './ivms101.ts';
import { keepRequestedPerson, requestedPaths } from './requested-data.ts';
import type { RequiredInfoCode } from './required-info.ts';

/** D-27: paths of the filled members that the enclave removes, e.g. `[0].naturalPerson.nationality`. */
export const unrequestedPaths = (persons: Persons, codes: readonly RequiredInfoCode[]): string[] =>
  persons.flatMap((person, position) => {
    const kept = keepRequestedPerson(person, position, requestedPaths(codes));
    return removedPaths(person, kept, `[${position}]`);
  });

function removedPaths(value: unknown, kept: unknown, path: string): string[] {
  if (!isFilled(value)) return [];
  if (kept === undefined) return [path];
  if (Array.isArray(value)) return value.length === (kept as unknown[]).length ? [] : [path];
  if (typeof value !== 'object') return [];
  return Object.entries(value as object).flatMap(([member, inner]) =>
    removedPaths(inner, (kept as Record<string, unknown>)[member], `${path}.${member}`),
  );
}
