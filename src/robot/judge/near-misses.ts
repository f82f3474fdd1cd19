import {
  identifiersOf,
  NAME_LISTS,
  type NaturalPersonName,
  type NaturalPersonNameIdentifier,
  type Person,
  type Persons,
} from '../../contract/ivms101.ts';
import { checkPersons } from '../../contract/ivms101-check/check.ts';
import { DIALECT_NAMES } from '../../contract/ivms101-check/dialects.ts';
import { foldText } from '../../contract/names.ts';
import type { NearMiss } from '../../contract/near-miss.ts';
import type { PersonNames } from '../../contract/person-names.ts';
import type { LegalUser, User } from '../users/user.ts';

const ROOT = 'ivms101.beneficiary.beneficiaryPersons';
const NOTHING = 'nothing';

/** The change by which `persons` name the user: one member where one is enough, else the whole name. */
export function nameNearMiss(user: User, persons: Persons): NearMiss {
  const [first] = persons;
  if (!first) return { field: ROOT, expected: describe(user), got: 'no person' };
  if (user.kind === 'natural')
    return first.legalPerson
      ? { field: `${ROOT}[0]`, expected: 'naturalPerson', got: 'legalPerson' }
      : personNearMiss(user.names, first.naturalPerson?.name, `${ROOT}[0].naturalPerson.name`);
  return companyNearMiss(user, first, persons.slice(1));
}

function companyNearMiss({ names }: LegalUser, first: Person, others: Persons): NearMiss {
  if (!first.legalPerson) return { field: `${ROOT}[0]`, expected: 'legalPerson', got: 'naturalPerson' };
  const legalNames = NAME_LISTS.flatMap(list =>
    (first.legalPerson?.name?.[list] ?? []).map((identifier, i) => ({
      field: `${ROOT}[0].legalPerson.name.${list}[${i}].legalPersonName`,
      got: identifier.legalPersonName ?? NOTHING,
    })),
  );
  if (!legalNames.some(({ got }) => foldText(got) === foldText(names.legalName))) {
    const [nearest] = legalNames;
    const field = `${ROOT}[0].legalPerson.name.nameIdentifier[0].legalPersonName`;
    return { field, got: NOTHING, ...nearest, expected: names.legalName };
  }
  const expected = names.representatives.map(fullName).join(' or ');
  if (others.length === 0) return { field: `${ROOT}[1]`, expected, got: 'no representative' };
  const [representative] = others;
  const closest = names.representatives
    .map(person => personNearMiss(person, representative?.naturalPerson?.name, `${ROOT}[1].naturalPerson.name`))
    .find(({ field }) => field.endsWith('Identifier') && !field.endsWith('nameIdentifier'));
  return closest ?? { field: `${ROOT}[1]`, expected, got: nameOf(representative?.naturalPerson?.name) };
}

/** One member of one identifier where changing it is enough, else the whole identifier. */
function personNearMiss(names: PersonNames, name: NaturalPersonName | null | undefined, field: string): NearMiss {
  const identifiers = NAME_LISTS.flatMap(list =>
    (name?.[list] ?? []).map((identifier, i) => ({ identifier, at: `${field}.${list}[${i}]` })),
  );
  const [oneMember] = identifiers.flatMap(({ identifier, at }) => differingMember(names, identifier, at) ?? []);
  if (oneMember) return oneMember;
  const [first] = identifiers;
  const expected = `primaryIdentifier ${names.lastName}, secondaryIdentifier ${names.firstName}`;
  return { field: first?.at ?? `${field}.nameIdentifier[0]`, expected, got: nameOf(name) };
}

/** Undefined: both members differ, or none. */
function differingMember(
  { lastName, firstName }: PersonNames,
  { primaryIdentifier, secondaryIdentifier }: NaturalPersonNameIdentifier,
  at: string,
): NearMiss | undefined {
  const isLast = foldText(primaryIdentifier) === foldText(lastName);
  const isFirst = foldText(secondaryIdentifier) === foldText(firstName);
  if (isLast === isFirst) return undefined;
  return isLast
    ? { field: `${at}.secondaryIdentifier`, expected: firstName, got: secondaryIdentifier || NOTHING }
    : { field: `${at}.primaryIdentifier`, expected: lastName, got: primaryIdentifier || NOTHING };
}

/** The listed person, by the name in the request. */
export const listedNearMiss = (persons: Persons, index: number): NearMiss => ({
  field: `ivms101.originator.originatorPersons[${index}]`,
  expected: 'an originator that is not listed',
  got: nameOf(persons[index]?.naturalPerson?.name),
});

function nameOf(name: NaturalPersonName | null | undefined): string {
  const [first] = identifiersOf(name);
  if (!first) return NOTHING;
  const { primaryIdentifier, secondaryIdentifier } = first;
  return `primaryIdentifier ${primaryIdentifier || NOTHING}, secondaryIdentifier ${secondaryIdentifier || NOTHING}`;
}

const fullName = ({ firstName, lastName }: PersonNames): string => `${firstName} ${lastName}`;
const describe = (user: User): string =>
  user.kind === 'natural'
    ? fullName(user.names)
    : `${user.names.legalName}, then ${user.names.representatives.map(fullName).join(' or ')}`;

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
