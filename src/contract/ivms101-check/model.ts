import type { Datatype } from './datatypes.ts';
import type { Severity } from './problem.ts';

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
const legalName = <T extends string>(text: T) => ({
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
  LegalPersonNameID: legalName('Max100Text'),
  LocalLegalPersonNameID: legalName('LocalMax100Text'),
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
