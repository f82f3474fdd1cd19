import { LEGAL_NAME_TYPES, NATURAL_NAME_TYPES } from '../ivms101.ts';
import { isFilled } from '../text.ts';
import { parseDay } from '../time.ts';
import { codeOf, type Datatype, IDENTIFIER_TYPES, LEGAL_IDENTIFIER_TYPES, withBlanks } from './datatypes.ts';
import { foreignNameOf } from './dialects.ts';
import { type Finding, failure, type Severity, warning } from './problem.ts';

/** IVMS101 5.2 and 6: components and entities with their members, in the names that the network keeps (WIRE-4). */

export interface Member {
  readonly type: Datatype | Component;
  readonly isList?: true;
  /** The most elements. Default: `MAX_ELEMENTS`. */
  readonly maxElements?: number;
  /** How bad it is that the member is missing. Absent: it may be. */
  readonly ifMissing?: Severity;
}

const one = <T extends string>(type: T) => ({ type });
const required = <T extends string>(type: T) => ({ type, ifMissing: 'FAILURE' as const });
const list = <T extends string>(type: T) => ({ type, isList: true as const });

const naturalName = <T extends string>(text: T) => ({
  primaryIdentifier: required(text),
  secondaryIdentifier: one(text),
  nameIdentifierType: required('NaturalPersonNameTypeCode'),
});
const ofLegalName = <T extends string>(text: T) => ({
  legalPersonName: required(text),
  legalPersonNameIdentifierType: required('LegalPersonNameTypeCode'),
});
const names = <M extends string, L extends string>(main: M, local: L) => ({
  nameIdentifier: { ...list(main), ifMissing: 'FAILURE' as const },
  localNameIdentifier: list(local),
  phoneticNameIdentifier: list(local),
});

const identification = {
  nationalIdentifier: required('Max35Text'),
  nationalIdentifierType: required('NationalIdentifierTypeCode'),
  countryOfIssue: one('CountryCode'),
  registrationAuthority: one('RegistrationAuthority'),
};
const persons = { type: 'Person', isList: true, ifMissing: 'FAILURE' } as const;

const MODEL = {
  Payload: {
    originator: one('Originator'),
    beneficiary: one('Beneficiary'),
    originatingVASP: one('Person'),
    beneficiaryVASP: one('Person'),
    transferPath: one('TransferPath'),
    payloadMetadata: one('PayloadMetadata'),
  },
  Originator: { originatorPersons: persons, accountNumber: list('LocalMax100Text') },
  Beneficiary: { beneficiaryPersons: persons, accountNumber: list('LocalMax100Text') },
  TransferPath: { transferPath: list('IntermediaryVASP') },
  IntermediaryVASP: { intermediaryVASP: required('Person'), sequence: required('Number') },
  PayloadMetadata: { transliterationMethod: list('TransliterationMethodCode') },
  Person: { naturalPerson: one('NaturalPerson'), legalPerson: one('LegalPerson') },
  NaturalPerson: {
    name: required('NaturalPersonName'),
    geographicAddress: list('Address'),
    nationalIdentification: one('NationalIdentification'),
    customerIdentification: one('Max50Text'),
    customerNumber: one('Max50Text'),
    dateAndPlaceOfBirth: one('DateAndPlaceOfBirth'),
    countryOfResidence: one('CountryCode'),
    nationality: one('CountryCode'),
  },
  LegalPerson: {
    name: required('LegalPersonName'),
    geographicAddress: list('Address'),
    nationalIdentification: one('LegalIdentification'),
    customerIdentification: one('Max50Text'),
    customerNumber: one('Max50Text'),
    countryOfRegistration: one('CountryCode'),
    dateOfIncorporation: one('Date'),
  },
  NaturalPersonName: names('NaturalPersonNameID', 'LocalNaturalPersonNameID'),
  NaturalPersonNameID: naturalName('Max100Text'),
  LocalNaturalPersonNameID: naturalName('LocalMax100Text'),
  LegalPersonName: names('LegalPersonNameID', 'LocalLegalPersonNameID'),
  LegalPersonNameID: ofLegalName('Max100Text'),
  LocalLegalPersonNameID: ofLegalName('LocalMax100Text'),
  Address: {
    addressType: { type: 'AddressTypeCode', ifMissing: 'WARNING' },
    department: one('Max50Text'),
    subDepartment: one('Max70Text'),
    streetName: one('Max70Text'),
    buildingNumber: one('Max16Text'),
    buildingName: one('Max35Text'),
    floor: one('Max70Text'),
    postBox: one('Max16Text'),
    room: one('Max70Text'),
    postcode: one('Max16Text'),
    /** The standard itself writes both. */
    postCode: one('Max16Text'),
    townName: one('Max35Text'),
    townLocationName: one('Max35Text'),
    districtName: one('Max35Text'),
    countrySubDivision: one('Max35Text'),
    addressLine: { type: 'Max70Text', isList: true, maxElements: 7 },
    country: required('CountryCode'),
  },
  DateAndPlaceOfBirth: { dateOfBirth: required('Date'), placeOfBirth: required('Max70Text') },
  NationalIdentification: identification,
  LegalIdentification: identification,
} as const;

export type Component = keyof typeof MODEL;
/** Does not compile where a member has a type that nothing has. */
export const COMPONENTS: Readonly<Record<Component, Readonly<Record<string, Member>>>> = MODEL;

const LEI = /^[0-9A-Z]{18}[0-9]{2}$/i;

/** ISO 17442: the check digits follow mod 97-10 of ISO 7064. A letter counts as 10 to 35. */
function hasLeiCheckDigits(lei: string): boolean {
  const digits = [...lei].map(each => Number.parseInt(each, 36)).join('');
  return BigInt(digits) % 97n === 1n;
}

/** C1, C2, C4 to C9, C11, C12: constraints between the members of a component. C3 and C10 are those of a datatype. */

export type Loose = Readonly<Record<string, unknown>>;

export interface Context {
  /** Only an originator needs more than a name (C1, C4). */
  readonly isOriginator: boolean;
  /** An answer holds only what was requested, so persons and names may be missing. */
  readonly isAnswer?: boolean;
  /** The first moment of the current day, in epoch milliseconds. */
  readonly today: number;
}

/** `member`: where the problem stands inside the component; absent: the component itself. */
type ConstraintFinding = Finding & { readonly member?: string };
type Constraint = (value: Loose, context: Context) => readonly (ConstraintFinding | undefined | false)[];

const at = (member: string, finding: Finding | undefined): ConstraintFinding | undefined =>
  finding && { ...finding, member };
const listOf = (value: unknown): Loose[] =>
  (Array.isArray(value) ? value : [value]).filter(each => typeof each === 'object' && each !== null) as Loose[];
const has = (value: Loose, ...members: string[]): boolean => members.some(member => isFilled(value[member]));

const MAIN = 'customerIdentification';
const customerNumber = (value: Loose) =>
  has(value, 'customerNumber') &&
  at('customerNumber', warning('WIRE-5', `The network reads the member ${MAIN}.`, MAIN));

const onePerson: Constraint = (value, { isAnswer }) => {
  const kinds = ['naturalPerson', 'legalPerson'] as const;
  const filled = kinds.filter(kind => isFilled(value[kind]));
  if (filled.length === 1 || (filled.length === 0 && isAnswer)) return [];
  const wanted = 'naturalPerson or legalPerson';
  if (filled.length === 2) return [failure('Person', 'The person is both natural and legal.', wanted)];
  const empty = kinds.find(kind => typeof value[kind] === 'object' && value[kind] !== null);
  if (empty === undefined) return [failure('Person', 'The person is neither natural nor legal.', wanted)];
  const clause = empty === 'naturalPerson' ? 'NaturalPersonName' : 'LegalPersonName';
  return [at(`${empty}.name.nameIdentifier`, failure(clause, 'The person has no name.', 'a list with a name'))];
};

/** Documents of the network show originators with only a name, so C1 and C4 are warnings. */
const naturalPerson: Constraint = (value, { isOriginator }) => [
  isOriginator &&
    !has(value, 'geographicAddress', 'customerIdentification', 'customerNumber') &&
    !has(value, 'nationalIdentification', 'dateAndPlaceOfBirth') &&
    warning(
      'C1',
      'The originator has only a name.',
      'geographicAddress, customerIdentification, nationalIdentification or dateAndPlaceOfBirth',
    ),
  customerNumber(value),
];

const legalPerson: Constraint = (value, { isOriginator }) => {
  const isLocated = listOf(value.geographicAddress).some(({ addressType }) => codeOf(addressType) === 'GEOG');
  return [
    isOriginator &&
      !isLocated &&
      !has(value, 'customerIdentification', 'customerNumber', 'nationalIdentification') &&
      warning(
        'C4',
        'The originator has only a name, or an address that is not of type GEOG.',
        'geographicAddress of type GEOG, customerIdentification or nationalIdentification',
      ),
    customerNumber(value),
  ];
};

/** A type that is no code of the standard has its own problem. */
const legalName =
  (clause: 'C5' | 'C6', type: string, codes: readonly string[]): Constraint =>
  ({ nameIdentifier }) => {
    const types = listOf(nameIdentifier).map(name => codeOf(name[foreignNameOf(type, name)?.name ?? type]));
    if (types.length === 0 || types.includes('LEGL') || !types.every(each => codes.includes(each))) return [];
    return [at('nameIdentifier', failure(clause, 'No name is of type LEGL.', `a name with ${type} LEGL`))];
  };

const birth: Constraint = ({ dateOfBirth }, { today }) => {
  const day = parseDay(String(dateOfBirth));
  if (day === undefined || day < today) return [];
  return [at('dateOfBirth', failure('C2', 'The day does not lie in the past.', 'a day before today'))];
};

const address: Constraint = value =>
  has(value, 'addressLine') || (has(value, 'streetName') && has(value, 'buildingName', 'buildingNumber'))
    ? []
    : [
        failure(
          'C8',
          'The address has no line, and no street with a building.',
          'addressLine, or streetName with buildingName or buildingNumber',
        ),
      ];

/** Example 2 of the standard itself shows a sole trader with RAID and a registration authority. */
const naturalIdentification: Constraint = ({ nationalIdentifierType, registrationAuthority }) => {
  const type = codeOf(nationalIdentifierType);
  const authority = type === 'RAID' ? warning : failure;
  return [
    type === 'LEIX' &&
      at('nationalIdentifierType', failure('C9', 'A natural person has no LEI.', `one of ${NATURAL_TYPES}`)),
    isFilled(registrationAuthority) &&
      at('registrationAuthority', authority('C9', 'Only a legal person has one.', 'nothing')),
  ];
};
const LEGAL_TYPES = LEGAL_IDENTIFIER_TYPES.join(', ');
const NATURAL_TYPES = IDENTIFIER_TYPES.filter(type => type !== 'LEIX').join(', ');

const legalIdentification: Constraint = value => {
  const type = codeOf(value.nationalIdentifierType);
  const isLei = type === 'LEIX';
  const isLegal = LEGAL_IDENTIFIER_TYPES.includes(type);
  const hasAuthority = has(value, 'registrationAuthority');
  return [
    IDENTIFIER_TYPES.includes(type) &&
      !isLegal &&
      at('nationalIdentifierType', failure('C7', 'Only a natural person has this type.', `one of ${LEGAL_TYPES}`)),
    has(value, 'countryOfIssue') && at('countryOfIssue', failure('C9', 'Only a natural person has one.', 'nothing')),
    isLei && hasAuthority && at('registrationAuthority', failure('C9', 'An LEI has none.', 'nothing')),
    !isLei &&
      isLegal &&
      !hasAuthority &&
      at('registrationAuthority', failure('C9', 'The member is missing.', 'RA and six digits')),
    isLei && has(value, 'nationalIdentifier') && at('nationalIdentifier', lei(value.nationalIdentifier)),
  ];
};

function lei(value: unknown): Finding | undefined {
  const text = String(value);
  if (LEI.test(text.trim()) && !LEI.test(text)) return withBlanks('C11');
  if (!LEI.test(text))
    return failure('C11', 'The value is no LEI.', '18 letters or digits and two check digits (ISO 17442)');
  if (hasLeiCheckDigits(text)) return undefined;
  return warning('C11', 'The check digits of the LEI are wrong.', 'check digits by mod 97-10 (ISO 17442)');
}

const transferPath: Constraint = ({ transferPath }) => {
  const numbers = listOf(transferPath).map(({ sequence }) => sequence);
  const sorted = numbers.filter(each => Number.isSafeInteger(each)).sort((a, b) => Number(a) - Number(b));
  if (sorted.length < numbers.length || sorted.every((each, index) => each === index)) return [];
  return [at('transferPath', failure('C12', 'The numbers do not begin at 0, or have a gap.', 'sequence 0, 1, 2, …'))];
};

export const CONSTRAINTS: Partial<Record<Component, Constraint>> = {
  Person: onePerson,
  NaturalPerson: naturalPerson,
  LegalPerson: legalPerson,
  NaturalPersonName: legalName('C6', 'nameIdentifierType', NATURAL_NAME_TYPES),
  LegalPersonName: legalName('C5', 'legalPersonNameIdentifierType', LEGAL_NAME_TYPES),
  DateAndPlaceOfBirth: birth,
  Address: address,
  NationalIdentification: naturalIdentification,
  LegalIdentification: legalIdentification,
  TransferPath: transferPath,
};
