import * as z from 'zod';
import { MAX_ELEMENTS } from './parse.ts';
import { AccountNumber, loose, MAX_LENGTH, optionalText } from './text.ts';

/**
 * IVMS101 in requests and answers. The schemas are lenient on purpose: missing information is a reason to deny
 * (LACK-OF-INFORMATION), not a malformed request. Unknown members are kept unchanged. Known members must have their type.
 */

const personText = optionalText(MAX_LENGTH.personText);
const maybeText = personText.nullish();

export const NATURAL_NAME_TYPES: readonly string[] = ['ALIA', 'BIRT', 'MAID', 'LEGL', 'MISC'];
export const LEGAL_NAME_TYPES: readonly string[] = ['LEGL', 'SHRT', 'TRAD'];
export const NAME_LISTS = ['nameIdentifier', 'localNameIdentifier', 'phoneticNameIdentifier'] as const;

export type NameLists<Identifier> = { [L in (typeof NAME_LISTS)[number]]?: Identifier[] | null | undefined };

export const identifiersOf = <Identifier>(name: NameLists<Identifier> | null | undefined): Identifier[] =>
  NAME_LISTS.flatMap(list => name?.[list] ?? []);

export const NaturalPersonNameIdentifier = loose('NaturalPersonNameIdentifier', 'One name of a natural person.', {
  primaryIdentifier: maybeText.describe('Last name, or the whole name when it cannot be split.'),
  secondaryIdentifier: maybeText.describe('First and middle names.'),
  nameIdentifierType: maybeText.describe('ALIA, BIRT, MAID, LEGL or MISC; one element is LEGL.'),
});
export type NaturalPersonNameIdentifier = z.infer<typeof NaturalPersonNameIdentifier>;

const nameLists = <S extends z.ZodType>(identifier: S) => {
  const names = z.array(identifier).max(MAX_ELEMENTS).nullish();
  return { nameIdentifier: names, localNameIdentifier: names, phoneticNameIdentifier: names };
};

export const NaturalPersonName = loose(
  'NaturalPersonName',
  'The names of a natural person.',
  nameLists(NaturalPersonNameIdentifier),
);
export type NaturalPersonName = z.infer<typeof NaturalPersonName>;

export const LegalPersonNameIdentifier = loose('LegalPersonNameIdentifier', 'One name of a legal person.', {
  legalPersonName: maybeText,
  legalPersonNameIdentifierType: maybeText.describe('LEGL, SHRT or TRAD; one element is LEGL.'),
});

export const LegalPersonName = loose(
  'LegalPersonName',
  'The names of a legal person.',
  nameLists(LegalPersonNameIdentifier),
);
export type LegalPersonName = z.infer<typeof LegalPersonName>;

export const Address = loose('Address', 'An IVMS101 address. Other members are kept unchanged.', {
  addressType: maybeText.describe('HOME, BIZZ or GEOG.'),
  addressLine: z.array(personText).max(MAX_ELEMENTS).nullish(),
  country: maybeText.describe('ISO 3166-1 alpha-2.'),
});

export const DateAndPlaceOfBirth = loose('DateAndPlaceOfBirth', 'Date and place of birth.', {
  dateOfBirth: maybeText.describe('YYYY-MM-DD.'),
  placeOfBirth: maybeText.describe('The home address when the place is unknown.'),
});

export const NationalIdentification = loose('NationalIdentification', 'National identification.', {
  nationalIdentifier: maybeText,
  nationalIdentifierType: maybeText.describe('ARNU CCPT RAID DRLC FIIN TXID SOCS IDCD LEIX MISC.'),
  countryOfIssue: maybeText,
  registrationAuthority: maybeText.describe('RA and six digits.'),
});

export const NaturalPerson = loose('NaturalPerson', 'A natural person.', {
  name: NaturalPersonName.nullish(),
  geographicAddress: z.array(Address).max(MAX_ELEMENTS).nullish(),
  nationalIdentification: NationalIdentification.nullish(),
  customerIdentification: maybeText,
  dateAndPlaceOfBirth: DateAndPlaceOfBirth.nullish(),
  countryOfResidence: maybeText,
  nationality: maybeText,
});
export type NaturalPerson = z.infer<typeof NaturalPerson>;

export const LegalPerson = loose('LegalPerson', 'A legal person.', {
  name: LegalPersonName.nullish(),
  geographicAddress: z.array(Address).max(MAX_ELEMENTS).nullish(),
  nationalIdentification: NationalIdentification.nullish(),
  customerIdentification: maybeText,
  countryOfRegistration: maybeText,
  dateOfIncorporation: maybeText,
});

export const Person = z
  .looseObject({ naturalPerson: NaturalPerson.nullish(), legalPerson: LegalPerson.nullish() })
  .refine(person => Boolean(person.naturalPerson ?? person.legalPerson), {
    error: 'should hold `naturalPerson` or `legalPerson`',
  })
  .meta({
    id: 'Person',
    description: 'A natural or a legal person.',
    if: { properties: { naturalPerson: { type: 'null' } }, additionalProperties: true },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: ['legalPerson'], properties: { legalPerson: { type: 'object' } }, additionalProperties: true },
  });
export type Person = z.infer<typeof Person>;

/** For a legal person: element 0 is the legal person, the others are its representatives. */
export const Persons = z
  .array(Person)
  .max(MAX_ELEMENTS)
  .describe('One natural person; or a legal person, followed by its representatives as natural persons.');
export type Persons = z.infer<typeof Persons>;

export const AccountNumbers = z.array(AccountNumber).min(1).max(MAX_ELEMENTS);

export const Originator = loose('Originator', 'The originator and the account that is debited.', {
  originatorPersons: Persons,
  accountNumber: AccountNumbers,
});
export type Originator = z.infer<typeof Originator>;

export const Beneficiary = loose('Beneficiary', 'The beneficiary and the account that is credited.', {
  beneficiaryPersons: Persons,
  accountNumber: AccountNumbers,
});
export type Beneficiary = z.infer<typeof Beneficiary>;

/** For an account verification. Without persons only the address is checked. */
export const BeneficiaryAccount = loose('BeneficiaryAccount', 'The account to check and, optionally, its owner.', {
  beneficiaryPersons: Persons.nullish(),
  accountNumber: AccountNumbers,
});
export type BeneficiaryAccount = z.infer<typeof BeneficiaryAccount>;

/** A VASP as a legal person: the enclave knows its name only. */
export const vaspPerson = (name: string): Person => ({
  legalPerson: { name: { nameIdentifier: [{ legalPersonName: name, legalPersonNameIdentifierType: 'LEGL' }] } },
});
