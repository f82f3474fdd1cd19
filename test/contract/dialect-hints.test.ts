import { describe, expect, test } from 'vitest';
import { VerifyAccountRequest, VerifyUserRequest } from '../../src/contract/requests.ts';
import { parseRefusalOf } from '../support/contract/parse-refusal.ts';
import { ivms101, set, verifyAccount, verifyUser } from '../support/contract/samples.ts';

const { originator, beneficiary } = ivms101;
const { originatorPersons, accountNumber } = originator;
const IN = 'payload.ivms101';
const PERSON = `${IN}.originator.originatorPersons[0]`;

describe('a refusal names the dialect and the member that is wanted', () => {
  test.each<[string, unknown, string]>([
    [
      `${IN}.originator`,
      { originatorPerson: originatorPersons, accountNumber },
      `\`${IN}.originator.originatorPersons\` is required. \`${IN}.originator.originatorPerson\` is written in the names of IVMS101.2023: name it \`originatorPersons\`.`,
    ],
    [
      `${IN}.originator`,
      { originator_persons: originatorPersons, account_number: accountNumber },
      `\`${IN}.originator.originatorPersons\` is required. \`${IN}.originator.originator_persons\` is written in snake_case: name it \`originatorPersons\`.`,
    ],
    [
      `${IN}.beneficiary`,
      { beneficiaryPersons: beneficiary.beneficiaryPersons, accountNumbers: accountNumber },
      `\`${IN}.beneficiary.accountNumber\` is required. \`${IN}.beneficiary.accountNumbers\` is written as protojson writes it: name it \`accountNumber\`.`,
    ],
    [
      IN,
      { Originator: originator, beneficiary },
      `\`${IN}.originator\` is required. \`${IN}.Originator\` is written in other upper and lower case: name it \`originator\`.`,
    ],
    [
      `${IN}.originator.originatorPersons`,
      [{ natural_person: {} }],
      `\`${PERSON}\` should hold \`naturalPerson\` or \`legalPerson\`. \`${PERSON}.natural_person\` is written in snake_case: name it \`naturalPerson\`.`,
    ],
    [
      `${IN}.originator.originatorPersons`,
      [{ naturalPerson: { name: [{}] } }],
      `\`${PERSON}.naturalPerson.name\` should be an object. A list came, as TAP writes it: send its element as one object.`,
    ],
    [
      `${IN}.originator.originatorPersons`,
      originatorPersons[0],
      `\`${IN}.originator.originatorPersons\` should be an array. One object came, as some libraries write a list of one: put it into a list.`,
    ],
    [
      `${IN}.originator.accountNumber`,
      accountNumber[0],
      `\`${IN}.originator.accountNumber\` should be an array. One value came: put it into a list.`,
    ],
    [
      'payload',
      { payloadVersion: '101.2023', ivms101 },
      '`payload.version` is required. `payload.payloadVersion` is written in the names of IVMS101.2023: name it `version`.',
    ],
  ])('%s', (path, value, message) =>
    expect(parseRefusalOf(VerifyUserRequest, set(verifyUser, path, value)).message).toBe(message),
  );

  test('of an account verification, too', () => {
    const { beneficiaryVaspId, ...others } = verifyAccount;
    const body = { ...others, beneficiary_vasp_id: beneficiaryVaspId };
    expect(parseRefusalOf(VerifyAccountRequest, body).message).toBe(
      '`beneficiaryVaspId` is required. `beneficiary_vasp_id` is written in snake_case: name it `beneficiaryVaspId`.',
    );
  });

  test('a missing member with nothing like it has no hint', () =>
    expect(parseRefusalOf(VerifyUserRequest, set(verifyUser, IN, {})).message).toBe(
      `\`${IN}.originator\` is required.`,
    ));
});
