import {
  isRequiredInfoCode,
  parseRequiredInfo,
  REQUIRED_INFO,
  type RequiredInfoCode,
} from './required-info.ts';
import type { AnsweredBeneficiary } from './vasp-api.ts';

type Json = { [member: string]: unknown };
type Persons = NonNullable<AnsweredBeneficiary['beneficiaryPersons']>;

/** Release 1.3.6: personal data that was not requested does not leave the enclave. */
export function keepRequestedData(answered: AnsweredBeneficiary, requiredInfo: string): AnsweredBeneficiary {
  const paths = requestedPaths(parseRequiredInfo(requiredInfo).filter(isRequiredInfoCode));
  const persons = (answered.beneficiaryPersons ?? [])
    .map((person, position) => keepRequestedPerson(person as Json, position, paths))
    .filter(person => Object.keys(person).length > 0);
  const { accountNumber } = answered;
  return persons.length > 0 ? { beneficiaryPersons: persons as Persons, accountNumber } : { accountNumber };
}

type Paths = readonly (readonly (string | number)[])[];

export const requestedPaths = (codes: readonly RequiredInfoCode[]): Paths =>
  codes.map(code => REQUIRED_INFO[code].path);

/** A code names person 0 or 1. The codes of person 1 hold for all further representatives. */
export function keepRequestedPerson(person: Json, position: number, paths: Paths): Json {
  const kept: Json = {};
  for (const [root, index, ...path] of paths)
    if (root === 'persons' && index === Math.min(position, 1)) copyInto(kept, person, path as string[]);
  return kept;
}

function copyInto(kept: Json, from: Json, [step, ...rest]: readonly (string | number)[]): void {
  const value = from[step!];
  if (value === undefined || value === null) return;
  if (rest.length === 0) kept[step!] = value;
  else if (Array.isArray(value)) copyElements(kept, step as string, value, rest[0] as number);
  else {
    const inside = (kept[step!] ?? {}) as Json;
    copyInto(inside, value as Json, rest);
    if (Object.keys(inside).length > 0) kept[step!] = inside;
  }
}

/** Element 0 of the addresses is the head office. Elements from 1 on are branches. */
function copyElements(kept: Json, step: string, values: unknown[], index: number): void {
  const requested = index === 0 ? values.slice(0, 1) : values.slice(index);
  kept[step] = [...((kept[step] as unknown[] | undefined) ?? []), ...requested];
}
