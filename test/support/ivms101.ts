import { checkPayload } from '../../src/contract/ivms101-check/check.ts';

export const NOW = Date.UTC(2026, 10, 26, 12);
export const NAME = { primaryIdentifier: 'Kim', secondaryIdentifier: 'Min', nameIdentifierType: 'LEGL' };
export const COMPANY = { legalPersonName: 'Kim Ltd', legalPersonNameIdentifierType: 'LEGL' };
export const ADDRESS = { addressType: 'HOME', streetName: 'Kim street', buildingNumber: '1', country: 'KR' };
export const BIRTH = { dateOfBirth: '1990-02-28', placeOfBirth: 'Seoul' };
export const PASSPORT = { nationalIdentifier: 'K1', nationalIdentifierType: 'CCPT', countryOfIssue: 'KR' };
export const REGISTER = { nationalIdentifier: 'K2', nationalIdentifierType: 'RAID', registrationAuthority: 'RA000025' };
export const LEI = { nationalIdentifier: '5493001KJTIIGC8Y1R12', nationalIdentifierType: 'LEIX' };

export const natural = (more: object = {}, names: object = {}) => ({
  naturalPerson: { name: { nameIdentifier: [NAME], ...names }, ...more },
});
export const legal = (more: object = {}, names: object = {}) => ({
  legalPerson: { name: { nameIdentifier: [COMPANY], ...names }, ...more },
});
export const problemsOf = (payload: unknown) => checkPayload(payload, NOW).problems;
/** `clause path`, without the person. */
export const found = (payload: unknown) =>
  problemsOf(payload).map(
    ({ clause, severity, path }) =>
      `${severity === 'WARNING' ? 'WARNING ' : ''}${clause} ${path.replace(/^(natural|legal)Person\.?/, '')}`,
  );
export const idOf = (identification: object) => ({ nationalIdentification: identification });
export const text = (length: number) => 'x'.repeat(length);

export const REQUEST = {
  originator: {
    originatorPersons: [natural({ dateAndPlaceOfBirth: BIRTH })],
    accountNumber: ['0xFa230E9cCAF5e382539147294d7965Eeccbbfa5c'],
  },
  beneficiary: { beneficiaryPersons: [natural()], accountNumber: ['rGFFufDwabHuPur9927p1EgBTcCBfsjtEU:234567891'] },
};
