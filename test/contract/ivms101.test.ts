import { expect, test } from 'vitest';
import { parse } from '../../src/contract/parse.ts';
import { VerifyUserRequest } from '../../src/contract/requests.ts';
import { parseRefusalOf } from '../support/contract/parse-refusal.ts';
import { legalBeneficiary, person, set, verifyUser } from '../support/contract/samples.ts';

test('names of 10,000 characters, unknown and empty members of a person pass through unchanged', () => {
  const originatorPersons = [
    { ...person('R'.repeat(10_000), ''), shoe: { size: 43, left: null } },
    { naturalPerson: { name: { nameIdentifier: [{ primaryIdentifier: null, extra: [1] }] } } },
    { naturalPerson: { dateAndPlaceOfBirth: { dateOfBirth: '31 May', placeOfBirth: '' } } },
  ];
  const payload = {
    version: '1.0',
    ivms101: {
      originator: { originatorPersons, accountNumber: ['a'], more: 'kept' },
      beneficiary: verifyUser.payload.ivms101.beneficiary,
      originatingVASP: { legalPerson: { name: {} } },
      more: 'kept',
    },
  };
  const before = structuredClone(payload);
  expect(parse(VerifyUserRequest, { ...verifyUser, payload }).payload).toEqual(before);
});

test('REF-4.6.8: an originator without a name reaches the judge', () => {
  for (const persons of [[], [{ naturalPerson: {} }], [{ naturalPerson: { name: null } }]])
    expect(
      parse(VerifyUserRequest, set(verifyUser, 'payload.ivms101.originator.originatorPersons', persons)).payload.ivms101
        .originator.originatorPersons,
    ).toEqual(persons);
});

test.each([{}, { naturalPerson: null }, { legalPerson: undefined }, { alien: {} }])(
  'the person %j is neither natural nor legal',
  nobody => {
    const refusal = parseRefusalOf(
      VerifyUserRequest,
      set(verifyUser, 'payload.ivms101.originator.originatorPersons.0', nobody),
    );
    expect(refusal.message).toBe(
      '`payload.ivms101.originator.originatorPersons[0]` should hold `naturalPerson` or `legalPerson`.',
    );
  },
);

test.each(['originator', 'beneficiary'])('the %s has at least one account number', role => {
  const refusal = parseRefusalOf(VerifyUserRequest, set(verifyUser, `payload.ivms101.${role}.accountNumber`, []));
  expect(refusal.message).toBe(`\`payload.ivms101.${role}.accountNumber\` should have at least one element.`);
});

test('a legal person with its representative parses', () => {
  const body = set(verifyUser, 'payload.ivms101.beneficiary', legalBeneficiary);
  expect(parse(VerifyUserRequest, body).payload.ivms101.beneficiary).toEqual(legalBeneficiary);
});
