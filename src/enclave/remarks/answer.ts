import { isFilled } from '../../contract/is-filled.ts';
import type { NaturalPersonNameIdentifier, Person, Persons } from '../../contract/ivms101.ts';
import { foldText } from '../../contract/names.ts';
import {
  isRequiredInfoCode,
  parseRequiredInfo,
  REQUIRED_INFO,
  type RequiredInfoCode,
} from '../../contract/required-info.ts';
import { unrequestedPaths } from '../../contract/unrequested.ts';
import type { AnsweredBeneficiary } from '../../contract/vasp-api.ts';
import type { RemarkFinding } from '../../db/remarks.ts';
import type { Verification } from '../verification/store.ts';
import { nameTypeFindings } from './name-types.ts';
import { legalNamesOf, naturalNamesOf } from './person-paths.ts';

const ROOT = 'ivms101.beneficiary.beneficiaryPersons';

type Asked = Pick<Verification, 'requiredBeneficiaryInfo' | 'ivms101Beneficiary'>;

/** D-27: what is wrong with a VERIFIED answer although it counts. */
export function answerFindings(asked: Asked, answered: AnsweredBeneficiary): RemarkFinding[] {
  const persons = answered.beneficiaryPersons ?? [];
  const codes = parseRequiredInfo(asked.requiredBeneficiaryInfo).filter(isRequiredInfoCode);
  return [
    ...codes.filter(code => isMissing(code, persons)).map(missing),
    ...nameFindings(asked.ivms101Beneficiary.beneficiaryPersons, persons),
    ...nameTypeFindings(persons, ROOT),
    ...unrequestedPaths(persons, codes).map(path => ({
      code: 'INFORMATION-NOT-REQUESTED' as const,
      field: `${ROOT}${path}`,
      expected: `only ${codes.join(', ')}`,
      got: 'more than that',
    })),
  ];
}

const missing = (code: RequiredInfoCode): RemarkFinding => ({
  code: 'INFORMATION-MISSING',
  field: `ivms101.beneficiary.${fieldOf(code)}`,
  expected: code,
  got: null,
});

/** `['persons', 0, 'naturalPerson', 'name']` -> `beneficiaryPersons[0].naturalPerson.name` */
const fieldOf = (code: RequiredInfoCode): string =>
  REQUIRED_INFO[code].path
    .map(step =>
      typeof step === 'number' ? `[${step}]` : `.${step === 'persons' ? 'beneficiaryPersons' : step}`,
    )
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

/** One name of the answer has to be a name of the request: of the first person, and of one representative. */
function nameFindings(asked: Persons, answered: Persons): RemarkFinding[] {
  const [askedFirst, ...askedOthers] = asked;
  const [first, ...others] = answered;
  return [
    ...(askedFirst && first ? differences([askedFirst], [first], `${ROOT}[0]`) : []),
    ...differences(askedOthers, others, `${ROOT}[1]`),
  ];
}

function differences(asked: readonly Person[], answered: readonly Person[], field: string): RemarkFinding[] {
  const expected = asked.flatMap(namesOf);
  const got = answered.flatMap(namesOf);
  if (expected.length === 0 || got.length === 0) return [];
  if (got.some(name => expected.some(each => isSameName(each, name)))) return [];
  return [
    {
      code: 'NAME-DIFFERS',
      field,
      expected: expected.map(nameText).join(' or '),
      got: got.map(nameText).join(' or '),
    },
  ];
}

type Name = Pick<NaturalPersonNameIdentifier, 'primaryIdentifier' | 'secondaryIdentifier'>;

const namesOf = (person: Person): Name[] =>
  [
    ...naturalNamesOf(person),
    ...legalNamesOf(person).map(primaryIdentifier => ({ primaryIdentifier })),
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
