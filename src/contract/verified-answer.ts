import { isFilled } from './is-filled.ts';
import { identifiersOf, type NaturalPersonNameIdentifier, type Person, type Persons } from './ivms101.ts';
import { foldText } from './names.ts';
import { REQUIRED_INFO, type RequiredInfoCode } from './required-info.ts';

/** WIRE-3.2: a VERIFIED answer gives the information that was requested, about the person of the request. */

interface Missing {
  code: RequiredInfoCode;
  /** `beneficiaryPersons[0].naturalPerson.name.nameIdentifier` */
  field: string;
}

export const missingInformation = (persons: Persons, codes: readonly RequiredInfoCode[]): Missing[] =>
  codes.filter(code => isMissing(code, persons)).map(code => ({ code, field: fieldOf(code) }));

const fieldOf = (code: RequiredInfoCode): string =>
  REQUIRED_INFO[code].path
    .map(step => (typeof step === 'number' ? `[${step}]` : `.${step === 'persons' ? 'beneficiaryPersons' : step}`))
    .join('')
    .slice(1);

function isMissing(code: RequiredInfoCode, persons: Persons): boolean {
  const { path } = REQUIRED_INFO[code];
  const [root, ...steps] = path as readonly (string | number)[];
  if (root !== 'persons') return false;
  const value = steps.reduce<unknown>(
    (at, step) => (at as Record<string | number, unknown> | null | undefined)?.[step],
    persons,
  );
  return !isFilled(value);
}

interface OtherName {
  /** `beneficiaryPersons[0]` */
  field: string;
  expected: string;
  got: string;
}

/** One name of the answer has to be a name of the request: of the first person, and of one representative. */
export function otherNames(asked: Persons, answered: Persons): OtherName[] {
  const [askedFirst, ...askedOthers] = asked;
  const [first, ...others] = answered;
  return [
    ...(askedFirst && first ? differences([askedFirst], [first], 'beneficiaryPersons[0]') : []),
    ...differences(askedOthers, others, 'beneficiaryPersons[1]'),
  ];
}

function differences(asked: readonly Person[], answered: readonly Person[], field: string): OtherName[] {
  const expected = asked.flatMap(namesOf);
  const got = answered.flatMap(namesOf);
  if (expected.length === 0 || got.length === 0) return [];
  if (got.some(name => expected.some(each => isSameName(each, name)))) return [];
  return [{ field, expected: expected.map(nameText).join(' or '), got: got.map(nameText).join(' or ') }];
}

type Name = Pick<NaturalPersonNameIdentifier, 'primaryIdentifier' | 'secondaryIdentifier'>;

const namesOf = ({ naturalPerson, legalPerson }: Person): Name[] =>
  [
    ...identifiersOf(naturalPerson?.name),
    ...identifiersOf(legalPerson?.name).map(({ legalPersonName }) => ({ primaryIdentifier: legalPersonName ?? '' })),
  ].filter(name => nameText(name) !== '');

const nameText = ({ primaryIdentifier, secondaryIdentifier }: Name): string =>
  [primaryIdentifier, secondaryIdentifier].filter(Boolean).join(', ').trim();

/** D-09: both parts are equal, or one of the names stands in one piece. */
function isSameName(one: Name, other: Name): boolean {
  const [a, b] = [partsOf(one), partsOf(other)];
  if (a.secondary !== '' && b.secondary !== '') return a.primary === b.primary && a.secondary === b.secondary;
  return wholeNames(a).some(whole => wholeNames(b).includes(whole));
}

const partsOf = ({ primaryIdentifier, secondaryIdentifier }: Name) => ({
  primary: foldText(primaryIdentifier),
  secondary: foldText(secondaryIdentifier),
});

const wholeNames = ({ primary, secondary }: ReturnType<typeof partsOf>): string[] =>
  secondary === '' ? [primary] : [`${primary} ${secondary}`, `${secondary} ${primary}`];
