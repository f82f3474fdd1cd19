import type { Person, Persons } from './ivms101.ts';
import { matchingRepresentatives } from './names.ts';
import type { Named, NamedCustomer } from './person-names.ts';

/** IVMS101 of persons whose names are known. */

/** WIRE-4: without a first name there is no `secondaryIdentifier`. */
export const natural = (lastName: string, firstName?: string, more: object = {}): Person => ({
  naturalPerson: {
    name: {
      nameIdentifier: [
        {
          primaryIdentifier: lastName,
          ...(firstName === undefined ? {} : { secondaryIdentifier: firstName }),
          nameIdentifierType: 'LEGL',
        },
      ],
    },
    ...more,
  },
});

export const legal = (legalPersonName: string): Person => ({
  legalPerson: { name: { nameIdentifier: [{ legalPersonName, legalPersonNameIdentifierType: 'LEGL' }] } },
});

/** A legal person is followed by its representatives. `birth`: of each natural person. */
export function personsOf(user: { kind: Named['kind']; names: object }, birth: object = {}): Person[] {
  // The kind decides the form of the names.
  const named = user as NamedCustomer;
  if (named.kind === 'natural') return [natural(named.names.lastName, named.names.firstName, birth)];
  const { legalName, representatives } = named.names;
  return [legal(legalName), ...representatives.map(each => natural(each.lastName, each.firstName, birth))];
}

/**
 * WIRE-3.2: the same persons with only what was wanted. Element 0 is the legal person, even without its name.
 * `wanted`: codes of `requiredBeneficiaryInfo`. `received`: the persons of the request.
 */
export function wantedPersons(named: NamedCustomer, wanted: readonly string[], received: Persons): Person[] {
  if (named.kind === 'natural') return wanted.includes('NATURAL_PERSON_NAME') ? personsOf(named) : [];
  const isNameWanted = wanted.includes('LEGAL_PERSON_NAME');
  const representatives = wanted.includes('CORPORATE_REPRESENTATIVE_NAME')
    ? matchingRepresentatives(named.names.representatives, received.slice(1))
    : [];
  if (!isNameWanted && representatives.length === 0) return [];
  const [company, ...others] = personsOf({ kind: 'legal', names: { ...named.names, representatives } });
  return [isNameWanted ? company! : { legalPerson: {} }, ...others];
}
