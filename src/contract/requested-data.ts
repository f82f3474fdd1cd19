import type { Persons } from './ivms101.ts';
import { isRequiredInfoCode, parseRequiredInfo, REQUIRED_INFO, type RequiredInfoCode } from './required-info.ts';
import { isFilled } from './text.ts';
import type { AnsweredBeneficiary } from './vasp-api.ts';

/**
 * WIRE-5: a code names a member by its place. So what was not requested is removed, and every element of a list keeps its
 * place: an empty one stands for it where a later one was requested.
 */

type Json = { [member: string]: unknown };
type BeneficiaryPersons = NonNullable<AnsweredBeneficiary['beneficiaryPersons']>;
type Path = readonly (string | number)[];

/** Release 1.3.6: personal data that was not requested does not leave the enclave. */
export function keepRequestedData(answered: AnsweredBeneficiary, requiredInfo: string): AnsweredBeneficiary {
  const codes = parseRequiredInfo(requiredInfo).filter(isRequiredInfoCode);
  const persons = keepRequestedPersons(answered.beneficiaryPersons ?? [], codes);
  const { accountNumber } = answered;
  return persons.length > 0 ? { beneficiaryPersons: persons, accountNumber } : { accountNumber };
}

function keepRequestedPersons(persons: BeneficiaryPersons, codes: readonly RequiredInfoCode[]): BeneficiaryPersons {
  const paths = codes.map((code): Path => REQUIRED_INFO[code].path);
  return (keptOf({ persons }, paths) as { persons?: BeneficiaryPersons } | undefined)?.persons ?? [];
}

/** What the paths reach. Undefined: nothing. */
function keptOf(value: unknown, paths: readonly Path[]): unknown {
  if (paths.length === 0 || value === undefined || value === null) return undefined;
  if (paths.some(path => path.length === 0)) return value;
  if (typeof value !== 'object') return undefined;
  return Array.isArray(value) ? keptElements(value, paths) : keptMembers(value as Json, paths);
}

const below = (paths: readonly Path[], step: string | number): Path[] =>
  paths.flatMap(([first, ...rest]) => (first === step ? [rest] : []));

function keptMembers(from: Json, paths: readonly Path[]): Json | undefined {
  const members = Object.keys(from).flatMap(member => {
    const kept = keptOf(from[member], below(paths, member));
    return kept === undefined ? [] : [[member, kept] as const];
  });
  return members.length > 0 ? Object.fromEntries(members) : undefined;
}

/** Place 1 stands for all that follow: further representatives, further branches. */
function keptElements(from: readonly unknown[], paths: readonly Path[]): unknown[] | undefined {
  const kept = from.map((each, place) => keptOf(each, below(paths, Math.min(place, 1))));
  const last = kept.findLastIndex(each => each !== undefined);
  return last < 0 ? undefined : kept.slice(0, last + 1).map((each, place) => each ?? emptied(from[place]));
}

/** A person is still a natural or a legal one. */
function emptied(element: unknown): Json {
  const { naturalPerson, legalPerson } = (element ?? {}) as Json;
  return { ...(naturalPerson ? { naturalPerson: {} } : {}), ...(legalPerson ? { legalPerson: {} } : {}) };
}

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
