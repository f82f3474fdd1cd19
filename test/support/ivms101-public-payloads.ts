/** Bodies as public projects of the field write them, with other persons, numbers and addresses. */

const camelName = { primaryIdentifier: 'Moreau', secondaryIdentifier: 'Claire', nameIdentifierType: 'LEGL' };
const birthName = { primaryIdentifier: 'Petit', secondaryIdentifier: 'Claire', nameIdentifierType: 'MAID' };
const home = {
  addressType: 'HOME',
  streetName: 'Rue Haute',
  buildingNumber: '28',
  postCode: '69001',
  townName: 'Lyon',
  countrySubDivision: 'ARA',
  country: 'FR',
};
const birth = { dateOfBirth: '1982-05-14', placeOfBirth: 'Lyon' };
const companyNames = [
  { legalPersonName: 'Moreau Change SA', legalPersonNameIdentifierType: 'LEGL' },
  { legalPersonName: 'Moreau Change', legalPersonNameIdentifierType: 'SHRT' },
];
const office = { ...home, addressType: 'BIZZ' };
const lei = { nationalIdentifier: '5493001KJTIIGC8Y1R12', nationalIdentifierType: 'LEIX' };
const company = {
  name: { nameIdentifier: companyNames },
  geographicAddress: [office],
  nationalIdentification: lei,
  countryOfRegistration: 'FR',
};
const person = {
  name: { nameIdentifier: [camelName, birthName] },
  geographicAddress: [home],
  nationalIdentification: { nationalIdentifier: 'F-1', nationalIdentifierType: 'SOCS', countryOfIssue: 'FR' },
  customerIdentification: '2642',
  dateAndPlaceOfBirth: birth,
  countryOfResidence: 'FR',
};
const account = ['14HmBSwec8XrcWge9Zi1ZngNia64u3Wd2v'];
const receiver = { naturalPerson: { name: { nameIdentifier: [camelName] } } };
const trisa = {
  originator: { originatorPersons: [{ naturalPerson: person }], accountNumber: account },
  beneficiary: { beneficiaryPersons: [{ naturalPerson: person }], accountNumber: account },
  originatingVASP: { originatingVASP: { legalPerson: company } },
  beneficiaryVASP: { beneficiaryVASP: { legalPerson: company } },
};
const inquiry = {
  originator: {
    originatorPersons: [
      {
        naturalPerson: {
          name: { nameIdentifier: [camelName] },
          geographicAddress: [{ ...home, addressType: 'GEOG' }],
          customerIdentification: '1002390',
        },
      },
    ],
  },
  beneficiary: { beneficiaryPersons: [receiver], accountNumber: account },
  originatingVASP: { originatingVASP: { legalPerson: { name: company.name, nationalIdentification: lei } } },
};

/** `lastName` -> `last_name`, at every depth. */
const snake = (value: unknown): unknown =>
  Array.isArray(value)
    ? value.map(snake)
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(
          Object.entries(value).map(([name, inner]) => [
            name.replace(/VASP/g, 'Vasp').replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`),
            snake(inner),
          ]),
        )
      : value;
const renamed = (value: unknown, names: Readonly<Record<string, string>>): unknown =>
  Array.isArray(value)
    ? value.map(each => renamed(each, names))
    : typeof value === 'object' && value !== null
      ? Object.fromEntries(Object.entries(value).map(([name, inner]) => [names[name] ?? name, renamed(inner, names)]))
      : value;
const plural = {
  nameIdentifier: 'nameIdentifiers',
  geographicAddress: 'geographicAddresses',
  accountNumber: 'accountNumbers',
};
const of = (originator: object, beneficiary: object = receiver.naturalPerson) => ({
  originator: { originatorPersons: [{ naturalPerson: originator }], accountNumber: account },
  beneficiary: { beneficiaryPersons: [{ naturalPerson: beneficiary }], accountNumber: account },
});
const name = { nameIdentifier: [camelName] };
const protobuf = JSON.parse(
  JSON.stringify(snake(renamed(trisa, plural)))
    .replaceAll('"LEGL"', '"NATURAL_PERSON_NAME_TYPE_CODE_LEGL"')
    .replaceAll('"MAID"', '"NATURAL_PERSON_NAME_TYPE_CODE_MAID"')
    .replaceAll('"HOME"', '"ADDRESS_TYPE_CODE_HOME"')
    .replaceAll('"SOCS"', '"NATIONAL_IDENTIFIER_TYPE_CODE_SOCS"'),
);

export const PUBLIC_PAYLOADS: Readonly<Record<string, unknown>> = {
  'TRISA: identity payload': trisa,
  'TRISA: a registration authority of a natural person': of({
    ...person,
    nationalIdentification: { ...person.nationalIdentification, registrationAuthority: 'RA777777' },
  }),
  'TRISA: other spellings': of(
    {
      name: { nameIdentifiers: [camelName, { lastName: 'Petit', firstName: 'Claire', nameIdentifierType: 'MAID' }] },
      geographicAddresses: [
        { addressType: 'HOME', street: 'Rue Haute', number: '28', postalCode: '69001', town: 'Lyon', country: 'FR' },
      ],
      dateAndPlaceOfBirth: { dob: '1982-05-14', pob: 'Lyon' },
      country_of_residence: 'FR',
    },
    {
      name,
      geographic_addresses: [
        { addressType: 'HOME', street_name: 'Rue', building_number: '2', city: 'Lyon', country: 'FR' },
      ],
    },
  ),
  'TRISA: protobuf as JSON': protobuf,
  'TRISA: envelope': {
    identity: { '@type': 'type.googleapis.com/ivms101.IdentityPayload', ...protobuf },
    sent_at: '2026-01-27T08:21:43Z',
  },
  'TRISA: empty transfer path and metadata': {
    ...trisa,
    transferPath: { transferPath: [] },
    payloadMetadata: { transliterationMethod: [] },
  },
  'TRISA: numbers in place of codes': {
    name: {
      name_identifiers: [{ primary_identifier: 'Moreau', secondary_identifier: 'Claire', name_identifier_type: 3 }],
    },
    geographic_addresses: [
      { address_type: 0, street_name: 'Rue Haute', building_number: '28', town: 'Lyon', country: 'FR' },
    ],
    country_of_residence: 'FR',
  },
  'TRISA: a legal person with numbers': {
    name: { name_identifiers: [{ legal_person_name: 'Moreau Change SA', legal_person_name_identifier_type: 0 }] },
    geographic_addresses: [
      { address_type: 1, building_number: '7', street_name: 'Rue', town_name: 'Lyon', country: 'FR' },
    ],
    customer_number: '',
    country_of_registration: 'FR',
  },
  'TRISA: a legal person': { ...company, customerNumber: 'abc1234' },
  'TRISA: a legal person in its person': { legalPerson: { ...company, customerNumber: 'abc1234' } },
  'TRISA: a tax number of a legal person': {
    ...company,
    nationalIdentification: {
      nationalIdentifier: 'F-2',
      nationalIdentifierType: 'TXID',
      registrationAuthority: 'RA777777',
    },
  },
  'TRISA: a natural person': person,
  'TRISA: a person of both kinds': { naturalPerson: person, legalPerson: company },
  'TRISA: empty texts for what is not known': of({
    ...person,
    customerIdentification: '',
    geographicAddress: [{ ...home, department: '', floor: '', addressLine: [] }],
  }),
  'TRISA: the name of a country in place of its code': of({
    ...person,
    geographicAddress: [{ ...home, country: 'France' }],
  }),
  'TRP: inquiry': {
    asset: { slip0044: 'BTC' },
    amount: 1,
    callback: 'https://beneficiary.example/confirm?q=3',
    IVMS101: inquiry,
  },
  'TRP: inquiry, only its IVMS101': inquiry,
  'TRP: identity of a VASP': {
    name: 'Moreau Change',
    lei: lei.nationalIdentifier,
    x509: '-----BEGIN CERTIFICATE-----',
  },
  'envoy: a person of a form': {
    first_name: 'Claire',
    last_name: 'Moreau',
    customer_id: '',
    city: 'Lyon',
    country: 'FR',
  },
  'envoy: the body of a form': {
    originator: { first_name: 'Claire', last_name: 'Moreau', crypto_address: account[0], country: 'FR' },
    beneficiary: { first_name: 'Jean', last_name: 'Petit', crypto_address: account[0], country: 'FR' },
    transfer: { amount: 0.000311, network: 'BTC' },
  },
  'envoy: a webhook without a payload': { transaction_id: 'd0a3dcb5', error: {}, payload: {} },
  'envoy: only a maiden name, and USA': {
    natural_person: { ...person, name: { nameIdentifier: [birthName] }, countryOfResidence: 'USA' },
  },
  'CODE: names in Latin and local letters': of({
    name: {
      nameIdentifier: [camelName],
      localNameIdentifier: [{ ...camelName, primaryIdentifier: '모로', secondaryIdentifier: '클레르' }],
    },
    customerIdentification: 'c-1',
  }),
  'CODE: an empty local second name': of({
    name: {
      nameIdentifier: [camelName],
      localNameIdentifier: [{ ...camelName, primaryIdentifier: '모로', secondaryIdentifier: '' }],
    },
    dateAndPlaceOfBirth: birth,
    countryOfResidence: 'FR',
  }),
  'CODE: empty lists of persons': { ivms101: { originatorPersons: [], beneficiaryPersons: [] } },
  'Sygna: snake case with RAID': snake({
    originator: {
      originatorPersons: [
        {
          naturalPerson: {
            name: { nameIdentifiers: [{ primaryIdentifier: 'Moreau Claire', nameIdentifierType: 'LEGL' }] },
            nationalIdentification: {
              nationalIdentifier: '44',
              nationalIdentifierType: 'RAID',
              registrationAuthority: 'RA000025',
            },
            countryOfResidence: 'TZ',
          },
        },
      ],
      accountNumbers: account,
    },
    beneficiary: {
      beneficiaryPersons: [{ legalPerson: { name: { nameIdentifiers: [companyNames[0]] } } }],
      accountNumbers: account,
    },
  }),
  'TAP: a list of names in place of the name': of({ name: [camelName], customerNumber: '123456' }),
  'TAP: version of 2023': renamed(
    { ...of(person), payloadMetadata: { payloadVersion: '101.2023', transliterationMethod: ['othr'] } },
    {
      originatorPersons: 'originatorPerson',
      beneficiaryPersons: 'beneficiaryPerson',
      nameIdentifierType: 'naturalPersonNameIdentifierType',
    },
  ),
  'TAP: version of 2020 with a transfer path from 1': {
    ...of(person),
    transferPath: { transferPath: [{ intermediaryVASP: { legalPerson: company }, sequence: 1 }] },
    payloadMetadata: { transliterationMethod: ['othr'] },
  },
  'TAP: a VASP with its name alone': {
    ...of(person),
    originatingVASP: { legalPerson: { name: company.name, customerNumber: 'V1' } },
  },
  'TAP: an LEI with a country of issue': {
    ...of(person),
    beneficiaryVASP: { legalPerson: { ...company, nationalIdentification: { ...lei, countryOfIssue: 'FR' } } },
  },
  'Notabene: the name in a list, without a type': of({
    name: [{ nameIdentifier: [{ primaryIdentifier: 'Claire Moreau' }] }],
  }),
  'Notabene: the address as one line': of({
    name: [{ nameIdentifier: [{ primaryIdentifier: 'Claire Moreau' }] }],
    geographicAddress: [{ addressLine: ['Rue Haute 28, Lyon'] }],
    nationalIdentification: { nationalIdentifier: 'F-1', nationalIdentifierType: 'NATIONAL_IDENTITY_NUMBER' },
  }),
  'Notabene: a birth in the future': of({
    ...person,
    dateAndPlaceOfBirth: { dateOfBirth: '2031-01-01', placeOfBirth: 'Lyon' },
  }),
  'OpenKYC: a country of birth and a passport': of({
    name,
    dateAndPlaceOfBirth: { ...birth, countryOfBirth: 'FR' },
    countryOfResidence: 'FR',
    nationalIdentification: { nationalIdentifier: 'F-3', nationalIdentifierType: 'CCPT' },
  }),
  'a tutorial: the name as a text': of({
    name: 'Claire Moreau',
    geographicAddress: 'Rue Haute 28, Lyon',
    nationalId: 'F-1',
  }),
  'a tutorial: an address without a building': of({
    name,
    geographicAddress: [{ streetName: 'Rue Haute 28', townName: 'Lyon', country: 'FR', addressType: 'HOME' }],
    dateAndPlaceOfBirth: birth,
  }),
  'a tutorial: an address without a type': of({
    name: { nameIdentifier: [{ primaryIdentifier: 'Moreau', secondaryIdentifier: 'Claire' }] },
    geographicAddress: [{ addressLine: ['Rue Haute 28'], town: 'Lyon', country: 'FR' }],
    dateAndPlaceOfBirth: birth,
  }),
  'a library: names directly in the person': of({ nameIdentifier: [camelName], nationalId: 'F-1' }),
  'a library: an account in the person': of({
    name,
    accountNumber: account,
    geographicAddress: [{ townName: 'Lyon', country: 'FR' }],
  }),
  'a library: institutions beside the persons': {
    originator: {
      originatorPersons: [{ naturalPerson: { name } }],
      accountNumber: account,
      originatorInstitution: { legalPersonName: 'X' },
    },
    beneficiary: { beneficiaryPersons: [receiver], accountNumber: account },
  },
};
