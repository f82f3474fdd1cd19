import type { Persons } from '../../contract/ivms101.ts';
import { checkPersons } from '../../contract/ivms101-check/check.ts';
import { DIALECT_NAMES } from '../../contract/ivms101-check/dialects.ts';
import type { NearMiss } from '../../contract/near-miss.ts';

const OF_NAME = [
  'naturalPerson',
  'legalPerson',
  'name',
  'nameIdentifier',
  'localNameIdentifier',
  'phoneticNameIdentifier',
  'primaryIdentifier',
  'secondaryIdentifier',
  'legalPersonName',
];
const OF_BIRTH = ['dateAndPlaceOfBirth', 'dateOfBirth', 'placeOfBirth'];

/** The first member that another dialect names, among those of a name, or of name and birth. `root`: path of the list. */
export function dialectNearMiss(persons: Persons, root: string, of: 'name' | 'birth'): NearMiss | undefined {
  const members = of === 'name' ? OF_NAME : [...OF_NAME, ...OF_BIRTH];
  const { foreign } = checkPersons(persons, root, { isOriginator: false, today: 0 });
  const found = foreign.find(({ wanted }) => members.includes(wanted));
  if (!found) return undefined;
  const { path, wanted, dialect } = found;
  return {
    field: path,
    expected: wanted,
    got: `${path.slice(path.lastIndexOf('.') + 1)}, written ${DIALECT_NAMES[dialect]}`,
  };
}
